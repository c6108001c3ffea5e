package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/plan"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/witness"
	"github.com/proofgraph/proofgraph/stages"
)

// The exit codes of all commands.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInvalid     = 3
	exitTooLarge    = 4
	exitStalled     = 5
	exitNotVerified = 6
	exitInterrupted = 130
)

const exitCodeHelp = `Exit codes: 0 done, 1 failed, 2 usage, 3 invalid pipeline or input, 4 cannot fit in memory, 5 stalled,
6 a proof did not verify, 130 interrupted.`

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// invalidInput is an input that a command itself finds invalid.
type invalidInput struct{ error }

func (e invalidInput) Unwrap() error { return e.error }

// alreadySaid is an error that the command has told the user of.
type alreadySaid struct{ error }

func (e alreadySaid) Unwrap() error { return e.error }

// errInterrupted is the cause of a run that a signal ended.
var errInterrupted = errors.New("interrupted")

// invalid lists the errors that speak of an input.
var invalid = []error{
	binfile.ErrMalformed, binfile.ErrChanged, snarkjson.ErrMalformed, curve.ErrUnknown, groth16.ErrWitness, groth16.ErrPublicInput,
	groth16.ErrVerifyingKey, groth16.ErrProvingKey, witness.ErrModule, witness.ErrInput, stages.ErrMismatch,
	cuda.ErrCoefficients,
}

// exitCode gives the code of the gravest thing that an error says.
func exitCode(err error) int {
	var usage usageError
	var refusal *sched.Refusal
	var over *budget.OverBudgetError
	var pipeline spec.Errors
	var input invalidInput
	var nothing *plan.NothingFits
	var circuit *witness.CircuitError
	var noMemory noMemoryLeft
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage), strings.HasPrefix(err.Error(), "unknown command"):
		return exitUsage
	case errors.Is(err, run.ErrStalled):
		return exitStalled
	case errors.As(err, &refusal), errors.As(err, &over), errors.As(err, &nothing), errors.As(err, &noMemory),
		errors.Is(err, errNotThrough):
		return exitTooLarge
	case errors.Is(err, groth16.ErrInvalidProof), errors.Is(err, stages.ErrUnsatisfied):
		return exitNotVerified
	case errors.As(err, &pipeline), errors.As(err, &input), errors.As(err, &circuit), isAny(err, invalid), missing(err) != nil:
		return exitInvalid
	}
	return exitFailed
}

func isAny(err error, targets []error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
