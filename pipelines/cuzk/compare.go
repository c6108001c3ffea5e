package cuzk

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/sim"
)

// GiB is the unit of the published peaks.
const GiB = 1 << 30

// Seeds is how many simulations of a row its figures are the mean of, where nobody says otherwise.
const Seeds = 5

// An Outcome is a row and what the simulator says of it: means over several seeds.
type Outcome struct {
	Row
	Simulated struct {
		Seconds, Peak, Held float64
		Dies                bool
		DiesAt              float64 // seconds into the run
	}
	// Agreed says that all seeds gave the same verdict.
	Agreed bool
}

// Simulate simulates every row with seeds 1 to seeds.
func Simulate(profilePath string, seeds int) ([]Outcome, error) {
	profile, err := sim.LoadProfile(profilePath)
	if err != nil {
		return nil, err
	}
	var outcomes []Outcome
	for _, row := range Rows() {
		o := Outcome{Row: row, Agreed: true}
		for seed := range seeds {
			result, err := row.Simulate(profile, sim.Options{Seed: uint64(seed + 1)})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", row.Name, err)
			}
			o.add(result, seed == 0, 1/float64(seeds))
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

func (o *Outcome) add(r *sim.Result, first bool, weight float64) {
	died := r.Verdict.Outcome != sim.Completed
	o.Agreed = o.Agreed && (first || died == o.Simulated.Dies)
	o.Simulated.Dies = died
	o.Simulated.Seconds += weight * r.PerJob
	o.Simulated.Peak += weight * float64(r.Pool("host").PeakResident) / GiB
	o.Simulated.Held += weight * float64(r.Class("abc").PeakBuffers)
	o.Simulated.DiesAt += weight * r.Verdict.Seconds
}

// Compare writes simulated beside published for every row.
func Compare(w io.Writer, outcomes []Outcome) error {
	table := render.Table{Columns: []render.Column{
		{Title: "source"}, {Title: "configuration"}, {Title: "verdict"}, {Title: "s/proof", Right: true}, {Title: "published", Right: true}, {Title: "off", Right: true},
		{Title: "peak GiB", Right: true}, {Title: "published", Right: true}, {Title: "off", Right: true}, {Title: "held", Right: true}, {Title: "published", Right: true},
	}}
	for _, o := range outcomes {
		seconds := fmt.Sprintf("%.1f", o.Simulated.Seconds)
		if o.Simulated.Dies {
			seconds = "-"
		}
		table.Add(o.Source, o.Name, o.verdict(), seconds, figure(o.Seconds), off(o.Simulated.Seconds, o.Seconds),
			fmt.Sprintf("%.0f", o.Simulated.Peak), figure(o.Peak), off(o.Simulated.Peak, o.Peak),
			fmt.Sprintf("%.0f", o.Simulated.Held), figure(float64(o.Held)))
	}
	return table.Write(w)
}

func (o *Outcome) verdict() string {
	text := "survives"
	if o.Simulated.Dies {
		text = fmt.Sprintf("dies at %.0f s", o.Simulated.DiesAt)
	}
	switch {
	case !o.Agreed:
		return text + " (on some seeds)"
	case o.Simulated.Dies != o.Dies:
		return text + " ✗"
	}
	return text + " ✓"
}

func figure(value float64) string {
	if value == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4g", value)
}

func off(simulated, published float64) string {
	if published == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f %%", 100*(simulated/published-1))
}

// WritePages writes a page with the timeline of every row into a folder.
func WritePages(dir, profilePath string) error {
	profile, err := sim.LoadProfile(profilePath)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write pages: %w", err)
	}
	for i, row := range Rows() {
		result, err := row.Simulate(profile, sim.Options{Seed: 1, Record: true})
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		result.Timeline.Title = "cuzk " + row.Name
		name := fmt.Sprintf("%02d-%s.html", i+1, strings.Join(strings.FieldsFunc(row.Name, func(r rune) bool { return strings.ContainsRune(" ,=", r) }), "-"))
		if err := writePage(filepath.Join(dir, name), result); err != nil {
			return err
		}
	}
	return nil
}

func writePage(path string, r *sim.Result) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write a page: %w", err)
	}
	err = r.HTML(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
