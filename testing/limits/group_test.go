package limits

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A controller is a version of the kernel's memory controller; see cgroup-v1/memory.rst and cgroup-v2.rst.
type controller struct {
	name, root           string
	limit, peak, refused string // files: the limit, the most ever used, events
	kills                string // the line of `refused` that counts processes that were killed
}

var controllers = []controller{
	{"v1", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control", "oom_kill"},
	{"v2", "/sys/fs/cgroup", "memory.max", "memory.peak", "memory.events", "oom_kill"},
}

// A group is a control group of a test.
type group struct {
	controller
	dir string
}

// newGroup makes a control group with a limit, or skips the test where there is no such controller or no right to it.
func (c controller) newGroup(t *testing.T, limit int64) group {
	g := group{c, filepath.Join(c.root, "proofgraph-test-"+strconv.Itoa(os.Getpid()))}
	if _, err := os.Stat(filepath.Join(c.root, "cgroup.procs")); err != nil {
		t.Skipf("no control groups %s are mounted here: %v", c.name, err)
	}
	if err := os.Mkdir(g.dir, 0o755); err != nil {
		t.Skipf("no control group %s can be made here: %v", c.name, err)
	}
	t.Cleanup(func() { // the kernel takes a moment to see that the last process is gone
		require.Eventually(t, func() bool { return os.Remove(g.dir) == nil }, 5*time.Second, 10*time.Millisecond, g.dir)
	})
	if err := os.WriteFile(filepath.Join(g.dir, c.limit), []byte(strconv.FormatInt(limit, 10)), 0o644); err != nil {
		t.Skipf("control groups %s are without the memory controller here: %v", c.name, err)
	}
	return g
}

// start gives the command line that runs another one within the group.
func (g group) start(command ...string) []string {
	const script = `echo $$ > "$0" && exec "$@"`
	return append([]string{"/bin/sh", "-c", script, filepath.Join(g.dir, "cgroup.procs")}, command...)
}

// killed counts the processes that the kernel has killed for memory.
func (g group) killed(t *testing.T) int64 {
	for line := range strings.Lines(string(g.read(t, g.refused))) {
		if name, count, _ := strings.Cut(strings.TrimSpace(line), " "); name == g.kills {
			return number(t, count)
		}
	}
	t.Fatalf("%s says nothing of %s", g.refused, g.kills)
	return 0
}

// most gives the most bytes that the group ever used, page cache among them.
func (g group) most(t *testing.T) int64 { return number(t, string(g.read(t, g.peak))) }

func (g group) read(t *testing.T, file string) []byte {
	text, err := os.ReadFile(filepath.Join(g.dir, file))
	require.NoError(t, err)
	return text
}

func number(t *testing.T, text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	require.NoError(t, err)
	return n
}
