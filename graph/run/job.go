package run

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A Job is what a pipeline is fed: one or more items that succeed or fail together.
type Job struct {
	ID       string
	Priority int // greater goes first
	Items    []stage.Item
}

// A Result is what a pipeline gives for a job, in the order in which jobs end.
type Result struct {
	Job *Job
	// Err is nil, or the first error of an item as a *StageError, a *sched.Refusal, or why the job was cancelled.
	Err error
	// Values has, for each item, the values of the small outputs that no edge takes, by "stage.port"; nil after an error.
	Values []map[string]any
}

// A StageError says at which stage an item failed.
type StageError struct {
	Stage string
	Job   string
	Item  int
	Err   error
}

// Error names the stage and the job.
func (e *StageError) Error() string {
	return fmt.Sprintf("job %s: stage %q: %v", e.Job, e.Stage, e.Err)
}

// Unwrap gives the body's error.
func (e *StageError) Unwrap() error { return e.Err }

// A PanicError is the panic of a stage body, which ends its job and not the process.
type PanicError struct {
	Value any
	Stack []byte
}

// Error gives the value that the body panicked with.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// jobRun is a job on its way.
type jobRun struct {
	*Result
	id    sched.JobID
	left  int  // items that have not ended
	begun bool // a body was started
}

func (j *jobRun) fail(err error) {
	if j.Err == nil {
		j.Err = err
	}
}
