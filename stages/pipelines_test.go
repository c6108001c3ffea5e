package stages_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/stages"
)

const golden = "../proving/testdata"

// A plant is a pipeline bound to a budget, ready to prove.
type plant struct {
	source     string
	memory     int64
	generators *stages.Generators
	adapt      func(*stage.Kind) // if there is one, changes the stage kinds
}

// bundled is a pipeline that comes with the program, with plenty of memory.
func bundled(t *testing.T, pipeline string) plant {
	source, ok := pipelines.Read(pipeline)
	require.True(t, ok)
	generators := stages.NewGenerators()
	t.Cleanup(func() { require.NoError(t, generators.Close()) })
	return plant{source: string(source), memory: 64 << 20, generators: generators}
}

func (p plant) program(t *testing.T) *program.Program {
	engines, err := stages.NewEngines()
	require.NoError(t, err)
	kinds := stages.Kinds(engines, p.generators)
	for _, k := range kinds {
		if p.adapt != nil {
			p.adapt(k)
		}
	}
	registry, err := stage.NewRegistry(kinds...)
	require.NoError(t, err)
	pipeline, err := spec.Load("test.yaml", []byte(p.source), registry, nil)
	require.NoError(t, err)
	prog, err := program.New(pipeline, map[string]int64{"host": p.memory})
	require.NoError(t, err)
	return prog
}

// prove runs payloads through the pipeline, one job each, and requires that all bytes come back.
func (p plant) prove(t *testing.T, payloads ...*stages.Payload) ([]*run.Result, run.Report) {
	prog := p.program(t)
	tracker, err := prog.Tracker()
	require.NoError(t, err)
	r, err := run.New(context.Background(), prog, tracker, run.Options{})
	require.NoError(t, err)
	go func() {
		defer close(r.In())
		for _, p := range payloads {
			r.In() <- &run.Job{ID: p.Proof, Items: []stage.Item{{Job: p.Proof, Facts: p.Facts(), Payload: p}}}
		}
	}()
	var results []*run.Result
	for result := range r.Out() {
		results = append(results, result.(*run.Result))
	}
	report := r.Report()
	require.NoError(t, r.Close())
	require.NoError(t, tracker.Close())
	return results, report
}

// payload is a proof to make with the golden key of a curve.
func payload(t *testing.T, curve, name string) *stages.Payload {
	dir := filepath.Join(golden, curve)
	key, err := stages.StatKey(filepath.Join(dir, "cells.zkey"))
	require.NoError(t, err)
	out := t.TempDir()
	return &stages.Payload{
		Key: key, Wtns: filepath.Join(dir, "cells.wtns"),
		Proof: filepath.Join(out, name+".proof.json"), Public: filepath.Join(out, name+".public.json"),
	}
}

// requireVerifies reads a written proof back and verifies it with the key that snarkjs exported.
func requireVerifies(t *testing.T, vkey, proof, public string) {
	read := func(name string) []byte {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		return data
	}
	vk, err := snarkjson.ReadVerifyingKey(read(vkey))
	require.NoError(t, err)
	p, err := snarkjson.ReadProof(read(proof))
	require.NoError(t, err)
	inputs, err := snarkjson.ReadPublic(read(public))
	require.NoError(t, err)
	require.NoError(t, groth16.Verify(vk, p, inputs))
}

// requireGolden requires that a payload's proof was made and verifies with the key that snarkjs exported.
func requireGolden(t *testing.T, curve string, p *stages.Payload) {
	requireVerifies(t, filepath.Join(golden, curve, "verification_key.json"), p.Proof, p.Public)
}

func requireNoErrors(t *testing.T, results []*run.Result) {
	for _, result := range results {
		require.NoError(t, result.Err)
	}
}

var curves = []string{"bn254", "bls12-381"}

func TestEveryPipelineProves(t *testing.T) {
	for _, pipeline := range pipelines.Names() {
		for _, curve := range curves {
			t.Run(pipeline+"/"+curve, func(t *testing.T) {
				p := payload(t, curve, "cells")
				results, _ := bundled(t, pipeline).prove(t, p)
				requireNoErrors(t, results)
				requireGolden(t, curve, p)
			})
		}
	}
}

func TestEveryPipelineProvesInputsInTheLeastMemory(t *testing.T) {
	for _, pipeline := range pipelines.Names() {
		for _, curve := range curves {
			t.Run(pipeline+"/"+curve, func(t *testing.T) {
				plant := bundled(t, pipeline)
				wasm := filepath.Join(golden, curve, "cells.wasm")
				generator, err := stages.StatModule(wasm)
				require.NoError(t, err)
				var all []*stages.Payload
				for _, name := range []string{"a", "b", "c"} {
					p := payload(t, curve, name)
					p.Wtns, p.Wasm, p.Input = "", wasm, filepath.Join(golden, "input.json")
					p.Generator, p.R1CS = generator, filepath.Join(golden, curve, "cells.r1cs")
					all = append(all, p)
				}
				prog := plant.program(t)
				shape, err := prog.Shape(&stage.Item{Facts: all[0].Facts(), Payload: all[0]})
				require.NoError(t, err)
				plant.memory = prog.Least(shape)[0]
				results, report := plant.prove(t, all...)
				requireNoErrors(t, results)
				for _, p := range all {
					requireGolden(t, curve, p)
				}
				require.LessOrEqual(t, report.Memory.Pools[0].HighWater, plant.memory)
			})
		}
	}
}

// inMemory is the default pipeline with keys copied to the pool of all other memory.
func inMemory(t *testing.T) plant {
	plant := bundled(t, pipelines.Default)
	for before, after := range map[string]string{
		"load: { kind: groth16.load_key }":    "load: { kind: groth16.load_key, in: memory }",
		"key: { pool: mapped, cached: true }": "key: { pool: host, cached: true }",
	} {
		require.Contains(t, plant.source, before)
		plant.source = strings.Replace(plant.source, before, after, 1)
	}
	return plant
}

func TestTwoCircuitsAlternateInRoomForOneKey(t *testing.T) {
	plant := inMemory(t)
	var all []*stages.Payload
	for _, name := range []string{"1", "2", "3"} {
		all = append(all, payload(t, "bn254", name), payload(t, "bls12-381", name))
	}
	prog := plant.program(t)
	var least, key int64
	for _, p := range all[:2] {
		shape, err := prog.Shape(&stage.Item{Facts: p.Facts(), Payload: p})
		require.NoError(t, err)
		least, key = max(least, prog.Least(shape)[0]), max(key, p.Key.Size)
	}
	plant.memory = least + key/2
	results, report := plant.prove(t, all...)
	requireNoErrors(t, results)
	for i, p := range all {
		requireGolden(t, curves[i%2], p)
	}
	require.LessOrEqual(t, report.Memory.Pools[0].HighWater, plant.memory)
	require.Greater(t, report.Memory.Pools[0].Classes[0].Leases, int64(2), "keys were given up and loaded again")
}
