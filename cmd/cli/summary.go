package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// summary writes the closing tables: stages, memory, and the rate. Where nothing was proved there is nothing to tell.
func (a *App) summary(bench *workbench, report run.Report, proofs, failed int) error {
	if proofs == 0 {
		return nil
	}
	if err := a.stageTable(report).Write(a.Stderr); err != nil {
		return err
	}
	fmt.Fprintln(a.Stderr)
	if err := a.memoryTable(report).Write(a.Stderr); err != nil {
		return err
	}
	if err := closingLine(a.Stderr, report, proofs, failed); err != nil {
		return err
	}
	summarizeGPUs(a.Stderr, bench.failedGPUs(report))
	return nil
}

func closingLine(to io.Writer, report run.Report, proofs, failed int) error {
	what := "proofs"
	if proofs == 1 {
		what = "proof"
	}
	seconds := report.Wall.Seconds()
	line := fmt.Sprintf("\n%d %s in %.2f s, %.2f a second", proofs, what, seconds, float64(proofs)/seconds)
	if failed > 0 {
		line += fmt.Sprintf("; %d failed", failed)
	}
	_, err := fmt.Fprintln(to, line)
	return err
}

func (a *App) stageTable(report run.Report) *render.Table {
	t := &render.Table{
		Columns: []render.Column{
			{Title: "stage"}, {Title: "done", Right: true}, {Title: "failed", Right: true}, {Title: "busy s", Right: true},
			{Title: "s each", Right: true}, {Title: "waited s", Right: true}, {Title: "most for"},
		},
		Color: render.ColorAllowed(a.Terminal, a.Getenv),
	}
	for _, s := range report.Stages {
		waited, longest := waits(s)
		t.Add(s.Name, fmt.Sprint(s.Finished), fmt.Sprint(s.Failed), seconds(s.Busy), each(s), seconds(waited), longest)
	}
	return t
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }

func each(s run.StageReport) string {
	if n := s.Finished + s.Failed; n > 0 {
		return fmt.Sprintf("%.3f", s.Busy.Seconds()/float64(n))
	}
	return "-"
}

// waits adds up the time during which a stage could start no body though a worker was free, and names the reason that
// held longest.
func waits(s run.StageReport) (total time.Duration, longest string) {
	reasons := slices.Clone(s.Blocked)
	reasons = slices.DeleteFunc(reasons, func(b run.Blocked) bool { return b.Kind == sched.BlockedWorkers })
	slices.SortStableFunc(reasons, func(a, b run.Blocked) int { return int(b.Time - a.Time) })
	for i, r := range reasons {
		total += r.Time
		if i == 0 {
			longest = strings.TrimSpace(fmt.Sprintf("%v %s", r.Kind, r.On))
		}
	}
	return total, longest
}

// poolsHere gives the pools of memory that this machine has: those of devices have no bytes elsewhere.
func poolsHere(report run.Report) []budget.PoolUse {
	return slices.DeleteFunc(slices.Clone(report.Memory.Pools), func(p budget.PoolUse) bool { return p.Limit == 0 })
}

func (a *App) memoryTable(report run.Report) *render.Table {
	t := &render.Table{
		Columns: []render.Column{
			{Title: "pool"}, {Title: "class"}, {Title: "leases", Right: true}, {Title: "peak", Right: true},
			{Title: "limit", Right: true},
		},
		Color: render.ColorAllowed(a.Terminal, a.Getenv),
	}
	for _, p := range poolsHere(report) {
		limit := "none"
		if p.Limit >= 0 {
			limit = budget.FormatBytes(p.Limit)
		}
		t.Add(p.Name, "", fmt.Sprint(p.Leases), budget.FormatBytes(p.HighWater), limit)
		for _, c := range p.Classes {
			if c.Leases > 0 {
				t.Add("", c.Name, fmt.Sprint(c.Leases), budget.FormatBytes(c.HighWater), "")
			}
		}
	}
	return t
}
