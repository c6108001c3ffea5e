// Package plan searches the declared ranges of a pipeline's parameters for what a machine does best under a memory limit:
// it simulates settings and keeps those that no other beats both in memory and in time.
//
// Reading order: Search and Plan (plan.go), the space of settings (space.go), the search (search.go), the front and its
// knee (front.go), the table (table.go).
package plan

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// An Objective is what the best setting is best at.
type Objective string

// The objectives. Memory is the fewest bytes; the others are at most the limit's.
const (
	Throughput Objective = "throughput" // seconds per job, in the long run
	Latency    Objective = "latency"    // seconds from a job's arrival to its end, of the slowest in a hundred
	Memory     Objective = "memory"
)

// A Search is what is searched.
type Search struct {
	Name     string // of the pipeline's file
	Source   []byte // the pipeline
	Registry *stage.Registry
	Profile  *sim.Profile
	Arrivals sim.Arrivals
	Limits   map[string]int64 // bytes by pool, instead of what the profile's machine has
	Sets     []string         // parameters that are not searched, each "name=value"
	// Objective is throughput where nothing is said.
	Objective Objective
	Seed      uint64
	// Trials is how many settings are simulated at most; 0 is 320.
	Trials int
}

// A Plan is what a search found.
type Plan struct {
	Objective Objective `json:"objective"`
	Params    []string  `json:"params"` // that were searched
	Fixed     []string  `json:"fixed"`  // "name=value": they change what bodies do, and no profile tells what that costs
	Tried     int       `json:"tried"`
	Space     float64   `json:"space"`  // number of settings that there are
	Failed    int       `json:"failed"` // settings that were refused or ran out of memory
	Front     []Point   `json:"front"`  // the fewest bytes first; none is beaten in both memory and time
	Best      Point     `json:"best"`
	Knee      Point     `json:"knee"` // beyond which memory buys little
	// Default is the pipeline as it is written; nil where it does not fit.
	Default *Point `json:"default,omitempty"`
}

// A Point is a setting and what it came to.
type Point struct {
	Values  []int64 `json:"values"` // of the plan's Params
	Memory  int64   `json:"bytes"`  // promised at most by all pools that have a limit: with less, the setting would wait or not fit
	Seconds float64 `json:"seconds_per_job"`
	Latency float64 `json:"latency_p99"`
	Held    int     `json:"items_held"`
}

// Run searches. The same search with the same seed finds the same plan. The error is of the pipeline, the profile or the
// arrivals, or the context's; a space in which nothing fits is a *NothingFits.
func (s Search) Run(ctx context.Context) (*Plan, error) {
	if s.Objective == "" {
		s.Objective = Throughput
	}
	if s.Trials <= 0 {
		s.Trials = 320
	}
	space, err := s.space()
	if err != nil {
		return nil, err
	}
	h := &hunt{Search: &s, space: space, seen: map[string]bool{}}
	if err := h.run(ctx); err != nil {
		return nil, err
	}
	return h.plan()
}

// NothingFits says that no setting that was tried goes through.
type NothingFits struct {
	Tried  int
	Reason string // of the setting that came first
}

// Error says how many were tried and why one failed.
func (n *NothingFits) Error() string {
	return fmt.Sprintf("none of %d settings fits: %s", n.Tried, n.Reason)
}

// time gives what the objective minimizes beside memory.
func (o Objective) time(p Point) float64 {
	if o == Latency {
		return p.Latency
	}
	return p.Seconds
}
