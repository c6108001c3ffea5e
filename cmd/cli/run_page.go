package cli

import (
	"fmt"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// pageOf shows a run as simulations are shown.
func pageOf(prog *program.Program, t *timeline.Timeline, report run.Report) *timeline.Page {
	name := prog.Spec.Name
	for i, pool := range report.Memory.Pools {
		t.Pools[i].Peak = pool.HighWater
	}
	jobs := map[string]bool{}
	for _, s := range t.Spans {
		jobs[s.Job] = true
	}
	section := timeline.Section{
		Heading: name, Timeline: t, Facts: factsOf(len(jobs), report), Tables: []timeline.Table{stagesOf(report)},
		Lead: fmt.Sprintf("A run of pipeline %s on this machine, by version %s, that ended on %s; measured, not simulated.", name, version(),
			time.Now().Format("2 January 2006 at 15:04 MST")),
	}
	return &timeline.Page{Title: name + ", a run", Sections: []timeline.Section{section}}
}

func factsOf(jobs int, report run.Report) []timeline.Fact {
	wall := report.Wall.Seconds()
	facts := []timeline.Fact{
		{Name: "jobs", Value: fmt.Sprint(jobs)}, {Name: "seconds", Value: fmt.Sprintf("%.2f", wall)},
		{Name: "seconds a job", Value: fmt.Sprintf("%.3g", wall/float64(max(jobs, 1)))},
	}
	failed := 0
	for _, s := range report.Stages {
		failed += int(s.Failed)
	}
	if failed > 0 {
		facts = append(facts, timeline.Fact{Name: "bodies that failed", Value: fmt.Sprint(failed), Grave: true})
	}
	for _, p := range poolsHere(report) {
		facts = append(facts, timeline.Fact{Name: "peak in " + p.Name, Value: budget.FormatBytes(p.HighWater)})
	}
	return facts
}

func stagesOf(report run.Report) timeline.Table {
	t := timeline.Table{
		Columns: []string{"stage", "done", "failed", "busy s", "seconds each", "waited s", "most for"}, Words: []int{6},
	}
	for _, s := range report.Stages {
		waited, longest := waits(s)
		t.Rows = append(t.Rows, []string{s.Name, fmt.Sprint(s.Finished), fmt.Sprint(s.Failed), seconds(s.Busy), each(s), seconds(waited), longest})
	}
	return t
}
