// Package witness computes the witness of a circuit from its inputs with the WebAssembly module that circom 2 makes.
// Compile a module once, then Calculate for every set of inputs, from several goroutines if need be.
//
// Modules are not trusted: they see no file, no clock and no network, what they take is known before they are compiled (see
// Inspect), and they end with their context.
package witness

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// ErrModule is wrapped when a module is none of circom 2's.
var ErrModule = errors.New("not a witness generator of circom 2")

const pageSize = 64 << 10

// Options of a calculator. The zero value is usable.
type Options struct {
	// Log receives what the circuit's log() prints, a line at a time. Nil drops it.
	Log func(line string)
}

// Calculator is a compiled module. Close it.
type Calculator struct {
	options  Options
	need     Need
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// features are those that modules of circom, and of optimizers that rewrite them, may use. Tables cannot grow without
// reference types.
const features = api.CoreFeaturesV2 &^ (api.CoreFeatureReferenceTypes | api.CoreFeatureSIMD)

// Compile compiles a module; none of it runs. It takes as much heap as Inspect says, which the Calculator keeps until Close.
func Compile(ctx context.Context, wasm []byte, o Options) (*Calculator, error) {
	m, err := inspect(wasm)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithCoreFeatures(features)
	c := &Calculator{options: o, need: m.need(), runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err := c.compile(ctx, bytes.Join(m.sections, nil)); err != nil {
		c.runtime.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return c, nil
}

// Close frees the compiled code. No calculation may be under way.
func (c *Calculator) Close() error { return c.runtime.Close(context.Background()) }

// Need is what the module takes.
func (c *Calculator) Need() Need { return c.need }

func (c *Calculator) compile(ctx context.Context, wasm []byte) (err error) {
	if c.compiled, err = c.runtime.CompileModule(ctx, wasm); err != nil {
		return fmt.Errorf("%w: %w", ErrModule, err)
	}
	if err := c.checkExports(); err != nil {
		return err
	}
	if err := addRuntime(ctx, c.runtime); err != nil {
		return fmt.Errorf("%w: %w", ErrModule, err)
	}
	return nil
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

// Sizes are what a module says of its circuit.
type Sizes struct {
	Curve  curve.ID // over whose scalar field the circuit computes
	Length int      // wires: a witness has Length·32 bytes
	Inputs int      // input signals, arrays counted by their elements
}

// Sizes asks the module for its circuit's sizes. memory is as for Calculate.
func (c *Calculator) Sizes(ctx context.Context, memory []byte) (Sizes, error) {
	r, err := c.start(ctx, memory)
	if err != nil {
		return Sizes{}, err
	}
	defer r.close(ctx)
	return r.sizes()
}

func (r *run) sizes() (s Sizes, err error) {
	limbs, length, inputs := r.number("getFieldNumLen32"), r.number("getWitnessSize"), r.number("getInputSize")
	r.call("getRawPrime")
	modulus := r.shared()
	switch {
	case r.ctx.Err() != nil:
		return s, r.ctx.Err()
	case r.err != nil:
		return s, fmt.Errorf("%w: %w", ErrModule, r.err)
	case limbs*4 != curve.ScalarSize:
		return s, fmt.Errorf("%w: its field elements have %d bytes", ErrModule, limbs*4)
	case length < 1:
		return s, fmt.Errorf("%w: its witness has %d wires", ErrModule, length)
	}
	s.Length, s.Inputs = int(length), int(inputs)
	s.Curve, err = curve.FromScalarModulus(modulus)
	return s, err
}
