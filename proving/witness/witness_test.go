package witness_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/witness"
	"github.com/proofgraph/proofgraph/proving/witness/witnesstest"
)

var ctx = context.Background()

func calculator(t testing.TB, id curve.ID, o witness.Options) *witness.Calculator {
	wasm, err := os.ReadFile(filepath.Join("..", "testdata", id.String(), "cells.wasm"))
	require.NoError(t, err)
	c, err := witness.Compile(ctx, wasm, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func goldenInputs(t testing.TB) witness.Inputs {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "input.json"))
	require.NoError(t, err)
	in, err := witness.ParseInputs(data)
	require.NoError(t, err)
	return in
}

func TestWitnessIsThatOfCircom(t *testing.T) {
	for _, id := range curve.All() {
		want, err := wtns.Open(filepath.Join("..", "testdata", id.String(), "cells.wtns"))
		require.NoError(t, err)
		c := calculator(t, id, witness.Options{})
		require.Equal(t, id, c.Curve)
		require.Equal(t, want.Length, c.Length)
		require.Equal(t, 15, c.Inputs)
		memory := make([]byte, c.MemoryNeed())
		for i := range memory {
			memory[i] = 0xaa
		}
		for _, m := range [][]byte{nil, memory, memory} {
			got := make([]byte, 32*c.Length)
			require.NoError(t, c.Calculate(ctx, goldenInputs(t), got, m))
			require.Equal(t, want.Values, got)
		}
	}
}

func TestCalculationsRunBesideEachOther(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	results := make(chan []byte)
	for range 4 {
		go func() {
			got := make([]byte, 32*c.Length)
			if c.Calculate(ctx, goldenInputs(t), got, nil) != nil {
				got = nil
			}
			results <- got
		}()
	}
	first := <-results
	require.NotNil(t, first)
	for range 3 {
		require.Equal(t, first, <-results)
	}
}

func TestInputsThatDoNotFit(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	for _, test := range []struct{ name, json, says string }{
		{"missing", `{"scale": 1}`, "inputs are missing: 1 values are given (scale: 1) and the circuit wants 15"},
		{"unknown", `{"shade": 1}`, `the circuit has no input "shade"`},
		{"too few", `{"bits": [1,2]}`, `input "bits" has 2 values, and the circuit wants 8`},
		{"too many", `{"scale": [1,2]}`, `input "scale" has 2 values, and the circuit wants 1`},
		{"none", `{}`, "inputs are missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, err := witness.ParseInputs([]byte(test.json))
			require.NoError(t, err)
			err = c.Calculate(ctx, in, make([]byte, 32*c.Length), nil)
			require.ErrorIs(t, err, witness.ErrInput)
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestFailedAssertionHasTheCircuitsWords(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	in := goldenInputs(t)
	in["bits"][3].SetInt64(2)
	err := c.Calculate(ctx, in, make([]byte, 32*c.Length), nil)
	var circuit *witness.CircuitError
	require.ErrorAs(t, err, &circuit)
	require.Equal(t, 4, circuit.Code)
	require.Contains(t, circuit.Message, "Cells")
}

func TestCancelledCalculationEnds(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, c.Calculate(cancelled, goldenInputs(t), make([]byte, 32*c.Length), nil), context.Canceled)
}

// endless is a module like circom's whose init never returns: (loop (br 0)).
func TestEndlessModuleEndsWithItsContext(t *testing.T) {
	c, err := witness.Compile(ctx, witnesstest.Endless(1), witness.Options{})
	require.NoError(t, err)
	defer c.Close()
	soon, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, c.Calculate(soon, witness.Inputs{}, make([]byte, 32*c.Length), nil), context.DeadlineExceeded)
}

func calculate(t *testing.T, wasm []byte) error {
	c, err := witness.Compile(ctx, wasm, witness.Options{})
	require.NoError(t, err)
	defer c.Close()
	return c.Calculate(ctx, witness.Inputs{}, make([]byte, 32*c.Length), nil)
}

func TestModuleWhoseWitnessIsNone(t *testing.T) {
	err := calculate(t, witnesstest.Module(1, nil, nil))
	require.ErrorIs(t, err, witness.ErrModule)
	require.ErrorContains(t, err, "constant 1")
}

// init prints 200 messages, each of as many characters as are read, and traps.
func TestModuleThatTalksWithoutEnd(t *testing.T) {
	talk := []byte{0x03, 0x40, // loop
		0x10, 0, // call printErrorMessage
		0x20, 0, 0x41, 1, 0x6a, 0x22, 0, // argument + 1, kept
		0x41, 0xc8, 1, 0x49, 0x0d, 0, // again if less than 200
		0x0b, 0x00}
	least := uint64(math.MaxUint64) // what else the process allocates meanwhile is counted too, and only adds
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.ErrorContains(t, calculate(t, witnesstest.Module(1, talk, []byte{0x41, 'x'})), "unreachable")
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	require.Less(t, least, uint64(16<<20), "bytes")
	t.Logf("%d bytes", least)
}

func TestModulesThatAreNoWitnessGenerators(t *testing.T) {
	for name, wasm := range map[string][]byte{
		"empty": {}, "text": []byte("hello"), "a module without exports": {0, 'a', 's', 'm', 1, 0, 0, 0},
	} {
		_, err := witness.Compile(ctx, wasm, witness.Options{})
		require.ErrorIs(t, err, witness.ErrModule, name)
	}
}

func TestModuleThatWantsTooMuchMemory(t *testing.T) {
	wasm, err := os.ReadFile(filepath.Join("..", "testdata", "bn254", "cells.wasm"))
	require.NoError(t, err)
	_, err = witness.Compile(ctx, wasm, witness.Options{MemoryLimit: 64 << 10})
	require.ErrorIs(t, err, witness.ErrModule)
	require.ErrorContains(t, err, "memory")
}

func TestMemoryOfTheCallerMustDo(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	dst := make([]byte, 32*c.Length)
	require.ErrorIs(t, c.Calculate(ctx, goldenInputs(t), dst[32:], nil), witness.ErrOperand)
	require.ErrorIs(t, c.Calculate(ctx, goldenInputs(t), dst, make([]byte, c.MemoryNeed()-1)), witness.ErrOperand)
}

func TestParseInputs(t *testing.T) {
	for _, test := range []struct{ name, json, want string }{
		{"numbers of all kinds", `{"a": 1, "b": "-2", "c": "0xff", "d": [["1", 2], [3, "4"]]}`, "a: 1, b: 1, c: 1, d: 4"},
		{"objects", `{"p": {"x": 1, "y": [2, 3]}}`, "p.x: 1, p.y: 2"},
		{"objects in arrays", `{"p": [{"x": 1}, {"x": 2}], "q": [[{"x": 1}], [{"x": [2, 3]}]]}`,
			"p[0].x: 1, p[1].x: 1, q[0][0].x: 1, q[1][0].x: 2"},
		{"an empty array", `{"a": []}`, "a: 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, err := witness.ParseInputs([]byte(test.json))
			require.NoError(t, err)
			require.Equal(t, test.want, in.String())
		})
	}
	for _, test := range []struct{ name, json, says string }{
		{"a fraction", `{"a": [1, 1.5]}`, `input "a": "1.5" is no whole number`},
		{"a word", `{"a": {"b": "two"}}`, `input "a.b": "two" is no whole number`},
		{"an empty string", `{"a": ""}`, `input "a": "" is no whole number`},
		{"an underscore", `{"a": "0x1_0"}`, `is no whole number`},
		{"null", `{"a": null}`, `input "a": null is no number`},
		{"a truth value", `{"a": true}`, `input "a": true is no number`},
		{"an array at the top", `[1]`, "cannot unmarshal"},
		{"null at the top", `null`, "no object"},
		{"arrays in arrays without end", `{"a": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "64 deep"},
		{"objects in objects without end", `{"a":` + strings.Repeat(`{"b":`, 100) + "1" + strings.Repeat("}", 100) + `}`, "64 deep"},
		{"a name without end", `{"` + strings.Repeat("a", 2000) + `": {"b": 1}}`, "1024 bytes"},
		{"two documents", `{} {}`, "follows"},
		{"no document", ``, "EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := witness.ParseInputs([]byte(test.json))
			require.ErrorIs(t, err, witness.ErrInput)
			require.ErrorContains(t, err, test.says)
		})
	}
}

func FuzzParseInputs(f *testing.F) {
	f.Add([]byte(`{"a": [1, "2", {"b": "0x3"}], "c": {"d": -4}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if in, err := witness.ParseInputs(data); err == nil {
			_ = in.String()
		}
	})
}
