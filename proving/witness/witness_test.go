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

func goldenInputs(t testing.TB) string {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "input.json"))
	require.NoError(t, err)
	return string(data)
}

// wires is the length of the golden circuit's witness.
const wires = 30

func calculateFrom(c *witness.Calculator, inputs string) ([]byte, error) {
	dst := make([]byte, 32*wires)
	return dst, c.Calculate(ctx, strings.NewReader(inputs), dst, make([]byte, c.Need().Memory))
}

func TestWitnessIsThatOfCircom(t *testing.T) {
	for _, id := range curve.All() {
		want, err := wtns.Open(filepath.Join("..", "testdata", id.String(), "cells.wtns"))
		require.NoError(t, err)
		c := calculator(t, id, witness.Options{})
		memory := make([]byte, c.Need().Memory)
		for i := range memory {
			memory[i] = 0xaa
		}
		sizes, err := c.Sizes(ctx, memory)
		require.NoError(t, err)
		require.Equal(t, witness.Sizes{Curve: id, Length: want.Length, Inputs: 15}, sizes)
		for range 2 {
			got := make([]byte, 32*sizes.Length)
			require.NoError(t, c.Calculate(ctx, strings.NewReader(goldenInputs(t)), got, memory))
			require.Equal(t, want.Values, got)
		}
	}
}

func TestCalculationsRunBesideEachOther(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	results := make(chan []byte)
	for range 4 {
		go func() {
			got, err := calculateFrom(c, goldenInputs(t))
			if err != nil {
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
		{"missing", `{"scale": 1}`, "inputs are missing: 1 values are given and the circuit wants 15"},
		{"unknown", `{"shade": 1}`, `the circuit has no input "shade"`},
		{"too few", `{"bits": [1,2]}`, `input "bits" has 2 values, and the circuit wants 8`},
		{"too many", `{"scale": [1,2]}`, `input "scale" has more values than the 1 that the circuit wants`},
		{"none", `{}`, "inputs are missing"},
		{"none in an array", `{"bits": []}`, "inputs are missing"},
		{"too few, and then others", `{"bits": [1,2], "scale": 1}`, `input "bits" has 2 values, and the circuit wants 8`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := calculateFrom(c, test.json)
			require.ErrorIs(t, err, witness.ErrInput)
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestFailedAssertionHasTheCircuitsWords(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	in := strings.Replace(goldenInputs(t), `"bits": [1, 0, 1, 1`, `"bits": [1, 0, 1, 2`, 1)
	_, err := calculateFrom(c, in)
	var circuit *witness.CircuitError
	require.ErrorAs(t, err, &circuit)
	require.Equal(t, 4, circuit.Code)
	require.Contains(t, circuit.Message, "Cells")
}

func TestCancelledCalculationEnds(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	memory := make([]byte, c.Need().Memory)
	err := c.Calculate(cancelled, strings.NewReader(goldenInputs(t)), make([]byte, 32*wires), memory)
	require.ErrorIs(t, err, context.Canceled)
}

// endless is a module like circom's whose init never returns: (loop (br 0)).
func TestEndlessModuleEndsWithItsContext(t *testing.T) {
	c, err := witness.Compile(ctx, witnesstest.Endless(1), witness.Options{})
	require.NoError(t, err)
	defer c.Close()
	soon, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	err = c.Calculate(soon, strings.NewReader("{}"), make([]byte, 32), make([]byte, c.Need().Memory))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func calculate(t *testing.T, wasm []byte) error {
	c, err := witness.Compile(ctx, wasm, witness.Options{})
	require.NoError(t, err)
	defer c.Close()
	return c.Calculate(ctx, strings.NewReader("{}"), make([]byte, 32), make([]byte, c.Need().Memory))
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

func TestMemoryOfTheCallerMustDo(t *testing.T) {
	c := calculator(t, curve.BN254, witness.Options{})
	inputs, memory := strings.NewReader(goldenInputs(t)), make([]byte, c.Need().Memory)
	require.ErrorIs(t, c.Calculate(ctx, inputs, make([]byte, 32*(wires-1)), memory), witness.ErrOperand)
	require.ErrorIs(t, c.Calculate(ctx, inputs, make([]byte, 32*wires), memory[1:]), witness.ErrOperand)
	_, err := c.Sizes(ctx, memory[1:])
	require.ErrorIs(t, err, witness.ErrOperand)
}
