package cuzk

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/proofgraph/proofgraph/graph/sim"
)

// GiB is the unit of the published peaks.
const GiB = 1 << 30

// Compare writes simulated beside published for every row.
func Compare(w io.Writer, profilePath string, options sim.Options) error {
	profile, err := sim.LoadProfile(profilePath)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "source\tconfiguration\tverdict\ts/proof\tpublished\toff\tpeak GiB\tpublished\toff\theld\tpublished")
	for _, row := range Rows() {
		result, err := row.Simulate(profile, options)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		row.print(table, result)
	}
	return table.Flush()
}

func (r Row) print(w io.Writer, result *sim.Result) {
	verdict, published := "survives", "survives"
	if result.Verdict.Outcome != sim.Completed {
		verdict = fmt.Sprintf("dies at %.0f s", result.Verdict.Seconds)
	}
	if r.Dies {
		published = "dies"
	}
	agreed := "✗ published: " + published
	if r.Dies == (result.Verdict.Outcome != sim.Completed) {
		agreed = "✓"
	}
	peak := float64(result.Pool("host").PeakResident) / GiB
	seconds := fmt.Sprintf("%.1f", result.PerJob)
	if r.Dies {
		seconds = "-"
	}
	fmt.Fprintf(w, "%s\t%s\t%s %s\t%s\t%s\t%s\t%.0f\t%s\t%s\t%d\t%s\n", r.Source, r.Name, verdict, agreed,
		seconds, figure(r.Seconds), off(result.PerJob, r.Seconds), peak, figure(r.Peak), off(peak, r.Peak),
		result.Class("abc").PeakBuffers, figure(float64(r.Held)))
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
