package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// The aims of fidelity: how far a prediction may be off, in parts.
const (
	aimSeconds = 0.10
	aimPeak    = 0.05
)

// A row is a setting with what was predicted and what was measured, once a round.
type row struct {
	setting
	guess figure
	runs  []figure
}

// clean gives the measurements that others did not disturb, or all if they disturbed each.
func (r row) clean() (runs []figure, disturbed bool) {
	for _, f := range r.runs {
		if f.others <= noise {
			runs = append(runs, f)
		}
	}
	if len(runs) == 0 {
		return r.runs, true
	}
	return runs, false
}

// offSeconds and offPeak tell how far the prediction is from the median, in parts of it.
func (r row) offSeconds() float64 {
	runs, _ := r.clean()
	return r.guess.seconds/median(runs, figure.ofSeconds) - 1
}

func (r row) offPeak() float64 { return r.guess.peak/median(r.runs, figure.ofPeak) - 1 }

// spread gives how far the least and the greatest of what was measured are from the median, in parts of it.
func spread(runs []figure, of func(figure) float64) (below, above float64) {
	middle := median(runs, of)
	for _, f := range runs {
		below, above = min(below, of(f)/middle-1), max(above, of(f)/middle-1)
	}
	return below, above
}

func mib(bytes float64) float64 { return bytes / (1 << 20) }

// printTable prints a row a setting, and how many of them keep the aims.
func printTable(to io.Writer, rows []row, s *seen) error {
	var text strings.Builder
	text.WriteString("| constraints | pipeline | jobs | budget | set | s a proof: simulated | measured | its spread | off | peak MiB: simulated | measured | its spread | off |\n")
	text.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	seconds, peaks, disturbed := 0, 0, 0
	for _, r := range rows {
		r.write(&text)
		seconds += within(r.offSeconds(), aimSeconds)
		peaks += within(r.offPeak(), aimPeak)
		if _, busy := r.clean(); busy {
			disturbed++
		}
	}
	fmt.Fprintf(&text, "\nSeconds within 10 %% on %d of %d settings, peaks within 5 %% on %d; medians of %d rounds in %s.\n",
		seconds, len(rows), peaks, s.rounds, s.took.Round(time.Second))
	if disturbed > 0 {
		fmt.Fprintf(&text, "Others used the machine during every run of %d settings: their seconds say little.\n", disturbed)
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// write writes a row of the table. Others take time from a run, and none of its memory.
func (r row) write(to io.Writer) {
	fmt.Fprintf(to, "| 2^%d | %s | %d | %s | %s |", exponent(r.size), r.pipeline, r.jobs, r.memory, strings.Join(r.set, " "))
	runs, busy := r.clean()
	mark := ""
	if busy {
		mark = " (disturbed)"
	}
	below, above := spread(runs, figure.ofSeconds)
	fmt.Fprintf(to, " %.3f | %.3f | %+.0f to %+.0f %% | %+.0f %%%s |",
		r.guess.seconds, median(runs, figure.ofSeconds), 100*below, 100*above, 100*r.offSeconds(), mark)
	below, above = spread(r.runs, figure.ofPeak)
	fmt.Fprintf(to, " %.1f | %.1f | %+.0f to %+.0f %% | %+.1f %% |\n",
		mib(r.guess.peak), mib(median(r.runs, figure.ofPeak)), 100*below, 100*above, 100*r.offPeak())
}

func within(off, aim float64) int {
	if off < -aim || off > aim {
		return 0
	}
	return 1
}
