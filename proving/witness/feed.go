package witness

import (
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// feed sets a circuit's input signals as their values come; the last one makes the circuit run. It says by name what does not
// fit.
type feed struct {
	run     *run
	modulus *big.Int
	wanted  int // values of all inputs
	given   int
	reduced big.Int

	// of the input that values come for
	name      string
	hash      []uint64
	size, got int
}

// set sets the next value of an input, reduced modulo r.
func (f *feed) set(name string, x *big.Int) error {
	if f.hash == nil || name != f.name {
		if err := f.begin(name); err != nil {
			return err
		}
	}
	if f.got == f.size {
		return badInput("input %q has more values than the %d that the circuit wants", name, f.size)
	}
	shared := f.run.shared()
	if f.run.err == nil {
		curve.PutLittleEndian(shared, f.reduced.Mod(x, f.modulus))
	}
	f.run.call("setInputSignal", f.hash[0], f.hash[1], uint64(f.got))
	f.got, f.given = f.got+1, f.given+1
	return f.run.err
}

func (f *feed) begin(name string) error {
	if err := f.complete(); err != nil {
		return err
	}
	f.name, f.hash, f.got = name, hash(name), 0
	f.size = int(f.run.number("getInputSignalSize", f.hash...))
	if f.run.err == nil && f.size <= 0 {
		return badInput("the circuit has no input %q", name)
	}
	return f.run.err
}

// complete says whether the input that values came for has all of them.
func (f *feed) complete() error {
	if f.hash != nil && f.got < f.size {
		return badInput("input %q has %d values, and the circuit wants %d", f.name, f.got, f.size)
	}
	return nil
}

// end says whether the circuit has all its inputs.
func (f *feed) end() error {
	if err := f.complete(); err != nil {
		return err
	}
	if f.given < f.wanted {
		return badInput("inputs are missing: %d values are given and the circuit wants %d", f.given, f.wanted)
	}
	return nil
}
