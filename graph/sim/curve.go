package sim

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// secondsFor gives a phase's seconds for an item of the given facts.
func (ph *Phase) secondsFor(facts stage.Facts) (float64, error) {
	if ph.Of == "" {
		return ph.Seconds, nil
	}
	at := facts[ph.Of]
	if at <= 0 {
		return 0, fmt.Errorf("its seconds depend on the fact %q, which the item lacks", ph.Of)
	}
	known := slices.Sorted(maps.Keys(ph.At))
	i, found := slices.BinarySearch(known, at)
	switch {
	case found:
		return ph.At[at], nil
	case len(known) == 1:
		return min(ph.At[known[0]]*float64(at)/float64(known[0]), longest), nil
	}
	i = min(max(i, 1), len(known)-1)
	return through(point{float64(known[i-1]), ph.At[known[i-1]]}, point{float64(known[i]), ph.At[known[i]]}, float64(at)), nil
}

// A point of a curve: seconds at a size.
type point struct{ size, seconds float64 }

// through gives the seconds at a size on the curve through two points. Between them it is a power of the size, and beyond
// them too where that grows as the size or faster (rows, transforms). What grows more slowly is a sum, or has a part that is
// the same for every size: beyond the points it is at least a fixed part with one that grows like n/log n, as the additions
// of a sum of n terms do, whose windows widen (Pippenger, FOCS 1976). A power alone, flattened by what is fixed, would fall
// behind.
func through(a, b point, size float64) float64 {
	exponent := math.Log(b.seconds/a.seconds) / math.Log(b.size/a.size)
	power := a.seconds * math.Exp(exponent*math.Log(size/a.size))
	if exponent >= 1 || a.size <= size && size <= b.size {
		return min(power, longest)
	}
	part := (additions(size) - additions(a.size)) / (additions(b.size) - additions(a.size))
	return min(max(power, a.seconds+part*(b.seconds-a.seconds)), longest)
}

// additions is proportional to those of a sum of n terms.
func additions(n float64) float64 { return n / math.Log2(n+1) }
