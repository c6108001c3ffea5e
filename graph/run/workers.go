package run

import (
	"sync"

	"github.com/reugn/go-streams"
	"github.com/reugn/go-streams/flow"
)

// workers is a go-streams Flow of a fixed width: each worker applies one function to what comes in and passes on results
// that are not nil. Unlike the library's Map it takes as many elements as it has workers without blocking the sender, so
// that the scheduler, which never starts more bodies than there are workers, can hand them over under its lock.
type workers struct {
	in, out chan any
	running sync.WaitGroup
}

var _ streams.Flow = (*workers)(nil)

func newWorkers(width int, apply func(any) any) *workers {
	w := &workers{in: make(chan any, width), out: make(chan any)}
	for range width {
		w.running.Go(func() { w.work(apply) })
	}
	go func() {
		w.running.Wait()
		close(w.out)
	}()
	return w
}

// wait waits until the workers have ended.
func (w *workers) wait() { w.running.Wait() }

func (w *workers) work(apply func(any) any) {
	for element := range w.in {
		if result := apply(element); result != nil {
			w.out <- result
		}
	}
}

// In gives the channel that elements are sent to; closing it ends the workers.
func (w *workers) In() chan<- any { return w.in }

// Out gives the channel of results, closed when the workers have ended.
func (w *workers) Out() <-chan any { return w.out }

// Via passes results on to another flow and gives that flow.
func (w *workers) Via(next streams.Flow) streams.Flow {
	flow.DoStream(w, next)
	return next
}

// To passes results on to a sink and waits until it has taken them all.
func (w *workers) To(sink streams.Sink) {
	flow.DoStream(w, sink)
	sink.AwaitCompletion()
}
