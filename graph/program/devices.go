package program

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// What a pipeline says once of device memory, a program has for every device: "device" is a pool of the one device there
// is, or "device0", "device1", ... of several; so are resources that are counted per device, and of the classes in such a
// pool "bases" becomes "bases@0", "bases@1", ... Those of one name lie side by side, the first device's first.

// A Pool is a pool of the machine, or of one of its devices.
type Pool struct {
	budget.Pool
	Device int // whose memory it is, or -1
	Spec   int // index into the pipeline's pools
}

// A Class is a buffer class in a pool of the machine, or of one of its devices.
type Class struct {
	Name   string
	Pool   int // index into Pools
	Cached bool
}

// ClassOn gives the class that an item on a device has for a class of a buffer or an amount.
func (prog *Program) ClassOn(class, device int) int {
	if class >= 0 && prog.Pools[prog.Classes[class].Pool].Device >= 0 {
		return class + device
	}
	return class
}

// NameOn is the name of what a pipeline calls name on one of so many devices: New wants the limits of pools by it.
func NameOn(name string, device, devices int) string { return numbered(name, "", device, devices) }

func numbered(name, separator string, device, devices int) string {
	if devices <= 1 {
		return name
	}
	return fmt.Sprintf("%s%s%d", name, separator, device)
}

// numbered names what a device has of its own.
func (prog *Program) numbered(name, separator string, device int) string {
	return numbered(name, separator, device, prog.Devices)
}

// copies gives the number of pools, or classes in a pool, that a pipeline's pool stands for.
func (prog *Program) copies(memory budget.Memory) int {
	if memory == budget.Device {
		return prog.Devices
	}
	return 1
}

func (prog *Program) addPools(limits map[string]int64) error {
	for i, pool := range prog.Spec.Pools {
		prog.poolAt = append(prog.poolAt, len(prog.Pools))
		for d := range prog.copies(pool.Memory) {
			own := Pool{Pool: budget.Pool{Name: pool.Name, Memory: pool.Memory}, Device: -1, Spec: i}
			if pool.Memory == budget.Device {
				own.Name, own.Device = prog.numbered(pool.Name, "", d), d
			}
			limit, err := limitOf(pool, own.Name, limits)
			if err != nil {
				return err
			}
			own.Limit = limit
			prog.Pools = append(prog.Pools, own)
			prog.Graph.Pools = append(prog.Graph.Pools, sched.Pool{Name: own.Name, Limit: limit, PerDevice: own.Device == 0})
		}
	}
	return nil
}

// limitOf gives the bytes of a pool, of its own name or of the one that the pipeline gives it. A machine need not have
// pinned or device memory: a pool of it may have no bytes, and what needs some is refused later.
func limitOf(pool spec.Pool, name string, limits map[string]int64) (int64, error) {
	given, ok := limits[name]
	if !ok {
		given, ok = limits[pool.Name]
	}
	limit := pool.Limit.Bytes
	switch {
	case pool.Limit.None:
		limit = -1
	case pool.Limit.Auto && !ok && pool.Memory == budget.Host:
		return 0, fmt.Errorf("the limit of pool %q is auto, and this machine offers none", name)
	case pool.Limit.Auto:
		limit = given
	case ok:
		limit = min(limit, given)
	}
	if pool.Memory != budget.Host {
		return max(limit, 0), nil
	}
	if limit == 0 {
		return 0, fmt.Errorf("pool %q has no bytes left after its margin", name)
	}
	return limit, nil
}

func (prog *Program) addClasses() {
	for _, class := range prog.Spec.Classes {
		prog.classAt = append(prog.classAt, len(prog.Classes))
		memory := prog.Spec.Pools[class.Pool].Memory
		for d := range prog.copies(memory) {
			own := Class{Name: class.Name, Pool: prog.poolAt[class.Pool] + d, Cached: class.Cached}
			if memory == budget.Device {
				own.Name = prog.numbered(class.Name, "@", d)
			}
			prog.Classes = append(prog.Classes, own)
		}
	}
}

func (prog *Program) addResources() {
	for _, r := range prog.Spec.Resources {
		prog.resourceAt = append(prog.resourceAt, len(prog.Graph.Resources))
		if !r.PerDevice {
			prog.Graph.Resources = append(prog.Graph.Resources, sched.Resource{Name: r.Name, Count: r.Count})
			continue
		}
		for d := range prog.Devices {
			own := sched.Resource{Name: prog.numbered(r.Name, "", d), Count: r.Count, PerDevice: d == 0}
			prog.Graph.Resources = append(prog.Graph.Resources, own)
		}
	}
}

// requireNames refuses a pipeline whose names meet those that pools and resources of several devices get.
func (prog *Program) requireNames() error {
	pools, resources := map[string]bool{}, map[string]bool{}
	for _, p := range prog.Graph.Pools {
		if pools[p.Name] {
			return fmt.Errorf("with %d devices there are two pools %q; name one of them otherwise", prog.Devices, p.Name)
		}
		pools[p.Name] = true
	}
	for _, r := range prog.Graph.Resources {
		if resources[r.Name] {
			return fmt.Errorf("with %d devices there are two resources %q; name one of them otherwise", prog.Devices, r.Name)
		}
		resources[r.Name] = true
	}
	return nil
}
