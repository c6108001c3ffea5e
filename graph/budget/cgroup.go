package budget

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// The control groups of a process, and where they are mounted, are described in cgroups(7) and in the kernel's
// admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.

// A hierarchy is a version of the memory controller: how its files are called.
type hierarchy struct {
	version   string
	limits    []string
	usage     string
	reclaimed string // the entry of memory.stat that counts page cache which can be dropped
	noLimit   int64  // values from here on are no limit
}

var (
	cgroupV2 = hierarchy{"v2", []string{"memory.max", "memory.high"}, "memory.current", "inactive_file", 1 << 62}
	cgroupV1 = hierarchy{"v1", []string{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file", 1 << 60}
)

// controlGroups gives the limits of the process's control groups, and notes on what could not be read.
func controlGroups(root fs.FS) (bounds []bound, notes []string) {
	member, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil, nil // no control groups, or no /proc: the machine's memory is what is left
	}
	mounts, _ := fs.ReadFile(root, "proc/self/mountinfo")
	for line := range strings.Lines(string(member)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		h := hierarchyOf(fields[1])
		if h == nil {
			continue
		}
		mount, mountRoot := mountOf(string(mounts), h)
		found, failed := h.walk(root, mount, below(fields[2], mountRoot))
		bounds, notes = append(bounds, found...), append(notes, failed...)
	}
	return bounds, notes
}

// hierarchyOf gives the memory controller's version by the controllers that a line of proc/self/cgroup names: none for
// version 2, "memory" among others for version 1.
func hierarchyOf(controllers string) *hierarchy {
	if controllers == "" {
		return &cgroupV2
	}
	for name := range strings.SplitSeq(controllers, ",") {
		if name == "memory" {
			return &cgroupV1
		}
	}
	return nil
}

// mountOf finds where a hierarchy is mounted, and which of its groups is the root there; see proc_pid_mountinfo(5).
func mountOf(mountinfo string, h *hierarchy) (mount, mountRoot string) {
	for line := range strings.Lines(mountinfo) {
		before, after, _ := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if len(place) < 5 || len(kind) < 3 {
			continue
		}
		isV1 := kind[0] == "cgroup" && strings.Contains(","+kind[2]+",", ",memory,")
		if (h == &cgroupV1 && isV1) || (h == &cgroupV2 && kind[0] == "cgroup2") {
			return strings.TrimPrefix(place[4], "/"), place[3]
		}
	}
	if h == &cgroupV1 {
		return "sys/fs/cgroup/memory", "/"
	}
	return "sys/fs/cgroup", "/"
}

// below gives a group's path from the group that is mounted; a group outside it cannot be seen, and the mounted one
// is taken for it.
func below(group, mountRoot string) string {
	group, mountRoot = path.Clean("/"+group), path.Clean("/"+mountRoot)
	if mountRoot == "/" {
		return group
	}
	if rest, inside := strings.CutPrefix(group, mountRoot); inside && (rest == "" || rest[0] == '/') {
		return path.Clean("/" + rest)
	}
	return "/"
}

// walk reads the limits of a group and of all those above it that can be seen.
func (h *hierarchy) walk(root fs.FS, mount, group string) (bounds []bound, notes []string) {
	for {
		dir := path.Join(mount, group)
		for _, file := range h.limits {
			b, limited, err := h.read(root, dir, group, file)
			if err != nil {
				notes = append(notes, err.Error())
			} else if limited {
				bounds = append(bounds, b)
			}
		}
		if group == "/" {
			return bounds, notes
		}
		group = path.Dir(group)
	}
}

// read gives the bound that one file sets. A file that is not there sets none: the root group has no limits, and a
// hierarchy of version 2 may be without the memory controller.
func (h *hierarchy) read(root fs.FS, dir, group, file string) (b bound, limited bool, err error) {
	text, err := fs.ReadFile(root, path.Join(dir, file))
	if err != nil {
		return bound{}, false, nil
	}
	value := strings.TrimSpace(string(text))
	if value == "max" {
		return bound{}, false, nil
	}
	bytes, err := strconv.ParseInt(value, 10, 64)
	if err != nil || bytes < 0 {
		return bound{}, false, fmt.Errorf("cgroup %s %s: %s is %.40q, not a number of bytes", h.version, group, file, value)
	}
	name := fmt.Sprintf("cgroup %s %s", h.version, group)
	return bound{name: name, bytes: bytes, used: h.used(root, dir)}, bytes < h.noLimit, nil
}

// used gives a group's memory less the page cache that can be dropped; 0 where it cannot be read.
func (h *hierarchy) used(root fs.FS, dir string) int64 {
	text, err := fs.ReadFile(root, path.Join(dir, h.usage))
	if err != nil {
		return 0
	}
	usage, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	stat, _ := readTable(root, path.Join(dir, "memory.stat"))
	return max(usage-stat[h.reclaimed], 0)
}

// readTable reads lines of a name and a number, as in memory.stat and meminfo; other lines are left out.
func readTable(root fs.FS, file string) (map[string]int64, error) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	table := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			table[fields[0]] = n
		}
	}
	return table, nil
}
