// Package parallel splits a range of indices among a few goroutines that end before it returns.
package parallel

import (
	"context"
	"sync"
)

// Ranges calls work on consecutive parts of [0, n), one part a thread and each a multiple of grain long save the
// last, and returns the first error. It looks at the context once before it starts.
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
	for from := 0; from < n; from += part {
		group.Go(func() {
			if err := work(from, min(from+part, n)); err != nil {
				once.Do(func() { first = err })
			}
		})
	}
	group.Wait()
	return first
}

func roundUp(n, grain int) int { return (n + grain - 1) / grain * grain }
