package sim

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// HTML writes results as one page: what each came to, side by side where there are several, with its timeline, which must have
// been recorded, and what its stages waited for.
func HTML(w io.Writer, results ...*Result) error {
	var names []string
	page := timeline.Page{}
	for _, r := range results {
		if r.Timeline == nil && r.Verdict.Outcome != Refused {
			return errors.New("no timeline was recorded")
		}
		names = append(names, r.Pipeline)
		page.Sections = append(page.Sections, r.section())
	}
	page.Title = strings.Join(names, ", ") + ", simulated"
	if len(results) > 1 {
		page.Comparison = comparison(results)
	}
	return page.HTML(w)
}

// HTML writes the result as a page of its own.
func (r *Result) HTML(w io.Writer) error { return HTML(w, r) }

func (r *Result) section() timeline.Section {
	s := timeline.Section{Heading: r.Pipeline, Lead: r.lead(), Facts: r.facts()}
	if r.Verdict.Outcome == Refused {
		return s
	}
	s.Timeline = r.Timeline
	if held := r.Verdict.held(); held != "" {
		s.Facts = append(s.Facts, timeline.Fact{Name: "held by", Value: held})
	}
	stages := timeline.Table{Columns: []string{"stage", "bodies", "seconds each", "busy", "waits most for"}, Words: []int{4}}
	for _, stage := range r.Stages {
		stages.Rows = append(stages.Rows, stage.row())
	}
	s.Tables = []timeline.Table{stages}
	return s
}

// lead says what was simulated, and that it was.
func (r *Result) lead() string {
	return fmt.Sprintf("Nothing ran: this is pipeline %s in virtual time, with what profile %s says that stages cost; %s.", r.Pipeline, r.Profile, r.arrivals)
}

func comparison(results []*Result) *timeline.Table {
	t := &timeline.Table{
		Columns: []string{"pipeline", "verdict", "seconds a job", "in steady state", "median latency, s", "99th percentile", "items held", "peaks"},
		Words:   []int{1, 7},
	}
	for _, r := range results {
		t.Rows = append(t.Rows, r.row())
	}
	return t
}

// facts are the lines that head a result.
func (r *Result) facts() []timeline.Fact {
	facts := []timeline.Fact{{Name: "verdict", Value: r.Verdict.String(), Grave: r.Verdict.Outcome != Completed}}
	if r.Verdict.Outcome == Refused {
		return facts
	}
	if r.PerJob > 0 {
		facts = append(facts,
			timeline.Fact{Name: "seconds a job", Value: fmt.Sprintf("%.4g", r.PerJob)},
			timeline.Fact{Name: "in steady state", Value: fmt.Sprintf("%.4g", r.Steady)},
			timeline.Fact{Name: "latency, median and 99th percentile", Value: fmt.Sprintf("%.4g s, %.4g s", r.Latency.P50, r.Latency.P99)},
		)
	}
	for _, note := range r.Notes {
		facts = append(facts, timeline.Fact{Name: "note", Value: note})
	}
	facts = append(facts, timeline.Fact{Name: "most items held", Value: fmt.Sprint(r.MostHeld)})
	for _, p := range r.poolsHere() {
		facts = append(facts, timeline.Fact{Name: "peak in " + p.Name, Value: budget.FormatBytes(p.PeakResident)})
	}
	return facts
}
