package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// interrupts is how a run learns of the first SIGINT or SIGTERM, which asks it to finish what it has begun. Where no run
// heeds it, the first signal aborts, as the second one always does.
type interrupts struct {
	first  chan struct{} // closed by the first signal
	heeded atomic.Bool
}

type interruptsKey struct{}

// abortPatience is how long a run that is aborted may take to end in order. What does not look at its context so soon, a sum
// of gnark-crypto or a module that is compiled, ends with the process: files appear by rename, so none is half written.
const abortPatience = 250 * time.Millisecond

// interruptible gives a context that signals cancel, with errInterrupted as its cause. exit ends the process if a run that is
// aborted by them takes longer than it may.
func interruptible(parent context.Context, exit func()) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	i := &interrupts{first: make(chan struct{})}
	signals, ended := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if !i.await(ctx, signals) {
			return
		}
		cancel(errInterrupted)
		if i.heeded.Load() {
			exitUnless(ended, exit)
		}
	}()
	return context.WithValue(ctx, interruptsKey{}, i), func() {
		signal.Stop(signals)
		close(ended)
		cancel(context.Canceled)
	}
}

// exitUnless exits unless the run has ended before patience has.
func exitUnless(ended <-chan struct{}, exit func()) {
	select {
	case <-ended:
	case <-time.After(abortPatience):
		exit()
	}
}

// await waits for the signal that aborts; it gives false when the context ends before.
func (i *interrupts) await(ctx context.Context, signals <-chan os.Signal) bool {
	for first := true; ; first = false {
		select {
		case <-signals:
		case <-ctx.Done():
			return false
		}
		if !first || !i.heeded.Load() {
			return true
		}
		close(i.first)
	}
}

// heedInterrupts says that the command will finish what it has begun when the channel of draining is closed.
func heedInterrupts(ctx context.Context) {
	if i, ok := ctx.Value(interruptsKey{}).(*interrupts); ok {
		i.heeded.Store(true)
	}
}

// draining gives a channel that is closed when no new work should begin; it is nil where nothing ever asks for that.
func draining(ctx context.Context) <-chan struct{} {
	if i, ok := ctx.Value(interruptsKey{}).(*interrupts); ok {
		return i.first
	}
	return nil
}
