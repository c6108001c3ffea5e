package stages_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/stages"
)

// copied is a copy of a golden file that a test may spoil, an hour old, so that any change of it is seen.
func copied(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(golden, "bn254", name))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, text, 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
	return path
}

// spoiling lets something happen to files within the body of one stage, just before it computes: the first of a kind and a
// query that has the payload's proof to make.
func spoiling(kind, query string, p *stages.Payload, spoil func()) func(*stage.Kind) {
	return func(k *stage.Kind) {
		if k.Name != kind {
			return
		}
		made := k.New
		k.New = func(o stage.Options) (stage.Body, error) {
			body, err := made(o)
			return stage.BodyFunc(func(ctx context.Context, t *stage.Task) error {
				if o.String("query") == query && t.Item.Payload == p {
					spoil()
				}
				return body.Run(ctx, t)
			}), err
		}
	}
}

// A file that is cut short while a body reads its mapping fails the item, and not the process: the next proof is made.
func TestFilesThatAreCutShortWhileTheyAreUsed(t *testing.T) {
	type place struct{ kind, query string }
	readers := map[string][]place{
		"cells.zkey": {
			{"groth16.synthesize", ""}, {"groth16.msm", "a"}, {"groth16.msm", "b_g1"}, {"groth16.msm", "b_g2"},
			{"groth16.msm", "l"}, {"groth16.msm", "h"}, {"groth16.assemble", ""}, {"groth16.verify", ""},
		},
		"cells.wtns": {{"groth16.synthesize", ""}, {"groth16.msm", "a"}, {"groth16.msm", "b_g2"}, {"groth16.msm", "l"}},
	}
	for _, backend := range []string{"cpu", "gnark"} {
		for file, places := range readers {
			for _, at := range places {
				t.Run(strings.Join([]string{backend, file, at.kind, at.query}, "/"), func(t *testing.T) {
					plant := bundled(t, pipelines.Default)
					plant.source = strings.ReplaceAll(plant.source, "kind: groth16.msm,", "kind: groth16.msm, backend: "+backend+",")
					plant.source = strings.ReplaceAll(plant.source, "kind: groth16.synthesize,", "kind: groth16.synthesize, backend: "+backend+",")
					broken, whole := payload(t, "bn254", "broken"), payload(t, "bn254", "whole")
					path := copied(t, file)
					if broken.Wtns = path; file == "cells.zkey" {
						broken.Wtns, broken.Key = whole.Wtns, statKey(t, path)
					}
					plant.adapt = spoiling(at.kind, at.query, broken, func() { require.NoError(t, os.Truncate(path, 0)) })
					results, _ := plant.prove(t, broken, whole)
					for _, result := range results {
						if result.Job.ID == whole.Proof {
							require.NoError(t, result.Err)
							continue
						}
						require.ErrorIs(t, result.Err, binfile.ErrChanged)
						require.ErrorContains(t, result.Err, path+": the file changed while it was in use")
						require.NoFileExists(t, broken.Proof)
					}
					requireGolden(t, "bn254", whole)
				})
			}
		}
	}
}

func statKey(t *testing.T, path string) stages.KeyFile {
	key, err := stages.StatKey(path)
	require.NoError(t, err)
	return key
}

// A key that is written to may make no proof, even where its length stays the same and the byte is of no consequence.
func TestAKeyThatIsWrittenToWhileItIsUsed(t *testing.T) {
	plant, p, path := bundled(t, pipelines.Default), payload(t, "bn254", "written"), copied(t, "cells.zkey")
	p.Key = statKey(t, path)
	plant.adapt = spoiling("groth16.msm", "a", p, func() {
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		defer file.Close()
		same := make([]byte, 1)
		_, err = file.ReadAt(same, p.Key.Size-1)
		require.NoError(t, err)
		_, err = file.WriteAt(same, p.Key.Size-1)
		require.NoError(t, err)
	})
	results, _ := plant.prove(t, p)
	require.ErrorIs(t, results[0].Err, binfile.ErrChanged)
}

// A key that is replaced by rename is another file: what has the old one goes on with it.
func TestAKeyThatIsReplacedWhileItIsUsed(t *testing.T) {
	plant, p, path := bundled(t, pipelines.Default), payload(t, "bn254", "replaced"), copied(t, "cells.zkey")
	p.Key = statKey(t, path)
	plant.adapt = spoiling("groth16.msm", "a", p, func() {
		require.NoError(t, os.WriteFile(path+".new", []byte("another"), 0o600))
		require.NoError(t, os.Rename(path+".new", path))
	})
	results, _ := plant.prove(t, p)
	requireNoErrors(t, results)
	requireGolden(t, "bn254", p)
}
