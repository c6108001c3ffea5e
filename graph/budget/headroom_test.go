package budget

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A lease that would leave the runtime too few addresses is refused, and counted as never made; what is beside it goes on.
func TestALeaseLeavesHeadroomUnderALimitOnAddresses(t *testing.T) {
	for _, c := range ceilings {
		t.Run(c.name, func(t *testing.T) {
			if c.used() == 0 {
				t.Skip("the system does not say how many addresses the process has")
			}
			var before unix.Rlimit
			require.NoError(t, unix.Getrlimit(c.resource, &before))
			tr := newTracker(t, 64<<30)
			low := unix.Rlimit{Cur: uint64(c.used()) + 1<<30, Max: before.Max}
			require.NoError(t, unix.Setrlimit(c.resource, &low))
			defer func() { require.NoError(t, unix.Setrlimit(c.resource, &before)) }()

			_, err := tr.Lease(abc, 1<<30-c.headroom/2, "item 1")
			require.ErrorIs(t, err, unix.ENOMEM)
			require.ErrorContains(t, err, c.name+" is ")
			require.Zero(t, tr.PoolCounts(host).InFlight)
			l := mustLease(t, tr, abc, 256<<20, "item 2")
			require.NoError(t, l.Release())
			require.NoError(t, tr.Close())
		})
	}
}
