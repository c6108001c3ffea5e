package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// row is what was measured on one circuit.
type row struct {
	circuit string
	samples map[string][]sample
}

// column computes a cell of the table.
type column struct {
	title string
	cell  func(row) string
}

// ratioReach is what a ratio is to stay within.
type ratioReach func(row) float64

func always(limit float64) ratioReach { return func(row) float64 { return limit } }

// batchReach is lower on SHA-256, where gnark leaves a core idle.
func batchReach(r row) float64 {
	if strings.HasPrefix(r.circuit, "sha256") {
		return 0.65
	}
	return 0.85
}

var columns = []column{
	{"circuit", func(r row) string { return r.circuit }},
	{"proofgraph s / MiB", cost("proofgraph")},
	{"rapidsnark s / MiB", cost("rapidsnark")},
	{"gnark Prove s / process MiB", cost("gnark")},
	{"snarkjs s / MiB", cost("snarkjs")},
	{"÷ rapidsnark", ratio("proofgraph", "rapidsnark", seconds, always(0.55))},
	{"÷ gnark", ratio("proofgraph", "gnark", seconds, always(1))},
	{"memory ÷ rapidsnark", ratio("proofgraph", "rapidsnark", memory, always(1))},
	{fmt.Sprintf("batch of %d s / MiB", batchSize), cost("proofgraph batch")},
	{fmt.Sprintf("%d gnark Proves s / process MiB", batchSize), cost("gnark batch")},
	{"batch ÷ gnark", ratio("proofgraph batch", "gnark batch", seconds, batchReach)},
}

func seconds(s sample) float64 { return s.seconds }
func memory(s sample) float64  { return float64(s.peakRSS) }

// median of an even number of samples is the lower of the middle two. ok is false without samples.
func (r row) median(name string, of func(sample) float64) (m float64, ok bool) {
	var values []float64
	for _, s := range r.samples[name] {
		values = append(values, of(s))
	}
	if len(values) == 0 {
		return 0, false
	}
	slices.Sort(values)
	return values[(len(values)-1)/2], true
}

func cost(name string) func(row) string {
	return func(r row) string {
		s, ok := r.median(name, seconds)
		if !ok {
			return "-"
		}
		m, _ := r.median(name, memory)
		return fmt.Sprintf("%.2f / %.0f", s, m/(1<<20))
	}
}

// ratio shows a quotient of medians beside its reach, in bold where it is missed.
func ratio(ours, theirs string, of func(sample) float64, reach ratioReach) func(row) string {
	return func(r row) string {
		x, ok := r.median(ours, of)
		y, there := r.median(theirs, of)
		if !ok || !there {
			return "-"
		}
		text := fmt.Sprintf("%.2f (≤ %.2f)", x/y, reach(r))
		if x/y > reach(r) {
			return "**" + text + "**"
		}
		return text
	}
}

func writeTable(w io.Writer, rows []row) error {
	var lines []string
	var titles, rule []string
	for _, c := range columns {
		titles, rule = append(titles, c.title), append(rule, "---")
	}
	lines = append(lines, cells(titles), cells(rule))
	for _, r := range rows {
		var line []string
		for _, c := range columns {
			line = append(line, c.cell(r))
		}
		lines = append(lines, cells(line))
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func cells(texts []string) string { return "| " + strings.Join(texts, " | ") + " |" }
