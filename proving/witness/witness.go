// Package witness computes the witness of a circuit from its inputs with the WebAssembly module that circom 2 makes.
// Compile a module once, then Calculate for every set of inputs, from several goroutines if need be.
//
// Modules are not trusted: they see no file, no clock and no network, their memory is bounded, and they end with
// their context.
package witness

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// ErrModule is wrapped when a module is none of circom 2's.
var ErrModule = errors.New("not a witness generator of circom 2")

// DefaultMemory bounds a module's memory if Options do not: 2 GiB.
const DefaultMemory = 2 << 30

const pageSize = 64 << 10

// Options of a calculator. The zero value is usable.
type Options struct {
	// MemoryLimit is the most bytes of memory a module may ask for. 0 is DefaultMemory.
	MemoryLimit int64
	// Log receives what the circuit's log() prints, a line at a time. Nil drops it.
	Log func(line string)
}

// Calculator is a compiled module. Close it.
type Calculator struct {
	// Curve is the curve over whose scalar field the circuit computes.
	Curve curve.ID
	// Length is the number of wires: a witness has Length·32 bytes.
	Length int
	// Inputs is the number of input signals, arrays counted by their elements.
	Inputs int

	options  Options
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	memory   int64
}

// Compile compiles a module and asks it for the circuit's sizes.
func Compile(ctx context.Context, wasm []byte, o Options) (*Calculator, error) {
	if o.MemoryLimit <= 0 {
		o.MemoryLimit = DefaultMemory
	}
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(true).
		WithMemoryLimitPages(uint32(min(max(o.MemoryLimit/pageSize, 1), 1<<16)))
	c := &Calculator{options: o, runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err := c.compile(ctx, wasm); err != nil {
		c.runtime.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return c, nil
}

// Close frees the compiled code. No calculation may be under way.
func (c *Calculator) Close() error { return c.runtime.Close(context.Background()) }

// MemoryNeed is the size in bytes of the memory that a calculation starts with: what to pass to Calculate. circom's
// modules never grow theirs.
func (c *Calculator) MemoryNeed() int64 { return c.memory }

func (c *Calculator) compile(ctx context.Context, wasm []byte) (err error) {
	if c.compiled, err = c.runtime.CompileModule(ctx, wasm); err != nil {
		return fmt.Errorf("%w: %w", ErrModule, err)
	}
	for _, m := range c.compiled.ExportedMemories() {
		c.memory = max(c.memory, int64(m.Min())*pageSize)
	}
	if err := c.checkExports(); err != nil {
		return err
	}
	if err := addRuntime(ctx, c.runtime); err != nil {
		return fmt.Errorf("%w: %w", ErrModule, err)
	}
	r, err := c.start(ctx, nil)
	if err != nil {
		return err
	}
	defer r.close(ctx)
	return c.readSizes(r)
}

// signature of an export: how many 32-bit numbers it takes and gives.
type signature struct{ takes, gives int }

var exports = map[string]signature{
	"init": {1, 0}, "getSharedRWMemoryStart": {0, 1}, "getFieldNumLen32": {0, 1}, "getRawPrime": {0, 0},
	"getWitnessSize": {0, 1}, "getInputSize": {0, 1}, "getInputSignalSize": {2, 1}, "setInputSignal": {3, 0},
	"getWitness": {1, 0}, "getMessageChar": {0, 1},
}

func (c *Calculator) checkExports() error {
	have := c.compiled.ExportedFunctions()
	for name, want := range exports {
		f, ok := have[name]
		if !ok {
			return fmt.Errorf("%w: it has no function %s", ErrModule, name)
		}
		if !all32(f.ParamTypes(), want.takes) || !all32(f.ResultTypes(), want.gives) {
			return fmt.Errorf("%w: its function %s has another signature", ErrModule, name)
		}
	}
	if len(c.compiled.ExportedMemories()) == 0 {
		return fmt.Errorf("%w: it exports no memory", ErrModule)
	}
	return nil
}

func all32(types []api.ValueType, n int) bool {
	for _, t := range types {
		if t != api.ValueTypeI32 {
			return false
		}
	}
	return len(types) == n
}

func (c *Calculator) readSizes(r *run) error {
	limbs, length, inputs := r.number("getFieldNumLen32"), r.number("getWitnessSize"), r.number("getInputSize")
	r.call("getRawPrime")
	modulus := r.shared()
	if r.err != nil {
		return fmt.Errorf("%w: %w", ErrModule, r.err)
	}
	if limbs*4 != curve.ScalarSize {
		return fmt.Errorf("%w: its field elements have %d bytes", ErrModule, limbs*4)
	}
	id, err := curve.FromScalarModulus(modulus)
	if err != nil {
		return err
	}
	if length < 1 {
		return fmt.Errorf("%w: its witness has %d wires", ErrModule, length)
	}
	c.Curve, c.Length, c.Inputs = id, int(length), int(inputs)
	return nil
}
