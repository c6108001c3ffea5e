package sim

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// HTML writes the result as a page with its timeline, which must have been recorded.
func (r *Result) HTML(w io.Writer) error {
	if r.Timeline == nil {
		return errors.New("no timeline was recorded")
	}
	return r.Timeline.HTML(w, r.Facts())
}

// Facts are the lines that head a report.
func (r *Result) Facts() []timeline.Fact {
	facts := []timeline.Fact{{Name: "verdict", Value: r.Verdict.String()}}
	if r.Verdict.Outcome == Refused {
		return facts
	}
	facts = append(facts,
		timeline.Fact{Name: "jobs × items", Value: fmt.Sprintf("%d × %d", r.Jobs, r.Items/r.Jobs)},
		timeline.Fact{Name: "seconds per job", Value: fmt.Sprintf("%.4g", r.PerJob)},
		timeline.Fact{Name: "in steady state", Value: fmt.Sprintf("%.4g", r.Steady)},
		timeline.Fact{Name: "latency p50 / p99", Value: fmt.Sprintf("%.4g / %.4g s", r.Latency.P50, r.Latency.P99)},
		timeline.Fact{Name: "most items held", Value: fmt.Sprint(r.MostHeld)},
	)
	for _, p := range r.poolsHere() {
		facts = append(facts, timeline.Fact{Name: "peak in " + p.Name, Value: budget.FormatBytes(p.PeakResident)})
	}
	return facts
}

// poolsHere gives the pools without those of which the machine has no memory.
func (r *Result) poolsHere() []PoolResult {
	return slices.DeleteFunc(slices.Clone(r.Pools), func(p PoolResult) bool { return p.Limit == 0 })
}

// String gives a verdict in a few words: "completed", "out of memory at 421 s: ...".
func (v Verdict) String() string {
	switch v.Outcome {
	case Completed:
		return string(v.Outcome)
	case Refused:
		return fmt.Sprintf("%s: %s", v.Outcome, v.Reason)
	}
	return fmt.Sprintf("%s at %.0f s: %s", v.Outcome, v.Seconds, v.Reason)
}

// Text writes results side by side: what each came to, then what its stages did and waited for.
func Text(w io.Writer, results ...*Result) error {
	table := render.Table{Columns: []render.Column{
		{Title: "pipeline"}, {Title: "verdict"}, {Title: "s/job", Right: true}, {Title: "steady", Right: true},
		{Title: "p50", Right: true}, {Title: "p99", Right: true}, {Title: "held", Right: true}, {Title: "peaks"},
	}}
	for _, r := range results {
		var peaks []string
		for _, p := range r.poolsHere() {
			peaks = append(peaks, fmt.Sprintf("%s %s", p.Name, budget.FormatBytes(p.PeakResident)))
		}
		table.Add(r.Pipeline, string(r.Verdict.Outcome), fmt.Sprintf("%.4g", r.PerJob), fmt.Sprintf("%.4g", r.Steady),
			fmt.Sprintf("%.4g", r.Latency.P50), fmt.Sprintf("%.4g", r.Latency.P99), fmt.Sprint(r.MostHeld), strings.Join(peaks, ", "))
	}
	if err := table.Write(w); err != nil {
		return err
	}
	for _, r := range results {
		if err := r.writeReason(w); err != nil {
			return err
		}
		if err := r.writeNotes(w); err != nil {
			return err
		}
		if err := r.writeStages(w); err != nil {
			return err
		}
	}
	return nil
}

// writeNotes says what stages do without. A profile knows how long they take where it was recorded, and not otherwise.
func (r *Result) writeNotes(w io.Writer) error {
	for _, note := range r.Notes {
		if _, err := fmt.Fprintf(w, "\n%s: %s; the seconds are the profile's all the same\n", r.Pipeline, note); err != nil {
			return err
		}
	}
	return nil
}

// writeReason says why a pipeline does not get through.
func (r *Result) writeReason(w io.Writer) error {
	if r.Verdict.Outcome == Completed || r.Verdict.Reason == "" {
		return nil
	}
	sizes := ""
	if r.Verdict.Outcome == Refused {
		sizes = fmt.Sprintf(" (%s, where there are %s)", budget.FormatBytes(r.Verdict.Bytes), budget.FormatBytes(r.Verdict.Limit))
	}
	_, err := fmt.Fprintf(w, "\n%s: %s%s\n", r.Pipeline, r.Verdict.Reason, sizes)
	return err
}

// writeStages writes what the stages of one result did and waited for most.
func (r *Result) writeStages(w io.Writer) error {
	if len(r.Stages) == 0 {
		return nil
	}
	table := render.Table{Columns: []render.Column{
		{Title: "stage of " + r.Pipeline}, {Title: "bodies", Right: true}, {Title: "s/body", Right: true}, {Title: "busy", Right: true}, {Title: "waits most for"},
	}}
	for _, s := range r.Stages {
		waits := ""
		if len(s.Blocked) > 0 {
			most := s.Blocked[0]
			waits = fmt.Sprintf("%s (%.3g s)", strings.TrimSpace(most.Kind+" "+most.On), most.Seconds)
		}
		table.Add(s.Name, fmt.Sprint(s.Bodies), fmt.Sprintf("%.3g", s.BodySeconds), fmt.Sprintf("%.0f %%", 100*s.Utilisation), waits)
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return table.Write(w)
}
