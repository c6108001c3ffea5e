package ifma

import "math/bits"

// shape is how scalars are cut: windows of so many bits.
type shape struct{ bits, windows int }

// A window's size by the number of terms, measured: below `terms`, `bits`. Larger windows have more buckets, each of which costs
// two additions beside those of the terms.
var windowSizes = []struct{ terms, bits int }{
	{32, 4}, {128, 5}, {512, 7}, {2048, 8}, {8192, 10}, {32768, 12}, {131072, 13}, {786432, 15}, {maxPoints + 1, 16},
}

// windowBits is the window size for so many terms.
func windowBits(terms int) int {
	for _, size := range windowSizes {
		if terms < size.terms {
			return size.bits
		}
	}
	return windowSizes[len(windowSizes)-1].bits
}

// magnitudeBits bounds min(k, r-k) for a scalar k of either curve: below 0.91 · 2^254.
const magnitudeBits = 254

// windowCount is how many signed windows magnitudes below 2^magnitude need; the last digit must stay below half its range, after
// the carry of the window before it.
func windowCount(magnitude, window int) int {
	if magnitude >= magnitudeBits { // (r-1)/2 leaves room for the carry: its leading bits are 0.11100...
		return (magnitudeBits + 1 + window - 1) / window
	}
	return (magnitude + 1 + window) / window
}

// cutFor is the cut of so many terms of so many bits.
func cutFor(terms, magnitude int) shape {
	window := windowBits(terms)
	return shape{window, windowCount(magnitude, window)}
}

// bucketsOf counts a window's buckets, with one for zero.
func bucketsOf(window int) int { return 1<<(window-1) + 1 }

// parts splits windows among threads: whole windows first, and those left over cut by buckets, so that all threads end together.
func (s shape) parts(threads int) []windowPart {
	whole := s.windows / threads * threads
	var parts []windowPart
	for w := range whole {
		parts = append(parts, windowPart{w, 1, bucketsOf(s.bits)})
	}
	for w := whole; w < s.windows; w++ {
		parts = s.split(parts, w, threads)
	}
	return parts
}

// split cuts window w into `pieces` ranges of buckets, as a power of two would be nearest.
func (s shape) split(parts []windowPart, w, pieces int) []windowPart {
	pieces = min(1<<bits.Len(uint(pieces-1)), bucketsOf(s.bits)-1)
	buckets := bucketsOf(s.bits) - 1
	for i := range pieces {
		parts = append(parts, windowPart{w, 1 + buckets*i/pieces, 1 + buckets*(i+1)/pieces})
	}
	return parts
}

// windowPart is a range of buckets [low, high) of a window.
type windowPart struct{ window, low, high int }
