package limits

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
)

const (
	done     = 0
	tooLarge = 4
)

// A circuit is the program and what it proves: a key of some 53 MiB, of 2^17 constraints.
type circuit struct{ program, dir string }

var theCircuit = sync.OnceValues(func() (circuit, error) {
	dir, err := os.MkdirTemp("", "proofgraph-limits-")
	if err != nil {
		return circuit{}, err
	}
	c := circuit{filepath.Join(dir, "proofgraph"), filepath.Join(dir, "circuit")}
	if out, err := exec.Command("go", "build", "-o", c.program, "../../cmd/proofgraph").CombinedOutput(); err != nil {
		return c, fmt.Errorf("%w: %s", err, out)
	}
	out, err := exec.Command(c.program, "demo", "--constraints", "131072", "--batch", "4", "--dir", c.dir, "-q").CombinedOutput()
	if err != nil {
		return c, fmt.Errorf("%w: %s", err, out)
	}
	return c, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if asked() {
		c, _ := theCircuit()
		os.RemoveAll(filepath.Dir(c.dir))
	}
	os.Exit(code)
}

func asked() bool { return os.Getenv("PROOFGRAPH_LIMITS") != "" }

func circuitOf(t *testing.T) circuit {
	if !asked() {
		t.Skip("real limits are made only when asked for: make test-limits")
	}
	c, err := theCircuit()
	require.NoError(t, err)
	return c
}

// prove is a command line that proves the circuit's witnesses.
func (c circuit) prove(t *testing.T, flags ...string) []string {
	args := append([]string{c.program, "prove", "--zkey", c.files(t, "*.zkey")[0], "--out", t.TempDir(), "--json"}, flags...)
	return append(args, c.files(t, "*.wtns")...)
}

func (c circuit) files(t *testing.T, pattern string) []string {
	names, err := filepath.Glob(filepath.Join(c.dir, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

// outcome is what a command line came to: an exit code below zero is a signal that ended it.
type outcome struct {
	code           int
	stdout, stderr string
}

func carryOut(command []string) outcome {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// host gives the limit and the peak of the pool named host in a report.
func (o outcome) host(t *testing.T) (limit, peak int64) {
	var report struct {
		Pools []struct {
			Name      string
			Limit     int64
			HighWater int64 `json:"high_water"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &report), o.stdout)
	require.Equal(t, "host", report.Pools[0].Name)
	return report.Pools[0].Limit, report.Pools[0].HighWater
}

// Within a control group, and asked for more than it allows, every pipeline takes what there is beside the program, uses it
// to the full and is not killed, though the pages of its key, which nothing has read before, count there too.
func TestAControlGroupKillsNoPipeline(t *testing.T) {
	c := circuitOf(t)
	const limit = 80 << 20 // the key alone is 53 MiB
	for _, controller := range controllers {
		t.Run(controller.name, func(t *testing.T) {
			for _, flags := range [][]string{
				{"groth16"}, {"groth16", "--set", "lanes=4"}, {"batch", "--set", "lanes=4"}, {"split", "--set", "lanes=3"}, {"serial"}, {"lowmem"},
			} {
				t.Run(fmt.Sprint(flags), func(t *testing.T) {
					g := controller.newGroup(t, limit)
					cold(t, append(c.files(t, "*.zkey"), c.files(t, "*.wtns")...))
					got := carryOut(g.start(c.prove(t, append([]string{"--memory", "1GiB", "--pipeline"}, flags...)...)...))
					require.Equal(t, done, got.code, got.stderr)
					assert.Contains(t, got.stderr, "--memory 1GiB is more than there is (cgroup "+controller.name)
					assert.Zero(t, g.killed(t))
					bytes, peak := got.host(t)
					assert.Less(t, bytes, int64(limit))
					t.Logf("pool %s, peak %s, group %s", budget.FormatBytes(bytes), budget.FormatBytes(peak), budget.FormatBytes(g.most(t)))
				})
			}
		})
	}
}

// cold drops files from the page cache, so that whoever reads them next is charged for their pages.
func cold(t *testing.T, files []string) {
	for _, name := range files {
		out, err := exec.Command("dd", "of="+name, "oflag=nocache", "conv=notrunc,fdatasync", "count=0").CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// Without --memory the pipeline's margin stands, and a group that it eats up is told in words, with what would do.
func TestAControlGroupSmallerThanTheMargin(t *testing.T) {
	c := circuitOf(t)
	for _, controller := range controllers {
		t.Run(controller.name, func(t *testing.T) {
			got := carryOut(controller.newGroup(t, 128<<20).start(c.prove(t)...))
			require.Equal(t, tooLarge, got.code, got.stderr)
			assert.Contains(t, got.stderr, "128 MiB")
			assert.Contains(t, got.stderr, "takes all that can be had")
		})
	}
}

// limited runs a command under a limit on its addresses, `-v` or `-d`, in bytes.
func limited(flag string, bytes int64, command []string) outcome {
	script := fmt.Sprintf(`ulimit %s %d && exec "$@"`, flag, bytes>>10)
	return carryOut(append([]string{"/bin/bash", "-c", script, "bash"}, command...))
}

// From the least addresses with which the program starts up to plenty, a run is refused in words or goes through, and Go's
// runtime never ends it.
func TestLimitsOnAddressesNeverEndARun(t *testing.T) {
	c := circuitOf(t)
	for _, flag := range []string{"-v", "-d"} {
		t.Run(flag, func(t *testing.T) {
			least, step := leastToStart(t, flag, c.program)
			passed, refused := 0, 0
			for bytes := least; passed < 3; bytes += step {
				require.Less(t, bytes, least+8<<30, "it never goes through")
				got := limited(flag, bytes, c.prove(t, "--memory", "256MiB", "--pipeline", "batch"))
				t.Logf("%s: code %d: %.160s", budget.FormatBytes(bytes), got.code, got.stderr)
				require.Contains(t, []int{done, tooLarge}, got.code, got.stderr)
				if got.code == done {
					passed++
				} else {
					refused++
					assert.NotContains(t, got.stderr, "goroutine")
				}
			}
			assert.Positive(t, refused)
		})
	}
}

// leastToStart finds a limit under which the program tells what the machine offers, and a step for trying more.
func leastToStart(t *testing.T, flag, program string) (least, step int64) {
	step = map[string]int64{"-v": 128 << 20, "-d": 16 << 20}[flag]
	for bytes := step; bytes < 1<<40; bytes += step {
		if limited(flag, bytes, []string{program, "doctor"}).code == done {
			return bytes + 4*step, step // a run starts more threads than that
		}
	}
	t.Skip("the program does not start under such a limit")
	return 0, 0
}
