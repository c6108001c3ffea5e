package budget

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Snapshot is what the tracker knows: each pool with its classes is of one instant. The order is that of the
// tracker's pools and classes; holders go by name.
type Snapshot struct {
	Pools []PoolUse `json:"pools"`
	// Waiters is what the driver said waits for memory.
	Waiters []Waiter `json:"waiters"`
	// DoubleReleases counts releases of leases that were already released: each is a fault of a holder.
	DoubleReleases int64 `json:"double_releases"`
}

// A PoolUse is the use of one pool.
type PoolUse struct {
	Name  string `json:"name"`
	Limit int64  `json:"limit"` // below zero: none
	Counts
	Idle    int64      `json:"idle"` // bytes of the free list
	Lost    int64      `json:"lost"` // bytes that the system did not take back; they stay counted
	Classes []ClassUse `json:"classes"`
	Holders []Holder   `json:"holders"`
}

// A ClassUse is the use of one class. The free list is one, "idle", where there is a free list.
type ClassUse struct {
	Name string `json:"name"`
	Counts
}

// A Holder has the bytes that one holder holds in a pool. Shared bytes count with the lease that is oldest.
type Holder struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// A Waiter is someone who waits for bytes of a pool, as the driver tells it.
type Waiter struct {
	Holder string    `json:"holder"`
	Pool   int       `json:"pool"`
	Bytes  int64     `json:"bytes"`
	Since  time.Time `json:"since"`
}

// SetWaiters names the function that lists who waits. It is called by Snapshot, with no lock held; nil removes it.
func (t *Tracker) SetWaiters(list func() []Waiter) {
	if list == nil {
		t.waiters.Store(nil)
		return
	}
	t.waiters.Store(&list)
}

// Snapshot gives the counts, holders and waiters of now.
func (t *Tracker) Snapshot() Snapshot {
	s := Snapshot{DoubleReleases: t.doubles.Load()}
	for _, p := range t.pools {
		s.Pools = append(s.Pools, p.use())
	}
	if list := t.waiters.Load(); list != nil {
		s.Waiters = (*list)()
	}
	return s
}

func (p *pool) use() PoolUse {
	p.mu.Lock()
	defer p.mu.Unlock()
	use := PoolUse{
		Name: p.Name, Limit: p.Limit, Counts: p.counts.read(),
		Idle: p.idleCounts.bytes.Load(), Lost: p.lost, Holders: p.holders(),
	}
	for _, c := range p.tracker.classes {
		if c.Pool == p.index {
			use.Classes = append(use.Classes, ClassUse{Name: c.Name, Counts: c.counts.read()})
		}
	}
	if p.idle.limit > 0 {
		use.Classes = append(use.Classes, ClassUse{Name: idleName, Counts: p.idleCounts.read()})
	}
	return use
}

// holders sums the live leases by holder; the pool is locked.
func (p *pool) holders() []Holder {
	bytes := map[string]int64{}
	counted := map[*block]bool{}
	for l := p.live.next; l != &p.live; l = l.next {
		if !counted[l.block] {
			counted[l.block] = true
			bytes[l.holder] += l.block.size
		}
	}
	holders := make([]Holder, 0, len(bytes))
	for _, name := range slices.Sorted(maps.Keys(bytes)) {
		holders = append(holders, Holder{Name: name, Bytes: bytes[name]})
	}
	return holders
}

// largestHolders names the n largest holders and how many there are beside them.
func largestHolders(holders []Holder, n int) string {
	bySize := slices.Clone(holders)
	slices.SortStableFunc(bySize, func(a, b Holder) int { return cmp.Compare(b.Bytes, a.Bytes) })
	var names []string
	for _, h := range bySize[:min(n, len(bySize))] {
		names = append(names, fmt.Sprintf("%s (%s)", h.Name, FormatBytes(h.Bytes)))
	}
	if more := len(bySize) - n; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
