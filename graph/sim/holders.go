package sim

import (
	"cmp"
	"fmt"
	"slices"
)

// A Holder is somebody who has bytes of a pool.
type Holder struct {
	Who   string `json:"who"`
	Bytes int64  `json:"bytes"`
}

// holders lists who has most of a pool, the greatest first: items with their scratch, and cache entries.
func (s *simulator) holders(pool int) []Holder {
	bytes := map[*flight]int64{}
	for f := range s.live {
		for b := range f.bytes {
			if f.filled[b] && s.prog.Graph.PoolOn(s.prog.Graph.Buffers[b].Pool, f.device) == pool {
				bytes[f] += f.bytes[b]
			}
		}
	}
	for _, g := range s.gangs {
		for _, b := range g.bodies {
			bytes[b.flight] += s.scratchOf(b, pool)
		}
	}
	var all []Holder
	for f, n := range bytes {
		if n > 0 {
			all = append(all, Holder{fmt.Sprintf("job %d, item %d", f.job.number, f.index), n})
		}
	}
	for key, e := range s.ledger.entries {
		if s.ledger.poolOf[e.class] == pool {
			all = append(all, Holder{"cache entry " + key, e.bytes})
		}
	}
	slices.SortFunc(all, func(a, b Holder) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Who, b.Who)) })
	return all
}

// scratchOf gives the scratch of a body that is resident by now.
func (s *simulator) scratchOf(b *body, pool int) int64 {
	c := s.courses[b.stage]
	var bytes int64
	for _, amount := range b.flight.shape.Scratch[b.stage] {
		resident := !c.late[amount.Name]
		for _, t := range c.enters[:b.phase+1] {
			resident = resident || t.scratch[amount.Name]
		}
		if resident && s.ledger.poolOf[s.ledger.on(b.flight, amount.Class)] == pool {
			bytes += amount.Bytes
		}
	}
	return bytes
}
