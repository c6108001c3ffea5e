package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// progress draws, on a terminal, how many jobs have ended and what every stage does or waits for. A nil progress draws
// nothing.
type progress struct {
	container *mpb.Progress
	total     *mpb.Bar
	expected  int64 // jobs; 0 where nobody knows
	stages    []*mpb.Bar
	jobs      atomic.Int64
}

// refresh is how often the drawing is made anew.
const refresh = 150 * time.Millisecond

// A glance is a report that all bars of one drawing share.
type glance struct {
	report func() run.Report
	mu     sync.Mutex
	made   time.Time
	last   run.Report
}

func (g *glance) at() run.Report {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := time.Now(); now.Sub(g.made) > refresh/2 {
		g.last, g.made = g.report(), now
	}
	return g.last
}

// newProgress draws the run of a pipeline that is to get so many jobs; 0 says that nobody knows.
func newProgress(a *App, pipeline *run.Pipeline, expected int) *progress {
	p := &progress{
		expected:  int64(expected),
		container: mpb.New(mpb.WithOutput(a.Stderr), mpb.WithWidth(32), mpb.WithRefreshRate(refresh)),
	}
	look := &glance{report: pipeline.Report}
	for i, s := range look.at().Stages {
		state := decor.Any(func(decor.Statistics) string { return stageState(look.at().Stages[i]) })
		name := decor.Name(s.Name, decor.WC{W: 14, C: decor.DindentRight})
		p.stages = append(p.stages, p.container.New(0, mpb.NopStyle(), mpb.PrependDecorators(name, state)))
	}
	name := decor.Name("proofs", decor.WC{W: 14, C: decor.DindentRight})
	if expected == 0 {
		p.total = p.container.New(0, mpb.NopStyle(), mpb.PrependDecorators(name, decor.CurrentNoUnit("%d ")))
	} else {
		p.total = p.container.AddBar(p.expected, mpb.PrependDecorators(name, decor.CountersNoUnit("%d of %d ")))
	}
	return p
}

// stageState is a line such as "3 done, 1 at work" or "3 done, waits for memory host".
func stageState(s run.StageReport) string {
	working := s.Started - s.Finished - s.Failed
	state := fmt.Sprintf("%d done", s.Finished)
	if working > 0 {
		state += fmt.Sprintf(", %d at work", working)
	}
	if s.Now.Kind != sched.NotBlocked && (working == 0 || s.Now.Kind != sched.BlockedWorkers) {
		state += ", waits for " + strings.TrimSpace(fmt.Sprintf("%v %s", s.Now.Kind, s.Now.On))
	}
	return state
}

// ended counts a job that has ended.
func (p *progress) ended(*run.Result) {
	if p != nil {
		p.total.SetTotal(max(p.jobs.Add(1), p.expected), false)
		p.total.Increment()
	}
}

// above gives where messages are written: above the drawing, while there is one.
func (p *progress) above(stderr io.Writer) io.Writer {
	if p == nil {
		return stderr
	}
	return aboveBars{p.container, stderr}
}

type aboveBars struct {
	bars   *mpb.Progress
	stderr io.Writer
}

func (a aboveBars) Write(text []byte) (int, error) {
	if n, err := a.bars.Write(text); err == nil {
		return n, nil
	}
	return a.stderr.Write(text)
}

// stop takes the drawing away.
func (p *progress) stop() {
	if p == nil {
		return
	}
	for _, bar := range append(p.stages, p.total) {
		bar.Abort(true)
	}
	p.container.Wait()
}
