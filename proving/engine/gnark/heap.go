package gnark

// multiExpHeap bounds what gnark-crypto's MultiExp allocates for n points: sixteen-bit digits of every scalar, one
// for each window, and for each goroutine a stack that holds the buckets of its window, affine and extended. A
// stack is a power of two, and while it grows the old one lives on. heap_test.go measures it.
func multiExpHeap(pointSize, n, threads int) int64 {
	window := multiExpWindow(n)
	windows := (scalarBits + window - 1) / window
	digits := int64(2*n) * int64(windows)
	buckets := int64(3*pointSize) << (window - 1)
	return digits + int64(threads)*nextPowerOfTwo(buckets)*3/2 + fixedHeap
}

const (
	scalarBits = 255
	fixedHeap  = 1 << 20
)

// multiExpWindow is the window width that MultiExp chooses by its estimate of the cost.
func multiExpWindow(n int) int {
	best, least := 4, 0.0
	for c := 4; c <= 16; c++ {
		cost := float64((scalarBits+1)*(n+1<<c)) / float64(c)
		if c == 4 || cost < least {
			best, least = c, cost
		}
	}
	return best
}

func nextPowerOfTwo(n int64) int64 {
	p := int64(1)
	for p < n {
		p *= 2
	}
	return p
}
