package groth16_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// bench is a circuit of full domain size with its key and memory.
type bench struct {
	engine         engine.Engine
	key            *zkey.Key
	witness        []byte
	memory         []byte
	a, b, c, extra []byte
}

func newBench(b *testing.B, id curve.ID, logn int) *bench {
	system, witness := chain(b, id, 1<<logn-2)
	e, err := gnark.New(id)
	require.NoError(b, err)
	key := developmentKey(b, system)
	n := groth16.VectorSize(key.Header)
	v := &bench{engine: e, key: key, witness: witness, memory: view.Allocate(groth16.ProveNeed(e, key.Header, 2).Scratch + 4*n)}
	v.a, v.b, v.c, v.extra = v.memory[:n], v.memory[n:2*n], v.memory[2*n:3*n], v.memory[3*n:]
	return v
}

func eachSize(b *testing.B, logs []int, run func(b *testing.B, id curve.ID, logn int)) {
	for _, id := range curve.All() {
		for _, logn := range logs {
			b.Run(fmt.Sprintf("curve=%s/n=2^%d", id, logn), func(b *testing.B) { run(b, id, logn) })
		}
	}
}

func BenchmarkSteps(b *testing.B) {
	eachSize(b, []int{14, 16}, func(b *testing.B, id curve.ID, logn int) {
		v := newBench(b, id, logn)
		step := func(name string, run func() error) {
			b.Run("step="+name, func(b *testing.B) {
				for b.Loop() {
					require.NoError(b, run())
				}
			})
		}
		step("synthesize", func() error {
			return groth16.Synthesize(ctx, v.engine, v.key, engine.Evaluations{A: v.a, B: v.b, C: v.c}, v.witness, 2)
		})
		step("quotient", func() error { return groth16.Quotient(ctx, v.engine, v.a, v.b, v.c, nil, 2) })
		for _, q := range groth16.Queries() {
			scalars, out := v.witness, make([]byte, id.PointSize(q.Group()))
			if q == groth16.QueryH {
				scalars = v.a
			}
			step(q.String(), func() error {
				return groth16.Sum(ctx, v.engine, v.key, q, q.Whole(v.key.Header), out, scalars, v.extra, 2)
			})
		}
		step("all", func() error {
			_, err := groth16.Prove(ctx, v.engine, v.key, v.witness, v.memory, 2)
			return err
		})
	})
}

func BenchmarkSetup(b *testing.B) {
	eachSize(b, []int{14, 16}, func(b *testing.B, id curve.ID, logn int) {
		system, _ := chain(b, id, 1<<logn-2)
		s, err := r1cs.Parse(ctx, system)
		require.NoError(b, err)
		h, err := groth16.SetupHeader(s)
		require.NoError(b, err)
		memory := view.Allocate(groth16.SetupNeed(h, 2).Scratch)
		for b.Loop() {
			var out bytes.Buffer
			require.NoError(b, groth16.Setup(ctx, s, &out, memory, 2, nil))
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	for _, id := range curve.All() {
		b.Run("curve="+id.String(), func(b *testing.B) {
			v := newBench(b, id, 4)
			proof, err := groth16.Prove(ctx, v.engine, v.key, v.witness, v.memory, 1)
			require.NoError(b, err)
			vk, err := groth16.ExportVerifyingKey(v.key)
			require.NoError(b, err)
			public, err := groth16.PublicInputs(v.key.Header, v.witness)
			require.NoError(b, err)
			for b.Loop() {
				require.NoError(b, groth16.Verify(vk, proof, public))
			}
		})
	}
}
