package budget

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A Limit is the memory that the machine lets this process use.
type Limit struct {
	// Bytes is the least of the limits found: of every control group that the process is in, and the machine's memory.
	// Swap is not counted.
	Bytes int64 `json:"bytes"`
	// Used is what is in use under that limit now, by this process and others; page cache that can be dropped is not.
	Used int64 `json:"used"`
	// Free is what can still be used before the first of all the limits is met.
	Free int64 `json:"free"`
	// Reason says in words whose limit it is: "cgroup v2 /user.slice: 8 GiB".
	Reason string `json:"reason"`
	// Notes has a sentence for each thing that could not be read and that was left out.
	Notes []string `json:"notes,omitempty"`
}

// Detect finds the memory limit of this process: the least of the limits of its control groups (version 2 and 1) and
// of the machine's memory.
func Detect() (Limit, error) { return DetectIn(os.DirFS("/")) }

// DetectIn is Detect on another root directory, where /proc and /sys are looked for.
func DetectIn(root fs.FS) (Limit, error) {
	machine, err := machineMemory(root)
	found, notes := controlGroups(root)
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

func leastOf(bounds []bound, notes []string) Limit {
	least, free := bounds[0], bounds[0].bytes-bounds[0].used
	for _, b := range bounds[1:] {
		free = min(free, b.bytes-b.used)
		if b.bytes < least.bytes {
			least = b
		}
	}
	reason := fmt.Sprintf("%s: %s", least.name, FormatBytes(least.bytes))
	return Limit{Bytes: least.bytes, Used: least.used, Free: max(free, 0), Reason: reason, Notes: notes}
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
