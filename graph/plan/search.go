package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/proofgraph/proofgraph/graph/sim"
)

// A hunt is a search under way.
type hunt struct {
	*Search
	space  space
	seen   map[string]bool
	points []Point
	front  []Point
	tried  int
	failed int
	reason string // why the first setting failed
}

// run tries the settings of a small space one and all; of a large one the written setting, some that are spread over
// it, and then whatever is near the front, until nothing near it is new or the trials are used up.
func (h *hunt) run(ctx context.Context) error {
	if h.space.size <= float64(h.Trials) {
		return h.try(ctx, h.space.every())
	}
	if err := h.try(ctx, append([][]int64{h.space.written()}, h.spread(h.Trials/4)...)); err != nil {
		return err
	}
	for h.tried < h.Trials {
		near := h.nearFront()
		if len(near) == 0 {
			return nil
		}
		if err := h.try(ctx, near[:min(len(near), h.Trials-h.tried)]); err != nil {
			return err
		}
	}
	return nil
}

// spread gives settings that cover each parameter's range evenly, in seeded combinations (a Latin hypercube).
func (h *hunt) spread(n int) [][]int64 {
	random := rand.New(rand.NewPCG(h.Seed, 1))
	settings := make([][]int64, n)
	for _, p := range h.space.params {
		for i, place := range random.Perm(n) {
			settings[i] = append(settings[i], at(p, float64(place)/float64(max(n-1, 1))))
		}
	}
	return settings
}

// nearFront lists the settings one step from a point of the front that have not been tried.
func (h *hunt) nearFront() [][]int64 {
	var near [][]int64
	for _, point := range h.front {
		for i, p := range h.space.params {
			for _, v := range steps(p, point.Values[i]) {
				values := slices.Clone(point.Values)
				values[i] = v
				if !h.seen[fmt.Sprint(values)] {
					near = append(near, values)
				}
			}
		}
	}
	return near
}

// try simulates settings, several at once, and takes them in in their order.
func (h *hunt) try(ctx context.Context, settings [][]int64) error {
	fresh := slices.DeleteFunc(settings, func(values []int64) bool {
		key := fmt.Sprint(values)
		known := h.seen[key]
		h.seen[key] = true
		return known
	})
	results := make([]*sim.Result, len(fresh))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, values := range fresh {
		group.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			results[i], err = h.simulate(values)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, r := range results {
		h.take(fresh[i], r)
	}
	h.front = front(h.points, h.Objective)
	return nil
}

func (h *hunt) simulate(values []int64) (*sim.Result, error) {
	sets := slices.Clone(h.Sets)
	for i, p := range h.space.params {
		sets = append(sets, fmt.Sprintf("%s=%d", p.Name, values[i]))
	}
	prog, err := h.Profile.Bind(h.Name, h.Source, h.Registry, sets, h.Limits)
	if err != nil {
		return nil, err
	}
	return sim.Run(prog, h.Profile, h.Arrivals, sim.Options{Seed: h.Seed})
}

func (h *hunt) take(values []int64, r *sim.Result) {
	h.tried++
	if r.Verdict.Outcome != sim.Completed {
		h.failed++
		if h.reason == "" {
			h.reason = r.Verdict.String()
		}
		return
	}
	p := Point{Values: values, Seconds: r.Steady, Latency: r.Latency.P99, Held: r.MostHeld}
	for _, pool := range limited(r.Pools) {
		p.Memory += pool.PeakPromised
	}
	h.points = append(h.points, p)
}

// limited gives the pools that have a limit, or all of them where none has.
func limited(pools []sim.PoolResult) []sim.PoolResult {
	some := slices.DeleteFunc(slices.Clone(pools), func(p sim.PoolResult) bool { return p.Limit < 0 })
	if len(some) == 0 {
		return pools
	}
	return some
}

func (h *hunt) plan() (*Plan, error) {
	if len(h.front) == 0 {
		return nil, &NothingFits{Tried: h.tried, Reason: h.reason}
	}
	p := &Plan{
		Objective: h.Objective, Tried: h.tried, Space: h.space.size, Failed: h.failed, Front: h.front,
		Best: best(h.front, h.Objective), Knee: knee(h.front, h.Objective), Fixed: h.space.fixed,
	}
	for _, param := range h.space.params {
		p.Params = append(p.Params, param.Name)
	}
	written := h.space.written()
	if i := slices.IndexFunc(h.points, func(p Point) bool { return slices.Equal(p.Values, written) }); i >= 0 {
		p.Default = &h.points[i]
	}
	return p, nil
}
