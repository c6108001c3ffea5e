package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// drainKey finds the channel that is closed when a signal asks the program to finish what it has begun.
type drainKey struct{}

// interruptible gives a context that a second SIGINT or SIGTERM cancels; the first only closes the channel that
// draining gives.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	drain := make(chan struct{})
	ctx = context.WithValue(ctx, drainKey{}, drain)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			fmt.Fprintln(os.Stderr, "proofgraph: finishing what has begun; interrupt again to abort")
			close(drain)
		case <-ctx.Done():
			return
		}
		select {
		case <-signals:
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(context.Canceled)
	}
}

// draining gives a channel that is closed when no new work should begin; it is nil where nothing ever asks for that.
func draining(ctx context.Context) <-chan struct{} {
	drain, _ := ctx.Value(drainKey{}).(chan struct{})
	return drain
}
