package stages_test

import (
	"context"
	"os"
	"path/filepath"
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

// prove runs payloads through a pipeline, one job each, and requires that all bytes come back.
func prove(t *testing.T, pipeline string, overrides []string, payloads ...*stages.Payload) []*run.Result {
	engines, err := stages.NewEngines()
	require.NoError(t, err)
	generators := stages.NewGenerators()
	defer generators.Close()
	registry, err := stages.Registry(engines, generators)
	require.NoError(t, err)
	source, ok := pipelines.Read(pipeline)
	require.True(t, ok)
	p, err := spec.Load(pipeline+".yaml", source, registry, overrides)
	require.NoError(t, err)
	prog, err := program.New(p, map[string]int64{"host": 64 << 20})
	require.NoError(t, err)
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
	require.NoError(t, r.Close())
	require.NoError(t, tracker.Close())
	return results
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

func TestEveryPipelineProves(t *testing.T) {
	for _, pipeline := range pipelines.Names() {
		for _, curve := range []string{"bn254", "bls12-381"} {
			t.Run(pipeline+"/"+curve, func(t *testing.T) {
				dir := filepath.Join(golden, curve)
				key, err := stages.StatKey(filepath.Join(dir, "cells.zkey"))
				require.NoError(t, err)
				out := t.TempDir()
				p := &stages.Payload{
					Key: key, Wtns: filepath.Join(dir, "cells.wtns"),
					Proof: filepath.Join(out, "proof.json"), Public: filepath.Join(out, "public.json"),
				}
				for _, result := range prove(t, pipeline, nil, p) {
					require.NoError(t, result.Err)
				}
				requireVerifies(t, filepath.Join(dir, "verification_key.json"), p.Proof, p.Public)
			})
		}
	}
}
