package sched

import "fmt"

// An item is placed on one device when it is admitted, and stays there. Pools and resources that every device has of its
// own stand once in a graph for each device, side by side; what a buffer, a need or a use names is the first of them, its
// home, and an item means the one of its device.

// devices gives the number of devices that items are placed on.
func (g *Graph) devices() int { return max(g.Devices, 1) }

// PoolOn gives the pool that an item on a device has where a buffer or a need names a pool.
func (g *Graph) PoolOn(pool, device int) int {
	if device > 0 && pool >= 0 && g.Pools[pool].PerDevice {
		return pool + device
	}
	return pool
}

// ResourceOn gives the resource that an item on a device uses where a stage names a resource.
func (g *Graph) ResourceOn(resource, device int) int {
	if device > 0 && g.Resources[resource].PerDevice {
		return resource + device
	}
	return resource
}

// EntryOn gives the key of the cache entry that a buffer is for an item on a device: what the shape names, and the device
// where every one has an entry of its own.
func (g *Graph) EntryOn(key string, buffer, device int) string {
	if pool := g.Buffers[buffer].Pool; g.devices() == 1 || key == "" || pool < 0 || !g.Pools[pool].PerDevice {
		return key
	}
	return fmt.Sprintf("%s@%d", key, device)
}

// homes lists the pools that buffers and needs can name.
func (g *Graph) homes() []int {
	var homes []int
	for p := 0; p < len(g.Pools); p++ {
		homes = append(homes, p)
		if g.Pools[p].PerDevice {
			p += g.devices() - 1
		}
	}
	return homes
}

// entriesOn gives, for each device, the cache entries of a shape there.
func (g *Graph) entriesOn(keys []string) [][]string {
	entries := make([][]string, g.devices())
	for d := range entries {
		if entries[d] = keys; len(entries) == 1 {
			break
		}
		entries[d] = make([]string, len(keys))
		for b, key := range keys {
			entries[d][b] = g.EntryOn(key, b, d)
		}
	}
	return entries
}

// place says on which device an item would be admitted now: of those on which it can fit at all, one that works if there is
// one (rest.go), and that with the fewest items under way; of several, that which has the most bytes of the item's cache
// entries; then the first.
func (c *Core) place(it *item) int {
	if len(c.flyingOn) == 1 {
		return 0
	}
	best := -1
	for d := range c.flyingOn {
		if it.plan.refusals[d] != nil && !c.unchecked {
			continue
		}
		if best < 0 || c.prefers(it, d, best) {
			best = d
		}
	}
	return max(best, 0)
}

// prefers reports whether a device is better for an item than one before it.
func (c *Core) prefers(it *item, device, other int) bool {
	if mine, its := c.reluctance(it, device), c.reluctance(it, other); mine != its {
		return mine < its
	}
	if c.flyingOn[device] != c.flyingOn[other] {
		return c.flyingOn[device] < c.flyingOn[other]
	}
	return c.entryBytesOn(it, device) > c.entryBytesOn(it, other)
}

// entryBytesOn gives the bytes of an item's cache entries that a device has and is not giving up.
func (c *Core) entryBytesOn(it *item, device int) int64 {
	var bytes int64
	keys := it.plan.entries[device]
	for b, key := range keys {
		if e := c.entries[key]; key != "" && e != nil && !e.evicting && firstUse(keys, b) {
			bytes += e.bytes
		}
	}
	return bytes
}
