package budget

import (
	"fmt"
	"io/fs"
	"runtime"
	"strconv"
	"strings"
)

// The limits of a process on its own addresses; see getrlimit(2) and proc_pid_limits(5). A process that has a limit on
// all of its addresses (`ulimit -v`) or on those that it may write to (`ulimit -d`) dies of the first thing that Go's runtime
// or a C library asks for beyond it, so what those may still ask for is kept free of leases.
var processLimits = []struct {
	name, row, usage string
	room             int64 // for the runtime, beside what each core's threads take
	perCore          int64
}{
	{"RLIMIT_AS (ulimit -v)", "Max address space", "VmSize:", 512 << 20, 72 << 20}, // a core: a thread's stack, an arena of malloc
	{"RLIMIT_DATA (ulimit -d)", "Max data size", "VmData:", 128 << 20, 8 << 20},
}

// ownLimits gives the bounds that the process's own limits set, and notes on what could not be read.
func ownLimits(root fs.FS) (bounds []bound, notes []string) {
	text, err := fs.ReadFile(root, "proc/self/limits")
	if err != nil {
		return nil, nil // no /proc: nothing is known of such limits
	}
	status, _ := readTable(root, "proc/self/status")
	for _, l := range processLimits {
		bytes, limited, err := softLimit(string(text), l.row)
		if err != nil {
			notes = append(notes, err.Error())
		}
		if limited {
			used := max(status[l.usage]<<10, 0) + l.room + l.perCore*int64(runtime.GOMAXPROCS(0))
			bounds = append(bounds, bound{name: l.name, bytes: bytes, used: min(used, bytes)})
		}
	}
	return bounds, notes
}

// softLimit finds a row of proc/self/limits: a name, the limit that holds, and the greatest that it could be set to.
func softLimit(limits, row string) (bytes int64, limited bool, err error) {
	for line := range strings.Lines(limits) {
		rest, found := strings.CutPrefix(line, row+" ")
		if !found {
			continue
		}
		soft, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if soft == "unlimited" {
			return 0, false, nil
		}
		if bytes, err = strconv.ParseInt(soft, 10, 64); err != nil || bytes < 0 {
			return 0, false, fmt.Errorf("proc/self/limits: %s is %.40q, not a number of bytes", row, soft)
		}
		return bytes, bytes < cgroupV1.noLimit, nil
	}
	return 0, false, nil
}
