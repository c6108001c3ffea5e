// Package parallel splits a range of indices among a few goroutines that end before it returns.
package parallel

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Ranges calls work on consecutive parts of [0, n), one part a thread and each a multiple of grain long save the
// last, and returns the first error. It looks at the context once before it starts. A panic of work, or a fault where the
// caller's would be a panic (debug.SetPanicOnFault), is a panic of Ranges.
func Ranges(ctx context.Context, n, grain, threads int, work func(from, to int) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	part := roundUp((n+max(threads, 1)-1)/max(threads, 1), max(grain, 1))
	if part >= n {
		return work(0, n)
	}
	var group sync.WaitGroup
	var once sync.Once
	var first error
	var panicked atomic.Pointer[Panic]
	faultsPanic := debug.SetPanicOnFault(true)
	debug.SetPanicOnFault(faultsPanic)
	for from := 0; from < n; from += part {
		group.Go(func() {
			debug.SetPanicOnFault(faultsPanic)
			defer func() {
				if cause := recover(); cause != nil {
					panicked.CompareAndSwap(nil, &Panic{cause, debug.Stack()})
				}
			}()
			if err := work(from, min(from+part, n)); err != nil {
				once.Do(func() { first = err })
			}
		})
	}
	group.Wait()
	if p := panicked.Load(); p != nil {
		panic(p)
	}
	return first
}

// A Panic is what a goroutine of Ranges panicked with, and where.
type Panic struct {
	Cause any
	Stack []byte
}

// String gives both.
func (p *Panic) String() string { return fmt.Sprintf("%v\n%s", p.Cause, p.Stack) }

func roundUp(n, grain int) int { return (n + grain - 1) / grain * grain }
