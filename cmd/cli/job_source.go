package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/reugn/go-streams"
	"github.com/reugn/go-streams/flow"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/stages"
)

var errNoJobs = errors.New("run wants --jobs, a file of JSON lines or - for stdin")

// maxLine bounds a line of jobs.
const maxLine = 1 << 20

// jobLine is one line of jobs.
type jobLine struct {
	ID       string `json:"id"`
	Zkey     string `json:"zkey"`
	Wtns     string `json:"wtns"`
	Wasm     string `json:"wasm"`
	Input    string `json:"input"`
	R1CS     string `json:"r1cs"`
	Proof    string `json:"proof"`
	Public   string `json:"public"`
	Calldata string `json:"calldata"`
	Priority int    `json:"priority"`
}

// jobSource is a go-streams Source of jobs, read from JSON lines. What is no job is answered at once, beside the pipeline.
type jobSource struct {
	out     chan any
	failed  chan *run.Result
	bench   *workbench
	prog    *program.Program
	outputs *outputs
	told    map[string]bool // notes
	ctx     context.Context
	stop    context.CancelFunc // ends the source, lines left or not
}

var _ streams.Source = (*jobSource)(nil)

func newJobSource(ctx context.Context, bench *workbench, prog *program.Program) *jobSource {
	s := &jobSource{
		out: make(chan any), failed: make(chan *run.Result), bench: bench, prog: prog, outputs: newOutputs(), told: map[string]bool{},
	}
	s.ctx, s.stop = context.WithCancel(ctx)
	return s
}

// begin reads lines from now on. What is to be told of jobs that are taken goes to messages.
func (s *jobSource) begin(lines io.Reader, messages io.Writer) { go s.read(lines, messages) }

// Out gives the jobs.
func (s *jobSource) Out() <-chan any { return s.out }

// Via passes the jobs on to a flow and gives that flow.
func (s *jobSource) Via(next streams.Flow) streams.Flow {
	flow.DoStream(s, next)
	return next
}

// read makes a job of every line, until the lines end or no new work should begin.
func (s *jobSource) read(lines io.Reader, messages io.Writer) {
	defer close(s.out)
	defer close(s.failed)
	next := linesOf(s.ctx, lines)
	for {
		select {
		case <-draining(s.ctx):
			return
		case <-s.ctx.Done():
			return
		case line, more := <-next:
			if !more || !s.take(line, messages) {
				return
			}
		}
	}
}

// line is a line of jobs, or why there is none.
type line struct {
	number int
	text   []byte
	err    error
}

// linesOf reads lines, empty ones left out. The goroutine that does outlives ctx while a read blocks, as one of a terminal
// may for ever.
func linesOf(ctx context.Context, from io.Reader) <-chan line {
	lines := make(chan line)
	send := func(l line) bool {
		select {
		case lines <- l:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(from)
		scanner.Buffer(make([]byte, 64<<10), maxLine)
		number := 1
		for ; scanner.Scan(); number++ {
			text := bytes.TrimSpace(scanner.Bytes())
			if len(text) > 0 && !send(line{number: number, text: bytes.Clone(text)}) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			send(line{number: number, err: err})
		}
	}()
	return lines
}

// take makes a job of a line and sends it on; it reports whether to go on.
func (s *jobSource) take(l line, messages io.Writer) bool {
	job, err := &run.Job{ID: fmt.Sprintf("line %d", l.number)}, l.err
	if err == nil {
		job, err = s.job(l.text, l.number)
	}
	if err != nil {
		s.failed <- &run.Result{Job: job, Err: invalidInput{fmt.Errorf("jobs, line %d: %w", l.number, err)}}
		return true
	}
	s.tell(job, messages)
	select {
	case s.out <- job:
		return true
	case <-draining(s.ctx):
	case <-s.ctx.Done():
	}
	return false
}

// tell tells which stages do without memory that is too small for a job, once for all jobs of which the same is to be told.
func (s *jobSource) tell(job *run.Job, messages io.Writer) {
	for _, note := range notesOf(s.prog, []*run.Job{job}) {
		if !s.told[note] {
			s.told[note] = true
			fmt.Fprintf(messages, "proofgraph: %s: %s\n", job.ID, note)
		}
	}
}

func (s *jobSource) job(line []byte, number int) (*run.Job, error) {
	l := jobLine{ID: fmt.Sprintf("line %d", number)}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&l)
	badID := checkID(l.ID)
	if badID != nil {
		l.ID = fmt.Sprintf("line %d", number)
	}
	named := &run.Job{ID: l.ID}
	if err != nil {
		return named, notAJob(err)
	}
	if decoder.More() {
		return named, errors.New("more than one job in the line")
	}
	if err := cmp.Or(badID, l.check()); err != nil {
		return named, err
	}
	p, err := l.payload()
	if err != nil {
		return named, err
	}
	job := jobOf(l.ID, l.Priority, p)
	if err := fits(s.bench, s.prog, []*run.Job{job}); err != nil {
		return job, err
	}
	return job, s.outputs.claim(l.ID, p)
}

// longestID bounds the name of a job, which tables, metrics and messages repeat.
const longestID = 256

func checkID(id string) error {
	if len(id) > longestID || harmless(id) != id || strings.ContainsAny(id, "\n\t") {
		return fmt.Errorf("an id has at most %d bytes, and characters that can be printed", longestID)
	}
	return nil
}

// notAJob wraps an error of the decoder; that of an unknown field alone has no type.
func notAJob(err error) error {
	if text, found := strings.CutPrefix(err.Error(), "json: unknown"); found {
		return fmt.Errorf("this is no job: unknown%s", text)
	}
	return fmt.Errorf("this is no job: %w", err)
}

func (l *jobLine) check() error {
	switch {
	case l.Zkey == "":
		return errors.New(`a job wants "zkey"`)
	case (l.Wtns == "") == (l.Wasm == ""):
		return errors.New(`a job wants either "wtns", or "wasm" and "input"`)
	case (l.Wasm == "") != (l.Input == ""):
		return errors.New(`"wasm" and "input" go together`)
	case l.Proof != "" && (l.Proof == l.Public || l.Proof == l.Calldata) || l.Public != "" && l.Public == l.Calldata:
		return errors.New("a job's outputs want different files")
	}
	return nil
}

func (l *jobLine) payload() (*stages.Payload, error) {
	key, err := stages.StatKey(l.Zkey)
	if err != nil {
		return nil, err
	}
	p := &stages.Payload{
		Key: key, Wtns: l.Wtns, Wasm: l.Wasm, Input: l.Input, R1CS: l.R1CS,
		Proof: l.Proof, Public: l.Public, Calldata: l.Calldata,
	}
	if l.Wasm != "" {
		p.Generator, err = stages.StatModule(l.Wasm)
	}
	return p, err
}
