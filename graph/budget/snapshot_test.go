package budget

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSnapshot(t *testing.T) {
	tr := newTracker(t, 1000)
	mustLease(t, tr, quotient, 5, "b")
	mustLease(t, tr, abc, 7, "a")
	mustLease(t, tr, abc, 11, "b")
	_, err := tr.Charge(key, 13, "cache")
	require.NoError(t, err)
	waiter := Waiter{Holder: "c", Pool: host, Bytes: 990, Since: time.Unix(9, 0)}
	tr.SetWaiters(func() []Waiter { return []Waiter{waiter} })

	s := tr.Snapshot()
	require.Equal(t, s, tr.Snapshot())
	require.Equal(t, []Waiter{waiter}, s.Waiters)
	require.Equal(t, []Holder{{"a", 7}, {"b", 16}}, s.Pools[host].Holders)
	require.Equal(t, int64(23), s.Pools[host].Bytes)
	require.Equal(t, []string{"abc", "h"}, []string{s.Pools[host].Classes[0].Name, s.Pools[host].Classes[1].Name})
	require.Equal(t, int64(18), s.Pools[host].Classes[0].Bytes)
	require.Equal(t, []Holder{{"cache", 13}}, s.Pools[file].Holders)

	tr.SetWaiters(nil)
	require.Empty(t, tr.Snapshot().Waiters)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	require.Contains(t, string(text), `{"name":"file","limit":-1,"in_flight":1,"bytes":13,`)
}

func TestLeaksNameHolderClassBytesAndOrigin(t *testing.T) {
	tr := newTracker(t, 16<<20)
	mustLease(t, tr, abc, 100, "small")
	_, err := tr.Lease(abc, 2<<20, "large")
	require.NoError(t, err)
	leaks := tr.Leaks()
	require.Len(t, leaks, 2)
	require.Equal(t, Leak{Holder: "small", Pool: "host", Class: "abc", Bytes: 100}, leaks[0])
	require.Regexp(t, `^budget\.TestLeaksName.* \(snapshot_test\.go:\d+\)\n`, leaks[1].Origin)
	require.Regexp(t, `leases not returned: 2
  small holds 100 B of abc in pool host
  large holds 2 MiB of abc in pool host, leased at budget\.TestLeaks\S+ \(snapshot_test\.go:\d+\)$`, tr.Close())
}

func TestWithOriginsRemembersSmallLeases(t *testing.T) {
	tr := newTracker(t, 100, WithOrigins())
	_, err := tr.Charge(abc, 0, "small")
	require.NoError(t, err)
	require.Contains(t, tr.Leaks()[0].String(), "leased at budget.TestWithOrigins")
}

func TestObserverSeesEveryChange(t *testing.T) {
	var events []Event
	tr := newTracker(t, 100, WithObserver(func(e Event) { events = append(events, e) }))
	l := mustLease(t, tr, abc, 60, "item 1")
	_, err := tr.Lease(abc, 60, "item 2")
	require.Error(t, err)
	require.NoError(t, l.Shrink(20))
	require.NoError(t, l.Recast(quotient))
	shared := l.Share()
	require.NoError(t, l.Release())
	require.NoError(t, shared.Release())
	require.Equal(t, []Event{
		{Leased, host, abc, "item 1", 60, 60, 60},
		{Refused, host, abc, "item 2", 60, 60, 60},
		{Shrunk, host, abc, "item 1", 40, 20, 20},
		{Recast, host, abc, "item 1", -20, 20, 0},
		{Recast, host, quotient, "item 1", 20, 20, 20},
		{Released, host, quotient, "item 1", 20, 0, 0},
	}, events)
	require.Equal(t, "recast", Recast.String())
}
