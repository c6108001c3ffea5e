package budget

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A Limit is the memory that the machine lets this process use.
type Limit struct {
	// Bytes is the least of the limits found: of every control group that the process is in, of the process's own (ulimit),
	// and the machine's memory. Swap is not counted.
	Bytes int64 `json:"bytes"`
	// Used is what is in use under that limit now, by this process and others; page cache that can be dropped is not.
	Used int64 `json:"used"`
	// Free is what can still be used before the first of all the limits is met.
	Free int64 `json:"free"`
	// Reason says in words whose limit it is: "cgroup v2 /user.slice: 8 GiB".
	Reason string `json:"reason"`
	// Scarcest says the same of the limit under which least is free, where that is another.
	Scarcest string `json:"scarcest,omitempty"`
	// Notes has a sentence for each thing that could not be read and that was left out.
	Notes []string `json:"notes,omitempty"`
}

// Binding says in words under which limit least is free.
func (l Limit) Binding() string { return cmp.Or(l.Scarcest, l.Reason) }

// Detect finds the memory limit of this process: the least of the limits of its control groups (version 2 and 1), of its
// own (RLIMIT_AS and RLIMIT_DATA), and of the machine's memory.
func Detect() (Limit, error) { return DetectIn(os.DirFS("/")) }

// DetectIn is Detect on another root directory, where /proc and /sys are looked for.
func DetectIn(root fs.FS) (Limit, error) {
	machine, err := machineMemory(root)
	found, notes := controlGroups(root)
	own, failed := ownLimits(root)
	found, notes = append(found, own...), append(notes, failed...)
	if err == nil {
		found = append(found, machine)
	} else {
		notes = append(notes, err.Error())
	}
	if len(found) == 0 {
		return Limit{}, fmt.Errorf("no memory limit and no size of memory found: %s", strings.Join(notes, "; "))
	}
	return leastOf(found, notes), nil
}

// A bound is one limit of several.
type bound struct {
	name        string
	bytes, used int64
}

func (b bound) free() int64 { return max(b.bytes-b.used, 0) }

func (b bound) String() string { return fmt.Sprintf("%s: %s", b.name, FormatBytes(b.bytes)) }

func leastOf(bounds []bound, notes []string) Limit {
	least, scarcest := bounds[0], bounds[0]
	for _, b := range bounds[1:] {
		if b.bytes < least.bytes {
			least = b
		}
		if b.free() < scarcest.free() {
			scarcest = b
		}
	}
	l := Limit{Bytes: least.bytes, Used: least.used, Free: scarcest.free(), Reason: least.String(), Notes: notes}
	if scarcest.free() < least.free() {
		l.Scarcest = scarcest.String()
	}
	return l
}

// machineMemory reads MemTotal and MemAvailable.
func machineMemory(root fs.FS) (bound, error) {
	info, err := readTable(root, "proc/meminfo")
	if err != nil {
		return bound{}, err
	}
	total, available := info["MemTotal:"]<<10, info["MemAvailable:"]<<10
	if total <= 0 {
		return bound{}, errors.New("proc/meminfo: no MemTotal")
	}
	if available <= 0 || available > total {
		available = total
	}
	return bound{name: "memory of the machine", bytes: total, used: total - available}, nil
}
