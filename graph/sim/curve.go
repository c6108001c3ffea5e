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

// through gives the seconds at a size on the curve through two points: the greater of a power of the size and of a fixed
// part with one in proportion. Work that grows faster than its size (transforms) has no fixed part and follows the power;
// where it grows more slowly (sums, whose windows widen; what costs the same for every circuit), the power knows best
// between the points, and beyond them the line does: what is fixed stays, and windows do not widen for ever.
func through(a, b point, size float64) float64 {
	exponent := math.Log(b.seconds/a.seconds) / math.Log(b.size/a.size)
	power := a.seconds * math.Exp(exponent*math.Log(size/a.size))
	line := a.seconds + (b.seconds-a.seconds)*(size-a.size)/(b.size-a.size)
	return min(max(power, line), longest)
}
