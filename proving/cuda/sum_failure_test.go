package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// sumAttempt is a sum of eight slices from the host, or what became of it.
type sumAttempt struct {
	*loan
	group   *group
	sum     cuda.Sum
	from    cuda.Operands
	scratch cuda.Scratch
}

func newSumAttempt(t *testing.T, d *cuda.Device) *sumAttempt {
	const n = 80
	l, g := lender(t, d), groups()[0]
	a := &sumAttempt{loan: l, group: g, sum: cuda.Sum{Bases: g.bases(t, n, 1), Slice: 10}}
	a.from.Bases.Host, a.from.Scalars.Host = g.first(n), randomScalars(rand.New(rand.NewPCG(10, 0)), n)
	need, err := a.sum.Need(cuda.OnHost, cuda.OnHost)
	require.NoError(t, err)
	a.scratch = l.scratch(need)
	return a
}

func (a *sumAttempt) run(ctx context.Context) ([]byte, error) {
	out := make([]byte, a.group.curve.PointSize(a.group.group))
	p, err := a.device.Sum(a.sum, a.from, out, a.scratch, 1)
	if err != nil {
		return nil, err
	}
	return out, p.Wait(ctx)
}

func (a *sumAttempt) requireWorks(t *testing.T) {
	out, err := a.run(ctx)
	require.NoError(t, err)
	require.Equal(t, a.group.sum(t, 80, a.from.Scalars.Host, engine.Canonical), out)
}

// inject makes the stand-in fail as it is asked to, counting from now; nothing more fails when no call is named.
func inject(t *testing.T, calls ...string) {
	standin.Use(t, standin.Fail(calls...))
	require.NoError(t, cuda.NewMachine().Problem())
}

// requireFailure requires the failure that inject asked for, with CUDA's name of it.
func requireFailure(t *testing.T, err error) {
	t.Helper()
	var failure *cudabind.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, "cudaErrorIllegalAddress", failure.Name)
}

func TestFailuresOfSums(t *testing.T) {
	for _, call := range []string{
		"pg_stream_create:1", "pg_stream_create:2", "pg_event_create:1", "pg_event_create:3", "pg_event_create:5",
		"pg_copy_to_device:1", "pg_copy_to_device:2", "pg_copy_to_device:7", "pg_copy_to_device:3:later",
		"pg_msm_start:1", "pg_msm_start:2", "pg_msm_start:8", "pg_msm_start:1:later", "pg_msm_start:4:later", "pg_msm_start:8:later",
		"pg_event_record:1", "pg_event_record:5", "pg_stream_wait:1", "pg_stream_wait:4", "pg_event_synchronize:1",
		"pg_event_synchronize:9", "pg_msm_finish:1", "pg_msm_finish:8", "pg_msm_configure:1",
	} {
		t.Run(call, func(t *testing.T) {
			d := openDevice(t)
			a := newSumAttempt(t, d)
			inject(t, call)
			_, err := a.run(ctx)
			inject(t)
			requireFailure(t, err)
			a.requireWorks(t)
		})
	}
}

// A wait that fails without waiting must not let go of memory that the device still works on.
func TestAWaitThatFailsIsFollowedByOneThatWaits(t *testing.T) {
	slow := standin.Delay(5 * time.Millisecond)
	for call := range 2 { // the copies, and the sums
		t.Run(strconv.Itoa(call), func(t *testing.T) {
			d := openDevice(t, slow)
			a := newSumAttempt(t, d)
			standin.Use(t, slow, standin.Fail(fmt.Sprintf("pg_stream_synchronize:%d", call+1)))
			require.NoError(t, cuda.NewMachine().Problem())
			_, err := a.run(ctx)
			require.ErrorContains(t, err, "pg_stream_synchronize: a failure")
			inject(t) // the loan's memory is freed next, which the stand-in refuses while anything uses it
		})
	}
}

// What a broken device says to every call after the first is told once.
func TestAFailureIsToldOnce(t *testing.T) {
	for _, call := range []string{"pg_msm_start:1:later", "pg_msm_start:3:ever", "pg_copy_to_device:2:ever", "pg_stream_synchronize:1:ever"} {
		t.Run(call, func(t *testing.T) {
			a := newSumAttempt(t, openDevice(t))
			inject(t, call)
			_, err := a.run(ctx)
			inject(t)
			require.Error(t, err)
			require.Equal(t, 1, strings.Count(err.Error(), "cudaErrorIllegalAddress"), err)
		})
	}
}

func TestFailuresOfLoadingBases(t *testing.T) {
	for _, call := range []string{
		"pg_stream_create:1", "pg_event_create:2", "pg_copy_to_device:1", "pg_copy_to_device:1:later", "pg_msm_table_build:1",
		"pg_msm_table_build:1:later",
	} {
		t.Run(call, func(t *testing.T) {
			l, g := lender(t, openDevice(t)), groups()[0]
			bases := g.bases(t, 20, 2)
			to, scratch := l.onDevice(bases.Bytes()), l.scratch(bases.LoadNeed(cuda.OnHost))
			inject(t, call)
			p, err := l.device.LoadBases(bases, to, cuda.Vector{Host: g.first(20)}, scratch, 1)
			if err == nil {
				err = p.Wait(ctx)
			}
			inject(t)
			requireFailure(t, err)
		})
	}
}

var errStopped = errors.New("stopped")

func TestCancelledSumsDrain(t *testing.T) {
	d := openDevice(t, standin.Delay(time.Millisecond))
	for _, after := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 15 * time.Millisecond} {
		t.Run(after.String(), func(t *testing.T) {
			a := newSumAttempt(t, d)
			stopping, stop := context.WithCancelCause(ctx)
			time.AfterFunc(after, func() { stop(errStopped) })
			if after == 0 {
				stop(errStopped)
			}
			_, err := a.run(stopping)
			if !errors.Is(err, context.Canceled) && !errors.Is(err, errStopped) {
				require.Fail(t, "not the context's error", "%v", err)
			}
			a.requireWorks(t)
		})
	}
}

// Many sums at once on one device: each has streams and events of its own, and gives them back.
func TestSumsSideBySideDoNotDisturbEachOther(t *testing.T) {
	d := openDevice(t)
	errs := make(chan error)
	for range 6 {
		a := newSumAttempt(t, d)
		want := a.group.sum(t, 80, a.from.Scalars.Host, engine.Canonical)
		go func() {
			out, err := a.run(ctx)
			if err == nil && string(out) != string(want) {
				err = errors.New("another sum")
			}
			errs <- err
		}()
	}
	for range 6 {
		require.NoError(t, <-errs)
	}
}
