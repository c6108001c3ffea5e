package gnark

import (
	"math/bits"
	"sort"
)

// sliceBytes bounds the points that gnark-crypto is given at once: 2^17 of BN254's G1, 2^15 of BLS12-381's G2. A slice
// twice as long would gain under a tenth in time and take twice the memory.
const sliceBytes = 8 << 20

// sliceSize is the most points of a size that are given to gnark-crypto at once.
func sliceSize(pointSize int) int { return 1 << (bits.Len(uint(sliceBytes/pointSize)) - 1) }

// multiExpHeap bounds what one MultiExp of at most n points allocates. Fewer points can take more, since their windows are
// more, so it looks at the most points of every window width.
func multiExpHeap(pointSize, n int) int64 {
	var most int64
	for width := narrowest; width <= multiExpWindow(n); width++ {
		points := sort.Search(n, func(m int) bool { return multiExpWindow(m+1) > width })
		most = max(most, multiExpHeapOf(pointSize, points))
	}
	return most
}

// multiExpHeapOf bounds what one MultiExp of n points allocates, as if none of it were collected before it ends: a
// sixteen-bit digit for every scalar and window; for every window its buckets, each an affine point and one in
// extended coordinates, which is twice as large; and the stacks of as many goroutines. heap_test.go measures it.
func multiExpHeapOf(pointSize, n int) int64 {
	window := multiExpWindow(n)
	windows := int64((scalarBits + window - 1) / window)
	digits := 2 * int64(n)
	buckets := int64(3*pointSize) << (window - 1)
	stack := int64(stackPoints * pointSize)
	return windows*(digits+buckets+stack) + fixedHeap
}

const (
	narrowest   = 4 // window
	scalarBits  = 255
	stackPoints = 2048 // a goroutine's stack holds a batch of additions and a queue
	fixedHeap   = 4 << 20
)

// multiExpWindow is the window width that MultiExp chooses by its estimate of the cost.
func multiExpWindow(n int) int {
	best, least := 0, 0.0
	for c := narrowest; c <= 16; c++ {
		cost := float64(scalarBits*(n+(1<<c))) / float64(c)
		if best == 0 || cost < least {
			best, least = c, cost
		}
	}
	return best
}
