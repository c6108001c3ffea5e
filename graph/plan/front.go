package plan

import (
	"cmp"
	"slices"
)

// front gives the points that no other beats both in memory and in time, the fewest bytes first.
func front(points []Point, o Objective) []Point {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Memory, b.Memory), cmp.Compare(o.time(a), o.time(b)), slices.Compare(a.Values, b.Values))
	})
	var kept []Point
	for _, p := range sorted {
		if len(kept) == 0 || o.time(p) < o.time(kept[len(kept)-1]) {
			kept = append(kept, p)
		}
	}
	return kept
}

// best gives the point of a front that an objective asks for.
func best(front []Point, o Objective) Point {
	if o == Memory {
		return front[0]
	}
	return front[len(front)-1]
}

// knee gives the point of a front that lies farthest below the line from its first point to its last, both axes scaled
// to the front ("Finding a Kneedle in a Haystack", Satopää et al., 2011).
func knee(front []Point, o Objective) Point {
	first, last := front[0], front[len(front)-1]
	bytes, seconds := float64(last.Memory-first.Memory), o.time(first)-o.time(last)
	at, farthest := first, 0.0
	if bytes == 0 || seconds == 0 {
		return at
	}
	for _, p := range front {
		spent := float64(p.Memory-first.Memory) / bytes
		gained := (o.time(first) - o.time(p)) / seconds
		if gained-spent > farthest {
			at, farthest = p, gained-spent
		}
	}
	return at
}
