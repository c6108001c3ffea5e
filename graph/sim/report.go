package sim

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/render"
)

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
		table.Add(r.row()...)
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

// row is a result's line in tables: pipeline, verdict, seconds a job overall and in steady state, latencies, items, peaks.
// Of a pipeline that never got an item through there are no seconds.
func (r *Result) row() []string {
	var peaks []string
	for _, p := range r.poolsHere() {
		peaks = append(peaks, fmt.Sprintf("%s %s", p.Name, budget.FormatBytes(p.PeakResident)))
	}
	row := []string{r.Pipeline, string(r.Verdict.Outcome)}
	for _, seconds := range []float64{r.PerJob, r.Steady, r.Latency.P50, r.Latency.P99} {
		text := "-"
		if seconds > 0 {
			text = fmt.Sprintf("%.4g", seconds)
		}
		row = append(row, text)
	}
	return append(row, fmt.Sprint(r.MostHeld), strings.Join(peaks, ", "))
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

// writeReason says why a pipeline does not get through and, where memory ran out, when and who held it.
func (r *Result) writeReason(w io.Writer) error {
	if r.Verdict.Outcome == Completed || r.Verdict.Reason == "" {
		return nil
	}
	text := fmt.Sprintf("\n%s: %v\n", r.Pipeline, r.Verdict)
	if held := r.Verdict.held(); held != "" {
		text += "held by " + held + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// shownHolders is how many of those who held memory are told by name.
const shownHolders = 6

// held says who held the memory that ran out: the greatest by name, and what the others held together.
func (v Verdict) held() string {
	var words []string
	var rest int64
	for i, h := range v.Holders {
		if i < shownHolders {
			words = append(words, fmt.Sprintf("%s (%s)", h.Who, budget.FormatBytes(h.Bytes)))
		} else {
			rest += h.Bytes
		}
	}
	if more := len(v.Holders) - shownHolders; more > 0 {
		words = append(words, fmt.Sprintf("%d more (%s)", more, budget.FormatBytes(rest)))
	}
	return strings.Join(words, ", ")
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
		table.Add(s.row()...)
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return table.Write(w)
}

// row is a stage's line in tables: name, bodies, seconds of one, how busy its workers were, what it waited for most.
func (s StageResult) row() []string {
	waits := ""
	if len(s.Blocked) > 0 {
		most := s.Blocked[0]
		waits = fmt.Sprintf("%s (%s)", strings.TrimSpace(most.Kind+" "+most.On), shortSeconds(most.Seconds))
	}
	return []string{s.Name, fmt.Sprint(s.Bodies), threeDigits(s.BodySeconds), fmt.Sprintf("%.0f %%", 100*s.Utilisation), waits}
}

// shortSeconds gives seconds as a table has room for: whole ones, or of a short time two digits.
func shortSeconds(s float64) string {
	if s >= 10 {
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.2g s", s)
}

// threeDigits gives a number to three digits without an exponent: 0.0000438.
func threeDigits(x float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		rounded = x
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
