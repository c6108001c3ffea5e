package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reugn/go-streams"
	"github.com/spf13/pflag"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// runFlags are those of every command that runs a pipeline.
type runFlags struct {
	json, quiet bool
	stall       time.Duration
	metrics     string
}

func (f *runFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.json, "json", false, "print results and report as JSON on stdout")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress and no closing table")
	flags.DurationVar(&f.stall, "stall", 30*time.Minute, "give up when no stage body ends for so long (exit code 5); 0 never")
	flags.StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics and pprof on this loopback `address` (127.0.0.1:9090)")
}

// check refuses what is wrong with the flags, before any work.
func (f *runFlags) check() error { return checkLoopback(f.metrics) }

// fits refuses jobs that could never fit, before any work, with the least that would do.
func fits(prog *program.Program, jobs []*run.Job) error {
	for _, job := range jobs {
		for i := range job.Items {
			shape, err := prog.Shape(&job.Items[i])
			if err != nil {
				return invalidInput{fmt.Errorf("%s: %w", job.ID, err)}
			}
			if shape.Refusal != nil {
				return tooLarge(prog, job.ID, shape)
			}
		}
	}
	return nil
}

// tooLargeError is a refusal with what would do.
type tooLargeError struct {
	refusal *sched.Refusal
	text    string
}

func (e tooLargeError) Error() string { return e.text }
func (e tooLargeError) Unwrap() error { return e.refusal }

// tooLarge says what one proof needs of the pool or edge that is too small for it.
func tooLarge(prog *program.Program, id string, shape *program.Shape) error {
	var refusal *sched.Refusal
	if !errors.As(shape.Refusal, &refusal) {
		return shape.Refusal
	}
	text := fmt.Sprintf("%s cannot fit: %s has %s, and one proof needs %s", id, refusal.Where,
		budget.FormatBytes(refusal.Limit), budget.FormatBytes(refusal.Needed))
	if pool := prog.SharedBy(refusal); pool >= 0 {
		text += "; " + leastThatWouldDo(prog, shape, pool)
	} else {
		text += "; give that edge more bytes in the pipeline"
	}
	return tooLargeError{refusal, text}
}

func leastThatWouldDo(prog *program.Program, shape *program.Shape, pool int) string {
	least := (prog.Least(shape.Sched)[pool] + 1023) / 1024
	if prog.Graph.Pools[pool].Name == "host" {
		return fmt.Sprintf("the least that would do is --memory %dKiB", least)
	}
	return fmt.Sprintf("the least that would do is %d KiB", least)
}

// proveAll runs a program over a source of jobs, tells of each result as it comes, and closes with the tables.
func (a *App) proveAll(ctx context.Context, prog *program.Program, f *runFlags, source streams.Source) error {
	s, err := a.newSession(ctx, prog, f)
	if err != nil {
		return err
	}
	t := &tally{app: a, json: f.json, quiet: f.quiet}
	report, err := s.each(source, t.take)
	if err != nil {
		return err
	}
	if f.json {
		err = printJSON(a.Stdout, documentOfReport(report, t.documents))
	} else if !f.quiet {
		err = a.summary(report, t.proofs, t.failed)
	}
	return errors.Join(err, t.verdict(ctx))
}

// tally counts results and keeps the gravest error.
type tally struct {
	app            *App
	json, quiet    bool
	proofs, failed int
	interrupted    int
	documents      []resultDocument
	first          error
}

func (t *tally) take(r *run.Result) {
	if t.json {
		t.documents = append(t.documents, documentOf(r))
	}
	if r.Err == nil {
		t.proofs++
		return
	}
	t.failed++
	if errors.Is(r.Err, errInterrupted) {
		t.interrupted++
		return
	}
	if t.first == nil {
		t.first = r.Err
	}
	fmt.Fprintln(t.app.Stderr, complain(r.Err))
}

// verdict is the first failure, which has been told, or an interruption.
func (t *tally) verdict(ctx context.Context) error {
	select {
	case <-draining(ctx):
		return fmt.Errorf("%w: %d proofs were made, %d given up", errInterrupted, t.proofs, t.interrupted)
	default:
	}
	if t.first != nil {
		return alreadySaid{t.first}
	}
	return nil
}
