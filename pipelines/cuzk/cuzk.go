// Package cuzk holds the history of cuzk's memory rules, one pipeline for each, and what was published of them.
package cuzk

import (
	"embed"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
)

//go:embed *.yaml
var files embed.FS

// Read gives the source of a pipeline of the history by name: "split".
func Read(name string) ([]byte, error) { return files.ReadFile(name + ".yaml") }

// A Row is a configuration whose outcome was published.
type Row struct {
	Source   string // "repository" or "write-ups"
	Name     string // as published
	Pipeline string
	Sets     []string // parameters
	Jobs     int      // c: proofs of ten partitions
	AtOnce   int      // j: proofs under way
	// Seconds per proof, peak resident GiB and partitions held at most, as published; 0 where nothing was.
	Seconds, Peak float64
	Held          int
	Dies          bool // out of memory
}

// Rows lists the published outcomes.
func Rows() []Row {
	const unsaid = 40 // how many proofs were asked of the runs that died was not published
	const repository, writeUps = "repository", "write-ups"
	set := func(pw, gw int) []string { return []string{fmt.Sprint("pw=", pw), fmt.Sprint("gw=", gw)} }
	rows := []Row{
		{Source: repository, Name: "9, gw1 c3 j1", Pipeline: "phase11", Sets: set(10, 1), Jobs: 3, AtOnce: 1, Seconds: 32.1},
		{Source: repository, Name: "11, gw2 pw10 c20 j15", Pipeline: "phase11", Sets: set(10, 2), Jobs: 20, AtOnce: 15, Seconds: 36.7, Peak: 430},
		{Source: repository, Name: "12 split only, gw2 pw10 c20 j15", Pipeline: "split", Sets: set(10, 2), Jobs: 20, AtOnce: 15, Seconds: 37.1, Peak: 367},
		{Source: repository, Name: "12 split only, pw12 j15", Pipeline: "split", Sets: set(12, 2), Jobs: unsaid, AtOnce: 15, Peak: 668, Held: 28, Dies: true},
	}
	for _, r := range []struct {
		pw            int
		seconds, peak float64
	}{{10, 38.5, 321}, {12, 37.7, 400}, {14, 37.8, 457}, {16, 38.4, 510}} {
		rows = append(rows, Row{
			Source: repository, Name: fmt.Sprintf("12 all three, pw%d c20 j20", r.pw), Pipeline: "all-three", Sets: set(r.pw, 2),
			Jobs: 20, AtOnce: 20, Seconds: r.seconds, Peak: r.peak,
		})
	}
	for _, r := range []struct {
		pw, gw        int
		seconds, peak float64
	}{{1, 1, 290, 104}, {2, 1, 152, 110}, {5, 1, 68.4, 170}, {7, 1, 53.3, 208}, {10, 1, 45.4, 310}, {10, 2, 42.5, 271}, {12, 2, 42.5, 373}} {
		rows = append(rows, Row{
			Source: repository, Name: fmt.Sprintf("12 low memory, pw%d gw%d c5 j5", r.pw, r.gw), Pipeline: "all-three", Sets: set(r.pw, r.gw),
			Jobs: 5, AtOnce: 5, Seconds: r.seconds, Peak: r.peak,
		})
	}
	wrote := func(name, pipeline string, pw int, seconds, peak float64, held int, dies bool) Row {
		jobs := 20
		if dies {
			jobs = unsaid
		}
		return Row{
			Source: writeUps, Name: name, Pipeline: pipeline, Sets: set(pw, 2), Jobs: jobs, AtOnce: 15,
			Seconds: seconds, Peak: peak, Held: held, Dies: dies,
		}
	}
	return append(rows,
		wrote("split only, pw10 j15", "split", 10, 37.1, 367, 0, false),
		wrote("split only, pw12 j15", "split", 12, 0, 668, 28, true),
		wrote("split only, pw15 j15", "split", 15, 0, 668, 28, true),
		wrote("permit through send, capacity 1, pw12", "permit-through-send", 12, 39.9, 294.7, 0, false),
		wrote("permit through send, capacity 1, pw10", "permit-through-send", 10, 40.5, 0, 0, false),
		wrote("capacity = pw, released at completion, pw10", "capacity", 10, 39.3, 390, 19, false),
		wrote("all three, pw10", "all-three", 10, 38.9, 314.7, 14, false),
		wrote("all three, pw12", "all-three", 12, 38.4, 383.8, 18, false),
	)
}

// Load makes a pipeline of the history ready for simulation.
func Load(name string, sets []string, profile *sim.Profile) (*program.Program, error) {
	source, err := Read(name)
	if err != nil {
		return nil, fmt.Errorf("cuzk's history has no pipeline %q: %w", name, err)
	}
	registry, err := stage.NewRegistry(sim.Kinds()...)
	if err != nil {
		return nil, err
	}
	return profile.Bind(name+".yaml", source, registry, sets, nil)
}

// Simulate simulates a row.
func (r Row) Simulate(profile *sim.Profile, options sim.Options) (*sim.Result, error) {
	prog, err := Load(r.Pipeline, r.Sets, profile)
	if err != nil {
		return nil, err
	}
	return sim.Run(prog, profile, sim.Arrivals{Jobs: r.Jobs, Items: 10, AtOnce: r.AtOnce}, options)
}
