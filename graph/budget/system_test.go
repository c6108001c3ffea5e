package budget

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// slack is how far the process's resident size may differ from the tracker's for other reasons: Go's heap, counters
// that the kernel keeps per processor.
const slack = 8 << 20

// touch writes to every page.
func touch(mem []byte) {
	for i := 0; i < len(mem); i += int(pageSize) {
		mem[i] = 1
	}
}

// unexplained is the resident memory beside the tracker's and Go's.
func unexplained(t *testing.T, tr *Tracker) int64 {
	t.Helper()
	r, err := tr.Resident()
	require.NoError(t, err)
	return r.Unexplained
}

func TestResidentSizeFollowsTheTracker(t *testing.T) {
	for name, opts := range map[string][]Option{
		"small pages": nil, "huge pages": {WithHugePages()}, "free list": {WithFreeList(64 << 20), WithHugePages()},
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTracker(t, 256<<20, opts...)
			base := unexplained(t, tr)
			random := rand.New(rand.NewPCG(1, 2))
			var held []*Lease
			var worst int64
			for step := range 150 {
				held = randomStep(t, tr, random, held)
				off := unexplained(t, tr) - base
				require.InDelta(t, 0, off, slack, "after step %d", step)
				worst = max(worst, off, -off)
			}
			t.Logf("RssAnon never differed by more than %s, of %s", FormatBytes(worst), FormatBytes(tr.PoolCounts(host).HighWater))
			for _, l := range held {
				require.NoError(t, l.Release())
			}
			require.NoError(t, tr.Close())
			require.InDelta(t, base, unexplained(t, tr), slack)
			require.Zero(t, tr.mapped.Load())
		})
	}
}

// randomStep leases and touches, shrinks, or releases.
func randomStep(t *testing.T, tr *Tracker, random *rand.Rand, held []*Lease) []*Lease {
	if len(held) == 0 || random.IntN(2) == 0 {
		l, err := tr.Lease(abc, random.Int64N(24<<20), fmt.Sprint("step ", len(held)))
		if err != nil {
			require.ErrorAs(t, err, new(*OverBudgetError))
			return held
		}
		touch(l.Bytes())
		return append(held, l)
	}
	i := random.IntN(len(held))
	if random.IntN(2) == 0 {
		require.NoError(t, held[i].Shrink(random.Int64N(held[i].Size()+1)))
		return held
	}
	require.NoError(t, held[i].Release())
	held[i] = held[len(held)-1]
	return held[:len(held)-1]
}

func TestShrinkReturnsMemoryAtOnce(t *testing.T) {
	for name, opts := range map[string][]Option{"small pages": nil, "huge pages": {WithHugePages()}} {
		t.Run(name, func(t *testing.T) {
			tr := newTracker(t, 256<<20, opts...)
			l := mustLease(t, tr, abc, 64<<20, "item 1")
			touch(l.Bytes())
			before, err := rssAnon()
			require.NoError(t, err)
			tail := l.Bytes()[16<<20:]
			require.NoError(t, l.Shrink(16<<20))
			after, err := rssAnon()
			require.NoError(t, err)
			require.InDelta(t, 48<<20, before-after, slack)
			require.False(t, mapped(tail), "the tail is still mapped")
			require.True(t, mapped(l.Bytes()))
			require.NoError(t, l.Release())
		})
	}
}

// mapped says whether all pages of mem are mapped: mincore fails with ENOMEM where one is not.
func mapped(mem []byte) bool {
	resident := make([]byte, wholePages(int64(len(mem)))/pageSize)
	_, _, errno := unix.Syscall(unix.SYS_MINCORE,
		uintptr(unsafe.Pointer(unsafe.SliceData(mem))), uintptr(len(mem)), uintptr(unsafe.Pointer(&resident[0])))
	return errno == 0
}

func TestHugePagesNeverReachBeyondTheLease(t *testing.T) {
	tr := newTracker(t, 256<<20, WithHugePages())
	base := unexplained(t, tr)
	l := mustLease(t, tr, abc, 5<<20+1, "item 1")
	require.Zero(t, uintptr(unsafe.Pointer(&l.Bytes()[0]))%hugePage)
	require.Equal(t, wholePages(5<<20+1), tr.mapped.Load())
	touch(l.Bytes())
	require.InDelta(t, base, unexplained(t, tr), 1<<20)
	require.NoError(t, l.Release())
}

// refusing is an allocator that can be made to refuse.
type refusing struct {
	System
	mapping, unmapping error
}

func (r *refusing) Map(bytes int64) ([]byte, error) {
	if r.mapping != nil {
		return nil, r.mapping
	}
	return r.System.Map(bytes)
}

func (r *refusing) Unmap(mem []byte) error {
	if r.unmapping != nil {
		return r.unmapping
	}
	return r.System.Unmap(mem)
}

func TestSystemRefusesToMap(t *testing.T) {
	tr := newTracker(t, 100, WithAllocator(host, &refusing{mapping: unix.ENOMEM}))
	_, err := tr.Lease(abc, 60, "item 1")
	var system *SystemError
	require.ErrorAs(t, err, &system)
	require.ErrorIs(t, err, unix.ENOMEM)
	require.EqualError(t, err, "map 60 B of abc: cannot allocate memory")
	require.Equal(t, Counts{HighWater: 60, Leases: 1, LeasedBytes: 60, Frees: 1, FreedBytes: 60}, tr.PoolCounts(host))
	require.Zero(t, tr.mapped.Load())
	require.NoError(t, tr.Close())
}

func TestSystemRefusesToUnmap(t *testing.T) {
	memory := &refusing{unmapping: unix.EINVAL}
	tr := newTracker(t, 10*pageSize, WithAllocator(host, memory))
	l := mustLease(t, tr, abc, 3*pageSize, "item 1")
	require.ErrorAs(t, l.Shrink(pageSize), new(*SystemError))
	require.Equal(t, pageSize, l.Size())
	require.ErrorAs(t, l.Release(), new(*SystemError))
	require.ErrorIs(t, l.Release(), ErrReleased)

	// What the system kept stays counted, so that the pool's limit stays true.
	use := tr.Snapshot().Pools[host]
	require.Equal(t, 3*pageSize, use.Lost)
	require.Equal(t, 3*pageSize, use.Bytes)
	require.Zero(t, use.InFlight)
	require.Equal(t, 3*pageSize, tr.mapped.Load())
	require.NoError(t, tr.Close())
}

// Whoever released memory that was kept for a later lease has been told that all is well, so Close tells the rest.
func TestSystemRefusesToUnmapWhatIsIdle(t *testing.T) {
	memory := &refusing{}
	tr := newTracker(t, 10*pageSize, WithAllocator(host, memory), WithFreeList(10*pageSize))
	l, other := mustLease(t, tr, abc, 3*pageSize, "item 1"), mustLease(t, tr, abc, pageSize, "item 1")
	require.NoError(t, l.Release())
	require.NoError(t, other.Release())
	memory.unmapping = unix.EINVAL
	err := tr.Close()
	var system *SystemError
	require.ErrorAs(t, err, &system)
	require.Equal(t, 4*pageSize, system.Bytes)
	require.ErrorIs(t, err, unix.EINVAL)
	require.ErrorContains(t, err, "pool host: unmap "+FormatBytes(4*pageSize)+" of idle")
	require.Equal(t, 4*pageSize, tr.Snapshot().Pools[host].Lost)
}

func TestGuardedMemoryEndsWhereItsLeaseEnds(t *testing.T) {
	tr := newTracker(t, 1<<20, WithAllocator(host, Guarded{}))
	l := mustLease(t, tr, abc, 2*pageSize, "item 1")
	whole := l.Bytes()
	require.True(t, readable(whole))
	require.False(t, readable(unsafe.Slice(&whole[0], len(whole)+1)), "past the end")
	require.NoError(t, l.Shrink(pageSize))
	require.True(t, readable(l.Bytes()))
	require.False(t, readable(whole), "past a shrink")
	require.NoError(t, l.Release())
	require.False(t, readable(whole[:1]), "after the release")
	require.NoError(t, tr.Close())
}

// readable says whether the last byte of mem can be read, by having the kernel read it.
func readable(mem []byte) bool {
	var pipe [2]int
	if unix.Pipe(pipe[:]) != nil {
		return false
	}
	defer unix.Close(pipe[0])
	defer unix.Close(pipe[1])
	n, err := unix.Write(pipe[1], mem[len(mem)-1:])
	return n == 1 && err == nil
}
