//go:build unix

package budget

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// A ceiling is a limit on the process's addresses, and where proc_pid_statm(5) counts what is under it, in pages. A lease
// leaves headroom for Go's runtime and for C libraries: they end the process where they are refused memory, while a lease
// that is refused is an error. It is less than Detect takes off, because threads and heaps have begun by then.
type ceiling struct {
	resource int
	name     string
	column   int
	headroom int64
}

var ceilings = []ceiling{
	{unix.RLIMIT_AS, "RLIMIT_AS (ulimit -v)", 0, 192 << 20},
	{unix.RLIMIT_DATA, "RLIMIT_DATA (ulimit -d)", 5, 48 << 20},
}

// leavesHeadroom refuses a mapping that would leave the runtime too little. Where nothing is limited it asks no more than
// that.
func leavesHeadroom(size int64) error {
	for _, c := range ceilings {
		var limit unix.Rlimit
		if err := unix.Getrlimit(c.resource, &limit); err != nil || limit.Cur >= 1<<62 {
			continue
		}
		used := c.used()
		if used+size+c.headroom > int64(limit.Cur) {
			return fmt.Errorf("%s is %s, and the process has %s: %w", c.name, FormatBytes(int64(limit.Cur)), FormatBytes(used), unix.ENOMEM)
		}
	}
	return nil
}

// used is what the process has under a ceiling; 0 where the system does not tell.
func (c ceiling) used() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	columns := strings.Fields(string(text))
	if c.column >= len(columns) {
		return 0
	}
	var pages int64
	if _, err := fmt.Sscan(columns[c.column], &pages); err != nil {
		return 0
	}
	return pages * pageSize
}
