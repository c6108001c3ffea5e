package budget

import (
	"fmt"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const meminfo = "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:   12582912 kB\nSwapTotal: 99999999 kB\n"

// fixture is a root directory: the files given, and a machine of 16 GiB with 12 available.
func fixture(files map[string]string) fstest.MapFS {
	root := fstest.MapFS{"proc/meminfo": {Data: []byte(meminfo)}}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

const (
	v2Mount    = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
	v2Hybrid   = "41 31 0:38 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw\n"
	v1Mount    = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:7 - cgroup cgroup rw,memory\n"
	v1InDocker = "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory\n"
	v1NoLimit  = "9223372036854771712\n"
)

func TestDetect(t *testing.T) {
	const gib = 1 << 30
	for name, c := range map[string]struct {
		files map[string]string
		want  Limit
	}{
		"no control groups": {nil,
			Limit{Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB"}},
		"v2": {map[string]string{
			"proc/self/cgroup":                        "0::/user.slice\n",
			"proc/self/mountinfo":                     v2Mount,
			"sys/fs/cgroup/user.slice/memory.max":     "8589934592\n",
			"sys/fs/cgroup/user.slice/memory.high":    "max\n",
			"sys/fs/cgroup/user.slice/memory.current": "3221225472\n",
			"sys/fs/cgroup/user.slice/memory.stat":    "anon 5\ninactive_file 1073741824\n",
		}, Limit{Bytes: 8 * gib, Used: 2 * gib, Free: 6 * gib, Reason: "cgroup v2 /user.slice: 8 GiB"}},
		"v2, high below max": {map[string]string{
			"proc/self/cgroup":            "0::/a\n",
			"sys/fs/cgroup/a/memory.max":  "8589934592\n",
			"sys/fs/cgroup/a/memory.high": "6442450944\n",
		}, Limit{Bytes: 6 * gib, Free: 6 * gib, Reason: "cgroup v2 /a: 6 GiB"}},
		"v2, the group above is the tighter": {map[string]string{
			"proc/self/cgroup":               "0::/a/b/c\n",
			"sys/fs/cgroup/a/memory.max":     "4294967296\n",
			"sys/fs/cgroup/a/memory.current": "1073741824\n",
			"sys/fs/cgroup/a/b/memory.max":   "max\n",
			"sys/fs/cgroup/a/b/c/memory.max": "8589934592\n",
		}, Limit{Bytes: 4 * gib, Used: gib, Free: 3 * gib, Reason: "cgroup v2 /a: 4 GiB"}},
		"v2, the larger limit is the fuller": {map[string]string{
			"proc/self/cgroup":                 "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max":       "8589934592\n",
			"sys/fs/cgroup/a/memory.current":   "8053063680\n",
			"sys/fs/cgroup/a/b/memory.max":     "4294967296\n",
			"sys/fs/cgroup/a/b/memory.current": "1073741824\n",
		}, Limit{Bytes: 4 * gib, Used: gib, Free: gib / 2, Reason: "cgroup v2 /a/b: 4 GiB", Scarcest: "cgroup v2 /a: 8 GiB"}},
		"v2 in its own namespace": {map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "2147483648\n",
		}, Limit{Bytes: 2 * gib, Free: 2 * gib, Reason: "cgroup v2 /: 2 GiB"}},
		"v2 without a limit": {map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "max\n",
		}, Limit{Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB"}},
		"more than the machine has": {map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "68719476736\n",
		}, Limit{Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB"}},
		"v1": {map[string]string{
			"proc/self/cgroup":                               "8:pids:/\n4:cpu,memory:/job\n0::/\n",
			"proc/self/mountinfo":                            v1Mount + v2Hybrid,
			"sys/fs/cgroup/memory/memory.limit_in_bytes":     v1NoLimit,
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": "1073741824\n",
			"sys/fs/cgroup/memory/job/memory.usage_in_bytes": "536870912\n",
			"sys/fs/cgroup/memory/job/memory.stat":           "inactive_file 7\ntotal_inactive_file 268435456\n",
		}, Limit{Bytes: gib, Used: gib / 4, Free: gib * 3 / 4, Reason: "cgroup v1 /job: 1 GiB"}},
		"v1 without a limit": {map[string]string{
			"proc/self/cgroup":                               "4:memory:/job\n",
			"proc/self/mountinfo":                            v1Mount,
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": v1NoLimit,
		}, Limit{Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB"}},
		"v1 in a container that sees its host's path": {map[string]string{
			"proc/self/cgroup":                           "4:memory:/docker/abc\n",
			"proc/self/mountinfo":                        v1InDocker,
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
		}, Limit{Bytes: gib, Free: gib, Reason: "cgroup v1 /: 1 GiB"}},
		"a group outside what is mounted": {map[string]string{
			"proc/self/cgroup":         "0::/../../other\n",
			"proc/self/mountinfo":      "30 24 0:26 /x/y /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			"sys/fs/cgroup/memory.max": "1073741824\n",
		}, Limit{Bytes: gib, Free: gib, Reason: "cgroup v2 /: 1 GiB"}},
		"v1 and v2, the least of both": {map[string]string{
			"proc/self/cgroup":                               "4:memory:/job\n0::/unit\n",
			"proc/self/mountinfo":                            v1Mount + v2Hybrid,
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": "4294967296\n",
			"sys/fs/cgroup/unified/unit/memory.max":          "2147483648\n",
		}, Limit{Bytes: 2 * gib, Free: 2 * gib, Reason: "cgroup v2 /unit: 2 GiB"}},
		"a limit that is no number": {map[string]string{
			"proc/self/cgroup":            "garbage\n0::/a\n",
			"proc/self/mountinfo":         "garbage - garbage\n - cgroup2\n",
			"sys/fs/cgroup/a/memory.max":  "a lot\n",
			"sys/fs/cgroup/a/memory.high": "-5\n",
		}, Limit{Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB", Notes: []string{
			`cgroup v2 /a: memory.max is "a lot", not a number of bytes`,
			`cgroup v2 /a: memory.high is "-5", not a number of bytes`,
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DetectIn(fixture(c.files))
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// ulimits is proc/self/limits as the kernel writes it.
func ulimits(data, space string) string {
	const row = "%-25s %-20s %-20s %-10s\n"
	return fmt.Sprintf(row+row+row+row, "Limit", "Soft Limit", "Hard Limit", "Units", "Max cpu time", "1", "unlimited", "seconds",
		"Max data size", data, "unlimited", "bytes", "Max address space", space, "unlimited", "bytes")
}

// What the process's own limits leave is what they allow, less what it has mapped and what its runtime may still map.
func TestDetectsTheProcessesOwnLimits(t *testing.T) {
	const gib, mib = 1 << 30, 1 << 20
	cores := int64(runtime.GOMAXPROCS(0))
	room, dataRoom := 512*mib+72*mib*cores, 128*mib+8*mib*cores
	for name, c := range map[string]struct {
		data, space string
		want        Limit
	}{
		"unlimited": {"unlimited", "unlimited", Limit{Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB"}},
		"addresses": {"unlimited", "8589934592", Limit{
			Bytes: 8 * gib, Used: gib + room, Free: 7*gib - room, Reason: "RLIMIT_AS (ulimit -v): 8 GiB"}},
		"data": {"4294967296", "unlimited", Limit{
			Bytes: 4 * gib, Used: 512*mib + dataRoom, Free: 4*gib - 512*mib - dataRoom, Reason: "RLIMIT_DATA (ulimit -d): 4 GiB"}},
		"more than the machine has, and less of it free": {"unlimited", "17179869185", Limit{
			Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB"}},
		"less than the process has": {"unlimited", "1073741824", Limit{Bytes: gib, Used: gib, Reason: "RLIMIT_AS (ulimit -v): 1 GiB"}},
		"garbage": {"-7", "lots", Limit{Bytes: 16 * gib, Used: 4 * gib, Free: 12 * gib, Reason: "memory of the machine: 16 GiB", Notes: []string{
			`proc/self/limits: Max address space is "lots", not a number of bytes`,
			`proc/self/limits: Max data size is "-7", not a number of bytes`}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DetectIn(fixture(map[string]string{
				"proc/self/limits": ulimits(c.data, c.space), "proc/self/status": "VmSize:\t 1048576 kB\nVmData:\t 524288 kB\n",
			}))
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestDetectWithoutMeminfo(t *testing.T) {
	_, err := DetectIn(fstest.MapFS{})
	require.ErrorContains(t, err, "no memory limit")
	_, err = DetectIn(fstest.MapFS{"proc/meminfo": {Data: []byte("MemTotal: lots\n")}})
	require.ErrorContains(t, err, "no MemTotal")

	limit, err := DetectIn(fstest.MapFS{
		"proc/self/cgroup":         {Data: []byte("0::/\n")},
		"sys/fs/cgroup/memory.max": {Data: []byte("1024\n")},
	})
	require.NoError(t, err)
	require.Equal(t, "cgroup v2 /: 1 KiB", limit.Reason)
	require.Len(t, limit.Notes, 1)
}

func TestDetectThisMachine(t *testing.T) {
	limit, err := Detect()
	require.NoError(t, err)
	require.Positive(t, limit.Bytes)
	require.LessOrEqual(t, limit.Free, limit.Bytes)
	t.Log(limit)
}

func FuzzDetect(f *testing.F) {
	f.Add("0::/a\n", v2Mount, "8589934592\n", meminfo)
	f.Add("4:cpu,memory:/job\n", v1InDocker, "max", "MemTotal: 9223372036854775807 kB")
	f.Add("", "", "Max address space  77 unlimited bytes\n", "MemTotal: 9 kB\nVmSize: 9223372036854775807 kB")
	f.Fuzz(func(t *testing.T, member, mounts, limit, info string) {
		got, err := DetectIn(fixture(map[string]string{
			"proc/self/cgroup": member, "proc/self/mountinfo": mounts, "proc/meminfo": info, "proc/self/limits": limit, "proc/self/status": info,
			"sys/fs/cgroup/memory.max": limit, "sys/fs/cgroup/memory/memory.limit_in_bytes": limit,
		}))
		if err == nil {
			require.GreaterOrEqual(t, got.Bytes, int64(0))
			require.GreaterOrEqual(t, got.Free, int64(0))
			require.LessOrEqual(t, got.Free, got.Bytes)
		}
	})
}
