package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/witness/witnesstest"
	"github.com/proofgraph/proofgraph/stages"
)

// child is proofgraph as a process of its own, which can be sent signals.
type child struct {
	*exec.Cmd
	stdout, stderr safeBuffer
}

// safeBuffer may be read while it is written.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func startChild(t *testing.T, args ...string) *child {
	self, err := os.Executable()
	require.NoError(t, err)
	c := &child{Cmd: exec.Command(self, args...)}
	c.Env = append(os.Environ(), beTheProgram+"=1")
	c.Stdout, c.Stderr = &c.stdout, &c.stderr
	t.Cleanup(func() { c.Process.Kill() })
	return c
}

// requireCode waits for the child's end.
func (c *child) requireCode(t *testing.T, code int) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait()
	}()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatalf("still running: %s", c.stderr.String())
	}
	require.Equal(t, code, c.ProcessState.ExitCode(), c.stderr.String())
}

func soon(t *testing.T, what string, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, 30*time.Second, 2*time.Millisecond, what)
}

// proofsIn counts the proofs in a folder and requires that nothing there is half written.
func proofsIn(t *testing.T, c largeCircuit, dir string) int {
	proofs := 0
	for _, name := range namesIn(t, dir) {
		require.False(t, strings.HasPrefix(name, "."), "a temporary file is left: %s", name)
		if base, ok := strings.CutSuffix(filepath.Join(dir, name), "proof.json"); ok {
			proofs++
			requireVerifies(t, c.vkey, base+"proof.json", base+"public.json")
		}
	}
	return proofs
}

// startBatch begins to prove many witnesses and waits for the first proof.
func startBatch(t *testing.T, c largeCircuit, n int) (*child, string) {
	out := filepath.Join(t.TempDir(), "out")
	args := append([]string{"prove", "--zkey", c.zkey, "--out", out, "--memory", "32MiB", "--wtns"}, c.witnesses(t, n)...)
	run := startChild(t, args...)
	require.NoError(t, run.Start())
	soon(t, "the first proof", func() bool { return len(namesIn(t, out)) > 1 })
	return run, out
}

func TestFirstSignalFinishesWhatHasBegun(t *testing.T) {
	c := theLarge(t)
	const n = 100
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			run, out := startBatch(t, c, n)
			require.NoError(t, run.Process.Signal(signal))
			run.requireCode(t, interrupted)
			assert.Contains(t, run.stderr.String(), "finishing what has begun; interrupt again to abort")
			assert.Contains(t, run.stderr.String(), "proofgraph: interrupted after ")
			assert.NotContains(t, run.stderr.String(), "canceled")
			proofs := proofsIn(t, c, out)
			assert.Positive(t, proofs)
			assert.Less(t, proofs, n)
		})
	}
}

// Whatever the second signal aborts, nothing is half written: files appear by rename.
func TestSecondSignalAborts(t *testing.T) {
	c := theLarge(t)
	const n = 100
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			run, out := startBatch(t, c, n)
			require.NoError(t, run.Process.Signal(signal))
			soon(t, "the first signal", func() bool { return strings.Contains(run.stderr.String(), "interrupt again") })
			require.NoError(t, run.Process.Signal(signal))
			run.requireCode(t, interrupted)
			assert.Less(t, proofsIn(t, c, out), n)
		})
	}
}

// wholeProofsIn counts the proofs of a folder in which a process died: what is there by its name is whole.
func wholeProofsIn(t *testing.T, c largeCircuit, dir string) int {
	proofs := 0
	for _, name := range namesIn(t, dir) {
		base, isProof := strings.CutSuffix(filepath.Join(dir, name), "proof.json")
		if !isProof || strings.HasPrefix(name, ".") {
			continue
		}
		proofs++
		requireVerifies(t, c.vkey, base+"proof.json", base+"public.json")
	}
	return proofs
}

// What ends the process at once leaves whole proofs, and a second run in the same folder makes the rest.
func TestADeadRunLeavesWholeProofs(t *testing.T) {
	c := theLarge(t)
	const n = 30
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			run, out := startBatch(t, c, n)
			require.NoError(t, run.Process.Signal(signal))
			require.Error(t, run.Wait())
			assert.Less(t, wholeProofsIn(t, c, out), n)
			args := append([]string{"prove", "--zkey", c.zkey, "--out", out, "-q", "--wtns"}, c.witnesses(t, n)...)
			proofgraph(t, args...).requireEnds(t, done)
			assert.Equal(t, n, wholeProofsIn(t, c, out))
		})
	}
}

// A reader of answers that goes away ends a run as it ends any program in a pipe, and what was answered is whole.
func TestAReaderThatGoesAway(t *testing.T) {
	c := theLarge(t)
	dir := t.TempDir()
	var jobs strings.Builder
	for i, wtns := range c.witnesses(t, 40) {
		fmt.Fprintf(&jobs, `{"id":"%d","zkey":%q,"wtns":%q,"proof":"%s/%d.proof.json","public":"%s/%d.public.json"}`+"\n", i, c.zkey, wtns, dir, i, dir, i)
	}
	run := startChild(t, "run", "groth16", "--memory", "32MiB", "-q", "--jobs", write(t, t.TempDir(), "jobs.jsonl", []byte(jobs.String())))
	run.Stdout = nil
	answers, err := run.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, run.Start())
	_, err = answers.Read(make([]byte, 10))
	require.NoError(t, err)
	require.NoError(t, answers.Close())
	require.Error(t, run.Wait())
	status, ok := run.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	assert.Equal(t, syscall.SIGPIPE, status.Signal())
	proofs := wholeProofsIn(t, c, dir)
	assert.Positive(t, proofs)
	assert.Less(t, proofs, 40)
}

// A run that waits for lines which never come ends all the same, and has answered what it took.
func TestSignalEndsARunThatWaitsForJobs(t *testing.T) {
	out := t.TempDir()
	run := startChild(t, "run", "groth16", "--jobs", "-", "-q")
	lines, err := run.StdinPipe()
	require.NoError(t, err)
	defer lines.Close()
	require.NoError(t, run.Start())
	_, err = lines.Write([]byte(job(t, "a", "bn254", out)))
	require.NoError(t, err)
	soon(t, "the answer", func() bool { return strings.Contains(run.stdout.String(), `"id":"a","ok":true`) })
	require.NoError(t, run.Process.Signal(os.Interrupt))
	run.requireCode(t, interrupted)
}

// A command that has nothing to finish ends with the first signal.
func TestSignalAbortsSetup(t *testing.T) {
	c := theLarge(t)
	out := filepath.Join(t.TempDir(), "keys")
	run := startChild(t, "setup", "--r1cs", filepath.Join(c.dir, "large.r1cs"), "--out", out)
	require.NoError(t, run.Start())
	soon(t, "the key begins", func() bool { return len(namesIn(t, out)) > 0 })
	require.NoError(t, run.Process.Signal(os.Interrupt))
	run.requireCode(t, interrupted)
	assert.Contains(t, run.stderr.String(), "proofgraph: interrupted")
	assert.Empty(t, namesIn(t, out), "nothing half written")
}

// A run whose bodies take longer than --stall allows ends with code 5 and says who does what, who waits and who holds
// memory.
func TestStall(t *testing.T) {
	c := theLarge(t)
	out := filepath.Join(t.TempDir(), "out")
	run := startChild(t, append([]string{"prove", "--zkey", c.zkey, "--out", out, "--stall", "2ms", "--wtns"}, c.witnesses(t, 5)...)...)
	require.NoError(t, run.Start())
	run.requireCode(t, stalled)
	said := run.stderr.String()
	assert.Contains(t, said, "the pipeline is stalled: no stage body ended for 2ms")
	assert.Regexp(t, `under way: +\S+\.wtns\[0\] at \w+, for \d+ms`, said)
	assert.Equal(t, 1, strings.Count(said, "stalled"), "told once")
	proofsIn(t, c, out)
}

// A body that does not end, here the witness of a circuit whose code is a circle, ends the run with code 5; the message says
// what is under way, what it holds, and who waits for that.
func TestABodyThatHangsIsToldWithWhoHoldsAndWhoWaits(t *testing.T) {
	dir := t.TempDir()
	key, err := stages.StatKey(golden("bn254", "cells.zkey"))
	require.NoError(t, err)
	endless := write(t, dir, "endless.wasm", witnesstest.Endless(uint32(key.Header.NVars)))
	args := []string{"prove", "--zkey", key.Path, "--wasm", endless, "--out", filepath.Join(dir, "out"), "--stall", "100ms"}
	for i := range 2 {
		args = append(args, "--input", write(t, dir, fmt.Sprintf("%d.json", i), []byte("{}")))
	}
	least := leastMemory.FindStringSubmatch(proofgraph(t, append(args, "--memory", "1KiB")...).stderr)
	require.NotNil(t, least)
	run := startChild(t, append(args, "--memory", least[1]+"KiB")...)
	require.NoError(t, run.Start())
	run.requireCode(t, stalled)
	for _, words := range []string{
		`the pipeline is stalled: no stage body ended for 100ms`,
		`under way: \S+0\.json\[0\] at witness, for \d+ms`,
		`waits: +\S+1\.json\[0\] at admission for \d+`,
		`holds: +\S+0\.json\[0\] at witness, 2\.\d+ MiB`,
	} {
		assert.Regexp(t, words, run.stderr.String())
	}
	assert.Empty(t, namesIn(t, filepath.Join(dir, "out")))
}
