package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// poolsSection reads the pools: numbers of bytes that buffers come from.
func (l *loader) poolsSection(n node) {
	section, _ := n.mapping(n, "pools")
	for _, e := range section.entries {
		e.key.namedPlainly("a pool")
		l.pools[e.key.Value] = len(l.p.Pools)
		l.p.Pools = append(l.p.Pools, l.pool(e))
	}
}

func (l *loader) pool(e entry) Pool {
	p := Pool{Name: e.key.Value, Pos: e.key.pos()}
	f, good := e.value.mapping(e.key, fmt.Sprintf("pool %q", p.Name))
	if !good {
		return p
	}
	f.only("limit", "margin", "memory")
	p.Memory = f.memory()
	if limit, found := f.need("limit", "write limit: auto, limit: none, or a size such as limit: 8GiB"); found {
		p.Limit = l.limit(limit)
		if p.Limit.None && p.Memory != budget.Host {
			limit.fail(CodeChoice, "write limit: auto, or a size", "%s memory is never given back by the kernel alone, so its limit cannot be none", p.Memory)
		}
	}
	if margin, found := f.get("margin"); found {
		p.Margin, good = l.size(margin, "margin", 0, maxBytes)
		if good && !p.Limit.Auto && p.Limit != (Limit{}) {
			margin.fail(CodeNoEffect, "leave it out, or write limit: auto", "a margin is kept free of a limit that auto finds, not of this one")
		}
	}
	return p
}

// memory reads whose memory a pool is.
func (f *fields) memory() budget.Memory {
	n, found := f.get("memory")
	if !found || !n.scalar("one of "+strings.Join(budget.Memories(), ", ")) {
		return budget.Host
	}
	i := slices.Index(budget.Memories(), n.Value)
	if i < 0 {
		n.fail(CodeChoice, memoryHint(n), "memory cannot be %q", n.Value)
		return budget.Host
	}
	return budget.Memory(i)
}

// memoryHint says which memory was meant, by another of its names.
func memoryHint(n node) string {
	for memory, names := range otherMemories {
		if slices.Contains(names, strings.ToLower(n.Value)) {
			return fmt.Sprintf("did you mean %q?", memory.String())
		}
	}
	return suggestChoice(n.src, n.Value, budget.Memories())
}

var otherMemories = map[budget.Memory][]string{
	budget.Host:   {"cpu", "ram", "main", "system"},
	budget.Pinned: {"locked", "page-locked", "pagelocked", "page_locked"},
	budget.Device: {"gpu", "cuda", "vram", "hbm"},
}

func (l *loader) limit(n node) Limit {
	switch n.Value {
	case "auto":
		return Limit{Auto: true}
	case "none":
		return Limit{None: true}
	}
	bytes, _ := l.size(n, "limit", 1, maxBytes)
	return Limit{Bytes: bytes}
}

// buffersSection reads the buffer classes.
func (l *loader) buffersSection(n node) {
	section, _ := n.mapping(n, "buffers")
	for _, e := range section.entries {
		e.key.namedPlainly("a buffer class")
		l.classes[e.key.Value] = len(l.p.Classes)
		l.p.Classes = append(l.p.Classes, l.class(e))
	}
}

func (l *loader) class(e entry) Class {
	c := Class{Name: e.key.Value, Pool: -1, Pos: e.key.pos()}
	f, good := e.value.mapping(e.key, fmt.Sprintf("buffer class %q", c.Name))
	if !good {
		return c
	}
	f.only("pool", "cached")
	c.Cached = f.flagOr("cached", false)
	if pool, good := f.name("pool", "write pool: and the name of one of pools"); good {
		c.Pool = pool.find(l.pools, CodeNoPool, "pool", "pools")
	}
	return c
}

// resourcesSection reads the resources that bodies hold while they run.
func (l *loader) resourcesSection(n node) {
	section, _ := n.mapping(n, "resources")
	for _, e := range section.entries {
		e.key.namedPlainly("a resource")
		l.resources[e.key.Value] = len(l.p.Resources)
		l.p.Resources = append(l.p.Resources, l.resource(e))
	}
}

// resource reads a resource: a count, or a count of each device.
func (l *loader) resource(e entry) Resource {
	r := Resource{Name: e.key.Value, Pos: e.key.pos()}
	count := e.value
	if count.Kind == yaml.MappingNode {
		f, _ := count.mapping(e.key, fmt.Sprintf("resource %q", r.Name))
		f.only("count", "per")
		r.PerDevice = f.perDevice()
		var found bool
		if count, found = f.need("count", "write count: and how many there are"); !found {
			return r
		}
	}
	n, _ := l.count(count, fmt.Sprintf("the count of resource %q", r.Name), 1, maxCount)
	r.Count = int(n)
	return r
}

// perDevice reads what a resource is counted per; of the whole machine it is counted without a word.
func (f *fields) perDevice() bool {
	n, found := f.get("per")
	if found && n.scalar("device") && n.Value != "device" {
		hint := "write per: device"
		if n.Value == "machine" || n.Value == "host" {
			hint = "leave it out: without per, the machine has so many"
		}
		n.fail(CodeChoice, hint, "per cannot be %q", n.Value)
	}
	return found
}

// find gives the index of the thing that the node names, -1 with an error where there is none.
func (n node) find(index map[string]int, code Code, what, section string) int {
	i, found := index[n.Value]
	if !found {
		hint := suggest(n.src, n.Value, slices.Sorted(maps.Keys(index)))
		if len(index) == 0 {
			hint = fmt.Sprintf("the pipeline declares none; add one under %s:", section)
		}
		n.fail(code, hint, "there is no %s %q", what, n.Value)
		return -1
	}
	return i
}
