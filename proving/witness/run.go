package witness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// CircuitError is a failure of the circuit's own: an assertion that does not hold, an input that is not there.
type CircuitError struct {
	Code    int    // circom's exception code
	Message string // what the circuit printed: the template and line of the assertion
}

var exceptions = [...]string{
	1: "signal not found", 2: "too many signals set", 3: "signal already set", 4: "assert failed",
	5: "not enough memory", 6: "input signal array access exceeds the size", 7: "out of bounds array access",
}

func (e *CircuitError) Error() string {
	text := fmt.Sprintf("unknown error %d", e.Code)
	if e.Code > 0 && e.Code < len(exceptions) {
		text = exceptions[e.Code]
	}
	if e.Message == "" {
		return "circuit: " + text
	}
	return "circuit: " + text + ": " + e.Message
}

// run is one instance of a module. The first error of a call is kept, and calls after it do nothing.
type run struct {
	ctx      context.Context
	module   api.Module
	start    uint32 // of the element that module and host share
	message  strings.Builder
	line     strings.Builder
	log      func(string)
	circuit  *CircuitError
	err      error
	function map[string]api.Function
}

type runKey struct{}

// start makes an instance in the given memory.
func (c *Calculator) start(ctx context.Context, memory []byte) (*run, error) {
	if int64(len(memory)) < c.need.Memory {
		return nil, fmt.Errorf("%w: %d bytes for a module that takes %d", ErrOperand, len(memory), c.need.Memory)
	}
	clear(memory)
	r := &run{log: c.options.Log, function: map[string]api.Function{}}
	ctx = context.WithValue(ctx, runKey{}, r)
	lend := func(_, _ uint64) experimental.LinearMemory { return &lent{memory} }
	r.ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(lend))
	module, err := c.runtime.InstantiateModule(r.ctx, c.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	r.module = module
	r.start = uint32(r.number("getSharedRWMemoryStart"))
	return r, r.err
}

func (r *run) close(ctx context.Context) { r.module.Close(context.WithoutCancel(ctx)) }

// lent is memory that belongs to the caller. A module that would grow its own beyond it may not.
type lent struct{ memory []byte }

func (l *lent) Reallocate(size uint64) []byte {
	if size > uint64(len(l.memory)) {
		return nil
	}
	return l.memory[:size]
}

func (l *lent) Free() {}

// call calls an export and gives its results.
func (r *run) call(name string, args ...uint64) []uint64 {
	if r.err != nil {
		return nil
	}
	f := r.function[name]
	if f == nil {
		f = r.module.ExportedFunction(name)
		r.function[name] = f
	}
	results, err := f.Call(r.ctx, args...)
	r.err = r.explain(err)
	return results
}

// number calls an export without arguments that gives a number.
func (r *run) number(name string, args ...uint64) int32 {
	if results := r.call(name, args...); r.err == nil && len(results) == 1 {
		return api.DecodeI32(results[0])
	}
	return 0
}

// explain puts the circuit's own words, or the context's, in place of a trap.
func (r *run) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case r.circuit != nil:
		return r.circuit
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	}
	return fmt.Errorf("witness generator: %w", err)
}

// shared is the element that module and host exchange values in, a view of the module's memory: canonical and
// little-endian, like everything else.
func (r *run) shared() []byte {
	if r.err != nil {
		return nil
	}
	b, ok := r.module.Memory().Read(r.start, curve.ScalarSize)
	if !ok {
		r.err = errors.New("witness generator: the shared element lies outside the memory")
	}
	return b
}
