package budget

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The pools and classes of a tracker of every memory.
const (
	hostPool = iota
	pinnedPool
	devicePool
)

const (
	hostClass = iota
	pinnedClass
	deviceClass
	otherDeviceClass
)

// ofEveryMemory has pools of 64 pages.
func ofEveryMemory(t testing.TB, opts ...Option) *Tracker {
	pools := []Pool{
		{Name: "host", Limit: 64 * pageSize}, {Name: "pinned", Limit: 64 * pageSize, Memory: Pinned},
		{Name: "device", Limit: 64 * pageSize, Memory: Device},
	}
	classes := []Class{
		{Name: "abc", Pool: hostPool}, {Name: "staging", Pool: pinnedPool}, {Name: "bases", Pool: devicePool},
		{Name: "buckets", Pool: devicePool},
	}
	tr, err := New(pools, classes, opts...)
	require.NoError(t, err)
	return tr
}

func TestMemoryHasNames(t *testing.T) {
	require.Equal(t, []string{"host", "pinned", "device"}, Memories())
	for i, name := range Memories() {
		require.Equal(t, name, Memory(i).String())
	}
	require.Equal(t, "memory(9)", Memory(9).String())
	require.Equal(t, Host, Pool{}.Memory)
}

// Whatever a lease goes through, the host does not touch a device's memory: Sealed would end the process.
func TestALeaseOfDeviceMemoryIsAnAddress(t *testing.T) {
	memory := &Sealed{}
	tr := ofEveryMemory(t, WithAllocator(devicePool, memory))
	l := mustLease(t, tr, deviceClass, 3*pageSize-5, "item 1")
	require.Equal(t, Device, l.Memory())
	require.Nil(t, l.Bytes())
	address := l.Address()
	require.NotNil(t, address)
	require.Zero(t, uintptr(address)%uintptr(pageSize))
	require.Equal(t, 3*pageSize-5, l.Size())
	require.Equal(t, 3*pageSize-5, tr.PoolCounts(devicePool).Bytes)
	require.Zero(t, tr.mapped.Load(), "it is none of the host's")

	other := mustLease(t, tr, deviceClass, pageSize, "item 2")
	require.NotEqual(t, address, other.Address())
	shared := l.Share()
	require.Equal(t, address, shared.Address())
	require.NoError(t, l.Release())
	require.Nil(t, l.Address())
	require.NoError(t, shared.Recast(otherDeviceClass))
	require.NoError(t, shared.HandOver("cache"))
	require.Equal(t, address, shared.Address())
	require.Equal(t, 2, memory.Given())
	require.NoError(t, shared.Release())
	require.NoError(t, other.Release())
	require.Zero(t, memory.Given())
	require.NoError(t, tr.Close())
}

func TestHostMemoryHasAnAddressToo(t *testing.T) {
	tr := ofEveryMemory(t, WithAllocator(pinnedPool, System{}))
	for class, memory := range map[int]Memory{hostClass: Host, pinnedClass: Pinned} {
		l := mustLease(t, tr, class, 100, "item 1")
		require.Equal(t, memory, l.Memory())
		require.Equal(t, unsafe.Pointer(unsafe.SliceData(l.Bytes())), l.Address())
		require.NoError(t, l.Shrink(0))
		require.Nil(t, l.Address())
		require.NoError(t, l.Release())
	}
	charge, err := tr.Charge(hostClass, 100, "item 1")
	require.NoError(t, err)
	require.Nil(t, charge.Address())
	require.NoError(t, charge.Release())
	require.Nil(t, mustLease(t, tr, hostClass, 0, "item 1").Address())
	var none *Lease
	require.Nil(t, none.Address())
	require.Equal(t, Host, none.Memory())
}

func TestDeviceMemoryShrinksToNothingOrNotAtAll(t *testing.T) {
	for name, c := range map[string]struct {
		left int64 // of 4 pages
		err  error
		size int64
	}{
		"all":             {4 * pageSize, nil, 4 * pageSize},
		"a page less":     {3 * pageSize, ErrWhole, 4 * pageSize},
		"a byte less":     {4*pageSize - 1, ErrWhole, 4 * pageSize},
		"a byte":          {1, ErrWhole, 4 * pageSize},
		"nothing":         {0, nil, 0},
		"less than that":  {-1, ErrSize, 4 * pageSize},
		"more than it is": {5 * pageSize, ErrSize, 4 * pageSize},
	} {
		t.Run(name, func(t *testing.T) {
			memory := &Sealed{}
			tr := ofEveryMemory(t, WithAllocator(devicePool, memory))
			l := mustLease(t, tr, deviceClass, 4*pageSize, "item 1")
			require.ErrorIs(t, l.Shrink(c.left), c.err)
			require.Equal(t, c.size, l.Size())
			require.Equal(t, c.size, tr.PoolCounts(devicePool).Bytes)
			require.Equal(t, c.size > 0, l.Address() != nil)
			require.Equal(t, int(min(c.size, 1)), memory.Given())
			require.NoError(t, l.Release())
			require.Zero(t, memory.Given())
			require.NoError(t, tr.Close())
		})
	}
}

func TestOnlyHostMemoryIsClearedForTheNextLease(t *testing.T) {
	for class, want := range map[int]byte{hostClass: 0, pinnedClass: 7} {
		tr := ofEveryMemory(t, WithFreeList(8*pageSize), WithAllocator(pinnedPool, System{}))
		first := mustLease(t, tr, class, pageSize, "item 1")
		first.Bytes()[3] = 7
		address := first.Address()
		require.NoError(t, first.Release())
		again := mustLease(t, tr, class, pageSize, "item 2")
		require.Equal(t, address, again.Address())
		require.Equal(t, want, again.Bytes()[3])
		require.NoError(t, again.Release())
		require.NoError(t, tr.Close())
	}
}

func TestIdleDeviceMemoryIsUsedAgain(t *testing.T) {
	memory := &Sealed{}
	tr := ofEveryMemory(t, WithAllocator(devicePool, memory), WithIdle(devicePool, 48*pageSize))
	big := mustLease(t, tr, deviceClass, 30*pageSize, "item 1")
	small := mustLease(t, tr, deviceClass, 10*pageSize, "item 1")
	address := big.Address()
	require.NoError(t, big.Release())
	require.NoError(t, small.Release())
	require.Equal(t, 40*pageSize, tr.Snapshot().Pools[devicePool].Idle)
	require.Equal(t, 2, memory.Given())

	big = mustLease(t, tr, otherDeviceClass, 30*pageSize, "item 2")
	require.Equal(t, address, big.Address(), "of equal size")
	other := mustLease(t, tr, deviceClass, 34*pageSize, "item 3")
	require.Zero(t, tr.Snapshot().Pools[devicePool].Idle, "given up before a lease is refused")
	_, err := tr.Lease(deviceClass, 1, "item 4")
	require.ErrorAs(t, err, new(*OverBudgetError))
	require.NoError(t, big.Release())
	require.NoError(t, other.Release())
	require.Equal(t, 1, memory.Given(), "30 of 48 pages are idle, which leaves no place for the 34")
	require.NoError(t, tr.Close())
	require.Zero(t, memory.Given())
}

func TestTheFreeListOfOnePoolIsItsOwn(t *testing.T) {
	idleAfter := func(class int, opts ...Option) int64 {
		tr := ofEveryMemory(t, append(opts, WithAllocator(devicePool, &Sealed{}))...)
		l := mustLease(t, tr, class, 2*pageSize, "item 1")
		pool := l.Pool()
		require.NoError(t, l.Release())
		defer func() { require.NoError(t, tr.Close()) }()
		return tr.Snapshot().Pools[pool].Idle
	}
	require.Zero(t, idleAfter(hostClass, WithIdle(devicePool, 8*pageSize)))
	require.Equal(t, 2*pageSize, idleAfter(deviceClass, WithIdle(devicePool, 8*pageSize)))
	require.Zero(t, idleAfter(deviceClass, WithFreeList(8*pageSize), WithIdle(devicePool, 0)))
	require.Equal(t, 2*pageSize, idleAfter(deviceClass, WithFreeList(8*pageSize)))
	require.Zero(t, idleAfter(deviceClass, WithIdle(devicePool, pageSize)))
}

func TestMemoryThatNobodyGivesIsAnError(t *testing.T) {
	tr := ofEveryMemory(t)
	for class, text := range map[int]string{
		pinnedClass: "map 1 KiB of staging: pool pinned is of pinned memory: the pool has no allocator",
		deviceClass: "map 1 KiB of bases: pool device is of device memory: the pool has no allocator",
	} {
		_, err := tr.Lease(class, 1024, "item 1")
		require.EqualError(t, err, text)
		require.ErrorIs(t, err, ErrNoMemory)
		require.ErrorAs(t, err, new(*SystemError))
		empty := mustLease(t, tr, class, 0, "item 1")
		require.NoError(t, empty.Release())
		charge, err := tr.Charge(class, 1024, "item 1")
		require.NoError(t, err, "a charge needs no memory of ours")
		require.NoError(t, charge.Release())
	}
	require.NoError(t, tr.Close())
	require.Zero(t, tr.PoolCounts(devicePool).Bytes)
}

// What the device refuses is the system's error, and is not counted.
func TestADeviceThatIsFull(t *testing.T) {
	tr := ofEveryMemory(t, WithAllocator(devicePool, &full{}))
	_, err := tr.Lease(deviceClass, 10, "item 1")
	require.ErrorIs(t, err, unix.ENOMEM)
	require.Zero(t, tr.PoolCounts(devicePool).Bytes)
	require.NoError(t, tr.Close())
}

// A device whose memory is in pieces has no room for a lease that fits by its bytes, until what is idle has gone back.
func TestIdleMemoryGoesBackWhereADeviceIsInPieces(t *testing.T) {
	memory := &pieces{}
	tr := ofEveryMemory(t, WithAllocator(devicePool, memory), WithIdle(devicePool, 64*pageSize))
	for _, pages := range []int64{8, 9} {
		l := mustLease(t, tr, deviceClass, pages*pageSize, "item 1")
		require.NoError(t, l.Release())
	}
	require.Equal(t, 2, memory.Given())
	l := mustLease(t, tr, deviceClass, 10*pageSize, "item 2")
	require.Equal(t, 1, memory.Given())
	require.Zero(t, tr.Snapshot().Pools[devicePool].Idle)
	require.NoError(t, l.Release())
	require.NoError(t, tr.Close())
	require.Zero(t, memory.Given())
}

// pieces has no room for a third block.
type pieces struct{ Sealed }

func (p *pieces) Map(bytes int64) ([]byte, error) {
	if p.Given() >= 2 {
		return nil, unix.ENOMEM
	}
	return p.Sealed.Map(bytes)
}

type full struct{ Sealed }

func (*full) Map(int64) ([]byte, error) { return nil, unix.ENOMEM }

// The test's device really is one that the host cannot read: the kernel refuses to copy from there.
func TestSealedMemoryCannotBeRead(t *testing.T) {
	memory := &Sealed{}
	mem, err := memory.Map(10)
	require.NoError(t, err)
	require.Len(t, mem, int(pageSize))
	_, err = unix.Write(1, mem[:1])
	require.ErrorIs(t, err, unix.EFAULT)
	require.ErrorContains(t, memory.Unmap(mem[:1]), "came back")
	require.NoError(t, memory.Unmap(mem))
	require.Error(t, memory.Unmap(mem), "twice")
}
