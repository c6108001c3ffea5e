package budget

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The tracker against a model that a reader can see to be right: a list of blocks, each with the leases that share it.

type modelBlock struct {
	class  int
	bytes  int64
	mark   byte // what the lease's first byte was set to
	backed bool
	leases []modelLease
}

type modelLease struct {
	lease  *Lease
	holder string
}

type model struct {
	tracker *Tracker
	memory  Memory
	limit   int64
	blocks  []*modelBlock
	high    int64
	born    int64
	marks   byte
}

func (m *model) inUse() (bytes int64) {
	for _, b := range m.blocks {
		bytes += b.bytes
	}
	return bytes
}

func TestTrackerAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var opts []Option
		if rapid.Bool().Draw(t, "guarded") {
			opts = append(opts, WithAllocator(host, Guarded{}))
		}
		m := &model{limit: 20 * pageSize, memory: Memory(rapid.IntRange(0, 2).Draw(t, "memory"))}
		switch device := (&Sealed{}); m.memory {
		case Pinned:
			opts = append(opts, WithAllocator(host, System{}))
		case Device:
			opts = append(opts, WithAllocator(host, device))
			defer func() { require.Equal(t, m.mappings(), device.Given()) }()
		}
		tracker, err := New([]Pool{{Name: "host", Limit: m.limit, Memory: m.memory}}, []Class{{Name: "abc"}, {Name: "h"}}, opts...)
		require.NoError(t, err)
		m.tracker = tracker
		t.Repeat(map[string]func(*rapid.T){
			"lease":    m.lease,
			"shrink":   m.shrink,
			"share":    m.share,
			"handOver": m.handOver,
			"recast":   m.recast,
			"release":  m.release,
			"":         m.check,
		})
	})
}

func (m *model) lease(t *rapid.T) {
	b := &modelBlock{
		class: rapid.IntRange(0, 1).Draw(t, "class"), bytes: rapid.Int64Range(0, 8*pageSize).Draw(t, "bytes"),
		backed: rapid.Bool().Draw(t, "backed"),
	}
	ask := m.tracker.Charge
	if b.backed {
		ask = m.tracker.Lease
	}
	m.born++
	holder := fmt.Sprint("item ", m.born%3)
	l, err := ask(b.class, b.bytes, holder)
	if m.inUse()+b.bytes > m.limit {
		require.ErrorAs(t, err, new(*OverBudgetError))
		return
	}
	require.NoError(t, err)
	if b.backed && b.bytes > 0 && m.memory != Device {
		m.marks++
		b.mark = m.marks
		l.Bytes()[0] = b.mark
	}
	b.leases = []modelLease{{l, holder}}
	m.blocks = append(m.blocks, b)
	m.high = max(m.high, m.inUse())
}

// pick draws a block and one of its leases, or skips where there is none.
func (m *model) pick(t *rapid.T) (*modelBlock, *modelLease) {
	if len(m.blocks) == 0 {
		t.Skip("no lease")
	}
	b := rapid.SampledFrom(m.blocks).Draw(t, "block")
	return b, &b.leases[rapid.IntRange(0, len(b.leases)-1).Draw(t, "lease")]
}

func (m *model) shrink(t *rapid.T) {
	b, l := m.pick(t)
	bytes := rapid.Int64Range(-1, b.bytes+1).Draw(t, "bytes")
	err := l.lease.Shrink(bytes)
	switch {
	case bytes < 0 || bytes > b.bytes:
		require.ErrorIs(t, err, ErrSize)
	case len(b.leases) > 1:
		require.ErrorIs(t, err, ErrShared)
	case m.memory == Device && 0 < bytes && bytes < b.bytes:
		require.ErrorIs(t, err, ErrWhole)
	default:
		require.NoError(t, err)
		b.bytes = bytes
	}
}

// mappings counts the blocks with memory.
func (m *model) mappings() (count int) {
	for _, b := range m.blocks {
		if b.backed && b.bytes > 0 {
			count++
		}
	}
	return count
}

func (m *model) share(t *rapid.T) {
	b, l := m.pick(t)
	b.leases = append(b.leases, modelLease{l.lease.Share(), l.holder})
}

func (m *model) handOver(t *rapid.T) {
	_, l := m.pick(t)
	l.holder = rapid.SampledFrom([]string{"cache", "item 0", "join"}).Draw(t, "holder")
	require.NoError(t, l.lease.HandOver(l.holder))
}

func (m *model) recast(t *rapid.T) {
	b, l := m.pick(t)
	class := rapid.IntRange(0, 2).Draw(t, "class")
	err := l.lease.Recast(class)
	switch {
	case class == 2:
		require.ErrorIs(t, err, ErrClass)
	case len(b.leases) > 1:
		require.ErrorIs(t, err, ErrShared)
	default:
		require.NoError(t, err)
		b.class = class
	}
}

func (m *model) release(t *rapid.T) {
	b, l := m.pick(t)
	ended := l.lease
	require.NoError(t, ended.Release())
	require.ErrorIs(t, ended.Release(), ErrReleased)
	require.Nil(t, ended.Bytes())
	b.leases = slices.DeleteFunc(b.leases, func(other modelLease) bool { return other.lease == ended })
	if len(b.leases) == 0 {
		m.blocks = slices.DeleteFunc(m.blocks, func(other *modelBlock) bool { return other == b })
	}
}

func (m *model) check(t *rapid.T) {
	var leases int
	var mapped int64
	var classes [2]Counts
	holders := map[string]int64{}
	for _, b := range m.blocks {
		leases += len(b.leases)
		classes[b.class].InFlight++
		classes[b.class].Bytes += b.bytes
		// The tracker names the oldest lease of a shared block, which is the model's first.
		holders[b.leases[0].holder] += b.bytes
		if b.backed && m.memory != Device {
			mapped += wholePages(b.bytes)
		}
		for _, l := range b.leases {
			require.Equal(t, b.bytes, l.lease.Size())
			if b.backed && m.memory != Device {
				require.Len(t, l.lease.Bytes(), int(b.bytes))
			}
			require.Equal(t, b.backed && b.bytes > 0, l.lease.Address() != nil)
			if b.backed && b.bytes > 0 && b.mark != 0 {
				require.Equal(t, b.mark, l.lease.Bytes()[0])
			}
		}
	}
	m.checkSnapshot(t, classes, holders)
	require.Len(t, m.tracker.Leaks(), leases)
	require.Equal(t, mapped, m.tracker.mapped.Load())
}

func (m *model) checkSnapshot(t *rapid.T, classes [2]Counts, holders map[string]int64) {
	use := m.tracker.Snapshot().Pools[0]
	require.Equal(t, m.inUse(), use.Bytes)
	require.Equal(t, m.high, use.HighWater)
	require.Equal(t, int64(len(m.blocks)), use.InFlight)
	require.Len(t, use.Holders, len(holders))
	for _, h := range use.Holders {
		require.Equal(t, holders[h.Name], h.Bytes, h.Name)
	}
	for i, c := range use.Classes {
		require.Equal(t, classes[i].Bytes, c.Bytes)
		require.Equal(t, classes[i].InFlight, c.InFlight)
		require.Equal(t, c.InFlight, c.Leases-c.Frees)
		require.Equal(t, c.Bytes, c.LeasedBytes-c.FreedBytes)
	}
}

// Many goroutines at once: no pool is ever exceeded, and all counts return to zero.
func TestConcurrentLeasesCountExactly(t *testing.T) {
	const limit = 64 << 10
	for name, opts := range map[string][]Option{"plain": nil, "free list": {WithFreeList(16 << 10)}} {
		t.Run(name, func(t *testing.T) {
			tr := newTracker(t, limit, opts...)
			var all sync.WaitGroup
			for w := range 8 {
				all.Go(func() { leaseOften(t, tr, w) })
			}
			for range 100 {
				use := tr.Snapshot().Pools[host]
				require.LessOrEqual(t, use.Bytes, int64(limit))
				require.Equal(t, use.Bytes-use.Idle, use.Classes[abc].Bytes+use.Classes[quotient].Bytes)
			}
			all.Wait()
			require.NoError(t, tr.Close())
			require.LessOrEqual(t, tr.PoolCounts(host).HighWater, int64(limit))
			for _, c := range []Counts{tr.PoolCounts(host), tr.ClassCounts(abc), tr.ClassCounts(quotient)} {
				require.Zero(t, c.Bytes)
				require.Zero(t, c.InFlight)
				require.Equal(t, c.LeasedBytes, c.FreedBytes)
			}
			require.Zero(t, tr.mapped.Load())
		})
	}
}

// leaseOften leases, shares, shrinks, recasts and releases; two goroutines release each shared pair.
func leaseOften(t *testing.T, tr *Tracker, worker int) {
	var others sync.WaitGroup
	defer others.Wait()
	for i := range 200 {
		l, err := tr.Lease(abc, int64(i*977+worker*5000)%20000, "worker")
		if err != nil {
			continue
		}
		touch(l.Bytes())
		if err := l.Shrink(l.Size() / 2); err != nil {
			t.Error(err)
		}
		if err := l.Recast(quotient); err != nil {
			t.Error(err)
		}
		shared := l.Share()
		others.Go(func() {
			if err := shared.Release(); err != nil {
				t.Error(err)
			}
		})
		if err := l.Release(); err != nil {
			t.Error(err)
		}
	}
}

// Whoever wins, one release succeeds.
func TestConcurrentReleasesOfOneLease(t *testing.T) {
	tr := newTracker(t, 1<<20)
	for range 100 {
		l := mustLease(t, tr, abc, 5000, "item 1")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _ = l.Release() })
		}
		all.Wait()
	}
	require.Equal(t, int64(300), tr.Snapshot().DoubleReleases)
	require.Equal(t, int64(100), tr.PoolCounts(host).Frees)
	require.NoError(t, tr.Close())
}
