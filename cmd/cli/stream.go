package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
)

// stream runs a program over lines of jobs and prints a line of JSON for every job as it ends.
func (a *App) stream(ctx context.Context, bench *workbench, prog *program.Program, f *runFlags, lines io.Reader) error {
	s, err := a.newSession(ctx, bench, prog, f, 0)
	if err != nil {
		return err
	}
	source := newJobSource(ctx, bench, prog)
	defer source.stop()
	source.begin(lines, s.messages())
	t := &tally{stderr: a.Stderr, messages: s.messages()}
	var mu sync.Mutex
	answer := func(r *run.Result) {
		mu.Lock()
		defer mu.Unlock()
		t.take(r)
		line, err := json.Marshal(documentOf(r))
		if err == nil {
			_, err = fmt.Fprintf(a.Stdout, "%s\n", line)
		}
		if err != nil {
			t.note(err)
		}
	}
	var unread sync.WaitGroup
	unread.Go(func() {
		for r := range source.failed {
			answer(r)
		}
	})
	report, err := s.each(ctx, source, func(r *run.Result) {
		source.outputs.ended(r) // first, so that whoever reads the answer can name the files of a failed job again
		answer(r)
	})
	source.stop()
	unread.Wait()
	switch {
	case err != nil:
	case f.json:
		err = json.NewEncoder(a.Stdout).Encode(documentOfReport(bench, report, nil))
	case f.quiet:
	case t.proofs+t.failed+t.interrupted == 0:
		fmt.Fprintln(a.Stderr, "proofgraph: there were no jobs")
	default:
		err = a.summary(bench, report, t.proofs, t.failed)
	}
	return errors.Join(err, t.verdict(ctx))
}
