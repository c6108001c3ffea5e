package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/reugn/go-streams"
	"github.com/spf13/pflag"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// runFlags are those of every command that runs a pipeline.
type runFlags struct {
	json, quiet bool
	stall       time.Duration
	metrics     string
	page, trace string
	profile     string
}

func (f *runFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.json, "json", false, "print results and report as JSON on stdout")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress and no closing table")
	flags.DurationVar(&f.stall, "stall", 30*time.Minute, "give up when no stage body ends for so long (exit code 5); 0 never")
	flags.StringVar(&f.page, "html", "", "write a page with a Gantt chart and bytes over time to this `file`")
	flags.StringVar(&f.trace, "trace", "", "write a trace for Perfetto to this `file`")
	flags.StringVar(&f.profile, "record-profile", "", "write what stages cost on this machine to this `file`, for simulate and plan")
	flags.StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics and pprof on this loopback `address` (127.0.0.1:9090)")
}

// check refuses what is wrong with the flags, before any work.
func (f *runFlags) check() error { return checkLoopback(f.metrics) }

// fits refuses jobs that could never fit, before any work, with the least that would do.
func fits(bench *workbench, prog *program.Program, jobs []*run.Job) error {
	for _, job := range jobs {
		for i := range job.Items {
			shape, err := prog.Shape(&job.Items[i])
			if err != nil {
				return invalidInput{fmt.Errorf("%s: %w", job.ID, err)}
			}
			if shape.Refusal != nil {
				return tooLarge(bench, prog, job.ID, shape)
			}
		}
	}
	return nil
}

// notesOf says which stages do without memory that is too small for them; what is told of several jobs is told once.
func notesOf(prog *program.Program, jobs []*run.Job) []string {
	var notes []string
	for _, job := range jobs {
		for i := range job.Items {
			shape, err := prog.Shape(&job.Items[i])
			if err != nil {
				continue // which is told with the job
			}
			for _, note := range prog.Notes(shape) {
				if !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
	}
	return notes
}

// tooLarge says what one proof needs of the pool or edge that is too small for it.
func tooLarge(bench *workbench, prog *program.Program, id string, shape *program.Shape) error {
	var refusal *sched.Refusal
	if !errors.As(shape.Refusal, &refusal) {
		return shape.Refusal
	}
	return &tooLargeError{id: id, refusal: refusal, least: leastHint(bench, prog, shape)}
}

// leastHint says how much would do: of the pools that are too small, or else of the edge.
func leastHint(bench *workbench, prog *program.Program, shape *program.Shape) string {
	var hints []string
	needs := prog.Least(shape)
	for i, least := range needs {
		pool := prog.Graph.Pools[i]
		if pool.Limit < 0 || least <= pool.Limit {
			continue
		}
		hint := fmt.Sprintf("the least that would do for pool %s is %d bytes (%s)", pool.Name, least, budget.FormatBytes(least))
		switch {
		case pool.Name == hostPool, prog.Pools[i].Memory == budget.Pinned && prog.Spec.Pools[prog.Pools[i].Spec].Limit.Auto:
			hint += hostHint(bench, prog, needs)
		case prog.Pools[i].Memory == budget.Device:
			hint += deviceHint(prog, i)
		}
		hints = append(hints, hint)
	}
	if len(hints) == 0 {
		return "give that edge more bytes" + edgePlace(prog, shape)
	}
	return strings.Join(hints, "; ")
}

// edgePlace says where the edge stands that an item cannot pass.
func edgePlace(prog *program.Program, shape *program.Shape) string {
	var refusal *sched.Refusal
	if !errors.As(shape.Refusal, &refusal) || refusal.Edge < 0 {
		return ""
	}
	return fmt.Sprintf(", in line %d of %s", prog.Spec.Edges[refusal.Edge].Pos.Line, prog.Spec.File)
}

// hostHint says how much memory of the host would do, for the pool of that name and, where there is pinned memory, for both.
func hostHint(bench *workbench, prog *program.Program, needs []int64) string {
	wanted, divided := map[string]int64{}, false
	for i, pool := range prog.Pools {
		switch {
		case pool.Name == hostPool:
			wanted[hostPool] = needs[i]
		case pool.Memory == budget.Pinned && pool.Limit > 0:
			divided = true
			if prog.Spec.Pools[pool.Spec].Limit.Auto {
				wanted[pool.Name] = needs[i]
			}
		}
	}
	total := wanted[hostPool]
	if divided {
		total = leastTotal(prog.Spec, wanted)
	}
	if total > bench.hostMost {
		return fmt.Sprintf(", and here a run can have %s; doctor says why", budget.FormatBytes(bench.hostMost))
	}
	if !divided {
		return fmt.Sprintf(": --memory %dKiB", (wanted[hostPool]+1023)/1024)
	}
	return fmt.Sprintf(": --memory %dKiB, of which a part is pinned", total>>10)
}

// deviceHint says what is not in the limit of a pool of a device's memory.
func deviceHint(prog *program.Program, pool int) string {
	spec := prog.Spec.Pools[prog.Pools[pool].Spec]
	if !spec.Limit.Auto {
		return ""
	}
	return fmt.Sprintf(", beside a margin of %s; --pipeline %s leaves to the CPU what a GPU has no memory for",
		budget.FormatBytes(spec.Margin), pipelines.Default)
}

// tooLargeError is a refusal as the user reads it.
type tooLargeError struct {
	id      string
	refusal *sched.Refusal
	least   string
}

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("%s cannot fit: %s has %s and one proof needs %s; %s", e.id, e.refusal.Where,
		budget.FormatBytes(e.refusal.Limit), budget.FormatBytes(e.refusal.Needed), e.least)
}

func (e *tooLargeError) Unwrap() error { return e.refusal }

// proveAll runs a program over a source of so many jobs, tells of each result as it comes, and closes with the tables.
func (a *App) proveAll(ctx context.Context, bench *workbench, prog *program.Program, f *runFlags, source streams.Source, expected int) error {
	s, err := a.newSession(ctx, bench, prog, f, expected)
	if err != nil {
		return err
	}
	t := &tally{stderr: a.Stderr, messages: s.messages(), json: f.json}
	report, err := s.each(ctx, source, t.take)
	if err != nil {
		return err
	}
	if f.json {
		err = printJSON(a.Stdout, documentOfReport(bench, report, t.documents))
	} else if !f.quiet {
		err = a.summary(bench, report, t.proofs, t.failed)
	}
	return errors.Join(err, t.verdict(ctx))
}

// tally counts results and keeps the gravest error.
type tally struct {
	stderr                      io.Writer
	messages                    io.Writer // stderr while the run goes on
	json                        bool
	proofs, failed, interrupted int
	documents                   []resultDocument
	gravest                     error
}

func (t *tally) take(r *run.Result) {
	if t.json {
		t.documents = append(t.documents, documentOf(r))
	}
	if r.Err == nil {
		t.proofs++
		return
	}
	if errors.Is(r.Err, errInterrupted) {
		t.interrupted++
		return
	}
	if errors.Is(r.Err, run.ErrStalled) { // the run's own error, which is told once
		t.failed++
		return
	}
	t.failed++
	t.note(r.Err)
	fmt.Fprintln(t.messages, complain(r.Err))
	if errors.Is(r.Err, groth16.ErrInvalidProof) {
		fmt.Fprintln(t.messages, "  hint: does the witness satisfy the circuit? Given its .r1cs, this tells the constraint that fails")
	}
}

// note keeps the error of the highest exit code.
func (t *tally) note(err error) {
	if t.gravest == nil || exitCode(err) > exitCode(t.gravest) {
		t.gravest = err
	}
}

// verdict is the gravest failure, which has been told, or an interruption.
func (t *tally) verdict(ctx context.Context) error {
	select {
	case <-draining(ctx):
		fmt.Fprintf(t.stderr, "proofgraph: interrupted after %d proofs; %d jobs were taken and not done\n", t.proofs, t.interrupted)
		return alreadySaid{errInterrupted}
	default:
	}
	if t.gravest != nil {
		return alreadySaid{t.gravest}
	}
	return nil
}
