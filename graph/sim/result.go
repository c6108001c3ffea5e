package sim

import "github.com/proofgraph/proofgraph/graph/sim/timeline"

// A Result is what a simulation found. Times are in seconds of virtual time.
type Result struct {
	Pipeline string `json:"pipeline"`
	Profile  string `json:"profile"`
	Jobs     int    `json:"jobs"`
	Items    int    `json:"items"` // of all jobs
	Ended    int    `json:"items_ended"`
	// Seconds is the whole run; PerJob divides it by the jobs, Steady does so between the first and the last quarter of
	// the items, where filling and draining do not count.
	Seconds float64 `json:"seconds"`
	PerJob  float64 `json:"seconds_per_job"`
	Steady  float64 `json:"steady_seconds_per_job"`
	Latency Latency `json:"latency_seconds"`
	// MostHeld is the greatest number of items that had carried bytes at once.
	MostHeld  int           `json:"most_items_held"`
	Verdict   Verdict       `json:"verdict"`
	Stages    []StageResult `json:"stages"`
	Admission []Blocked     `json:"admission_blocked"`
	Edges     []EdgeResult  `json:"edges"`
	Pools     []PoolResult  `json:"pools"`
	Classes   []ClassResult `json:"classes"`
	// Notes say which stages do without a pool that is too small for them.
	Notes []string `json:"notes,omitempty"`
	// Timeline is nil where none was recorded.
	Timeline *timeline.Timeline `json:"-"`
}

// Latency is from a job's arrival to the end of its last item.
type Latency struct {
	P50, P90, P99, Max float64
}

// An Outcome is how a simulation ended.
type Outcome string

// The outcomes.
const (
	Completed   Outcome = "completed"
	OutOfMemory Outcome = "out of memory" // the resident bytes of a pool exceeded what the machine has
	Refused     Outcome = "refused"       // an item can never fit
	Stalled     Outcome = "stalled"       // items are left and nothing moves: a fault of the core
)

// A Verdict is an outcome, and for one that is not Completed when, why and who held the memory.
type Verdict struct {
	Outcome Outcome  `json:"outcome"`
	Seconds float64  `json:"at_seconds,omitempty"`
	Pool    string   `json:"pool,omitempty"`
	Bytes   int64    `json:"bytes,omitempty"`
	Limit   int64    `json:"limit,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Holders []Holder `json:"holders,omitempty"` // the greatest first
}

// A StageResult is one stage's.
type StageResult struct {
	Name        string    `json:"name"`
	Kind        string    `json:"kind"`
	Workers     int       `json:"workers"`
	Bodies      int64     `json:"bodies"`
	BodySeconds float64   `json:"seconds_per_body"`
	Utilisation float64   `json:"utilisation"` // busy seconds of all workers, of what they could be
	Blocked     []Blocked `json:"blocked"`
}

// Blocked is why a stage could start no further body, and for how long.
type Blocked struct {
	Kind    string  `json:"kind"`
	On      string  `json:"on,omitempty"`
	Seconds float64 `json:"seconds"`
}

// An EdgeResult is the most that lay on an edge.
type EdgeResult struct {
	From      string `json:"from"`
	To        string `json:"to"`
	Capacity  int    `json:"capacity"`
	PeakItems int    `json:"peak_items"`
	PeakBytes int64  `json:"peak_bytes"`
}

// A PoolResult has a pool's bytes: Promised is what the core gave out at most, in reservations and scratch; Leased what
// existed; Resident what had been written to. Limit < 0 is none.
type PoolResult struct {
	Name         string  `json:"name"`
	Limit        int64   `json:"limit"`
	PeakPromised int64   `json:"peak_promised"`
	PeakLeased   int64   `json:"peak_leased"`
	PeakResident int64   `json:"peak_resident"`
	PeakAt       float64 `json:"peak_at_seconds"`
	MeanResident int64   `json:"mean_resident"`
}

// A ClassResult has a class's bytes, and the most buffers of items that were resident at once.
type ClassResult struct {
	Name         string `json:"name"`
	Pool         string `json:"pool"`
	PeakLeased   int64  `json:"peak_leased"`
	PeakResident int64  `json:"peak_resident"`
	MeanResident int64  `json:"mean_resident"`
	PeakBuffers  int    `json:"peak_buffers"`
}

// Pool gives a pool's result by name, or nil.
func (r *Result) Pool(name string) *PoolResult {
	return find(r.Pools, func(p *PoolResult) string { return p.Name }, name)
}

// Class gives a class's result by name, or nil.
func (r *Result) Class(name string) *ClassResult {
	return find(r.Classes, func(c *ClassResult) string { return c.Name }, name)
}

// Stage gives a stage's result by name, or nil.
func (r *Result) Stage(name string) *StageResult {
	return find(r.Stages, func(s *StageResult) string { return s.Name }, name)
}

func find[T any](all []T, nameOf func(*T) string, name string) *T {
	for i := range all {
		if nameOf(&all[i]) == name {
			return &all[i]
		}
	}
	return nil
}
