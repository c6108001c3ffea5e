package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No job of a run writes over another's proof: however its file is named, and whether or not the other has ended. A job
// that failed wrote nothing, so the next may name its files.
func TestRunRefusesAJobThatWritesAnothersFile(t *testing.T) {
	out := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(out, link))
	named := func(id, wtns, proof, public string) string {
		return jobLine(t, map[string]any{"id": id, "zkey": golden("bn254", "cells.zkey"), "wtns": wtns, "proof": proof, "public": public})
	}
	good := golden("bn254", "cells.wtns")
	in := func(name string) string { return filepath.Join(out, name) }
	lines := named("first", good, in("a.json"), in("b.json")) +
		named("same", good, in("a.json"), in("c.json")) +
		named("other name", good, out+"/./sub/../a.json", "") +
		named("by a link", good, filepath.Join(link, "b.json"), "") +
		named("twice", good, in("d.json"), out+"/./d.json") +
		named("last", good, in("d.json"), in("e.json"))
	got := proofgraphWith(t, lines, "run", "groth16", "-q", "--jobs", "-", "--memory", "64MiB")
	got.requireEnds(t, invalid, "jobs, line 2: ", "a.json")
	by := answers(t, got.stdout)
	for id, code := range map[string]int{"first": done, "last": done, "same": invalid, "other name": invalid, "by a link": invalid, "twice": invalid} {
		assert.Equal(t, code, by[id].ExitCode, "%s: %s", id, by[id].Error)
	}
	assert.Regexp(t, `job first, which has not ended, writes .*a\.json too|an earlier job of this run wrote .*a\.json`, by["same"].Error)
	assert.Contains(t, by["twice"].Error, "two of its outputs are ")
	assert.Equal(t, []string{"a.json", "b.json", "d.json", "e.json"}, namesIn(t, out))
	requireVerifies(t, golden("bn254", "verification_key.json"), in("a.json"), in("b.json"))
}

func TestAJobThatFailedLetsGoOfItsFiles(t *testing.T) {
	out := t.TempDir()
	bad := flipped(t, golden("bn254", "cells.wtns"), t.TempDir(), "bad.wtns")
	run := startChild(t, "run", "groth16", "--jobs", "-", "-q")
	lines, err := run.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, run.Start())
	send := func(id, wtns string) {
		_, err := fmt.Fprint(lines, jobLine(t, map[string]any{
			"id": id, "zkey": golden("bn254", "cells.zkey"), "wtns": wtns, "proof": filepath.Join(out, "proof.json"),
		}))
		require.NoError(t, err)
		soon(t, "the answer", func() bool { return strings.Contains(run.stdout.String(), fmt.Sprintf(`"id":%q`, id)) })
	}
	send("fails", bad)
	send("again", golden("bn254", "cells.wtns"))
	send("too late", golden("bn254", "cells.wtns"))
	require.NoError(t, lines.Close())
	run.requireCode(t, notVerified)
	by := answers(t, run.stdout.String())
	assert.Equal(t, notVerified, by["fails"].ExitCode)
	assert.True(t, by["again"].OK, by["again"].Error)
	assert.Contains(t, by["too late"].Error, "an earlier job of this run wrote ")
}
