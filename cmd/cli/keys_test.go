package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/pipelines"
)

// keyPool is the default pipeline with keys in memory of a pool of so many bytes.
func keyPool(t *testing.T, bytes int64) string {
	source, ok := pipelines.Read(pipelines.Default)
	require.True(t, ok)
	text := strings.NewReplacer(
		"mapped: { limit: none }", fmt.Sprintf("keys: { limit: %d }", bytes),
		"key: { pool: mapped,", "key: { pool: keys,",
		"{ kind: groth16.load_key }", "{ kind: groth16.load_key, in: memory }",
	).Replace(string(source))
	return write(t, t.TempDir(), "keys.yaml", []byte(text))
}

func sizeOf(t *testing.T, file string) int64 {
	info, err := os.Stat(file)
	require.NoError(t, err)
	return info.Size()
}

// Two circuits alternate where one and a half of their keys have room: the idle key gives way to the other and comes back,
// every proof is made, and the pool is never over.
func TestTwoCircuitsAlternateWhereOneAndAHalfKeysHaveRoom(t *testing.T) {
	const jobs = 12
	first, second := sizeOf(t, golden("bn254", "cells.zkey")), sizeOf(t, golden("bls12-381", "cells.zkey"))
	most := max(first, second) + min(first, second)/2
	out := t.TempDir()
	var lines strings.Builder
	for i := range jobs {
		lines.WriteString(job(t, fmt.Sprint(i), curves[i%2], out))
	}
	got := proofgraphWith(t, lines.String(), "run", keyPool(t, most), "--jobs", "-", "--memory", "64MiB")
	got.requireEnds(t, done, fmt.Sprintf("%d proofs in ", jobs))
	for id, a := range answers(t, got.stdout) {
		assert.True(t, a.OK, "%s: %s", id, a.Error)
	}
	used := poolRow(t, got.stderr, "keys")
	assert.Greater(t, used.leases, 2, "keys were given up and loaded again")
	assert.LessOrEqual(t, used.leases, jobs)
	for i, curve := range []string{"bn254", "bls12-381"} {
		proof := func(kind string) string { return filepath.Join(out, fmt.Sprintf("%d.%s.json", i, kind)) }
		requireVerifies(t, golden(curve, "verification_key.json"), proof("proof"), proof("public"))
	}
}

// row is what the closing table says of a pool.
type row struct{ leases int }

func poolRow(t *testing.T, table, pool string) row {
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == pool {
			var r row
			_, err := fmt.Sscan(fields[1], &r.leases)
			require.NoError(t, err)
			return r
		}
	}
	require.Fail(t, "the table has no such pool", table)
	return row{}
}
