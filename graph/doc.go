// Package graph is a framework for pipelines that hold large buffers: a YAML file names typed stages and bounded edges,
// every large buffer is leased from a budget before it exists, and one scheduling core decides what runs.
//
// The parts, in reading order: stage (the contract with the code of a stage), spec (the YAML language), budget (memory),
// sched (the scheduling core), run (the real driver), render (pictures). The package itself holds only examples.
package graph
