package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds on the search for what was meant.
const (
	maxSuggestErrors = maxErrors
	maxSuggestName   = 40
	maxListed        = 12
)

// suggest gives a hint for a name that is none of those known: the nearest, or all of them where they are few.
func suggest(src *source, name string, known []string) string {
	if len(src.errors) >= maxSuggestErrors || len(known) == 0 {
		return ""
	}
	if near := nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(known) > maxListed {
		return ""
	}
	return "one of " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
}

// suggestChoice gives a hint for a word that is none of the choices: all of them, and the nearest.
func suggestChoice(src *source, word string, choices []string) string {
	hint := suggest(src, word, choices)
	if !strings.HasPrefix(hint, "did you mean") || len(choices) > maxListed {
		return hint
	}
	return hint + " It is one of " + strings.Join(choices, ", ")
}

// nearest gives the known name that fewest edits lead to, fewer than would write it anew; "" where none is near.
func nearest(name string, known []string) string {
	best, bestDistance := "", 1+max(1, min(3, len(name)/3))
	for _, candidate := range known {
		if len(candidate) > maxSuggestName || len(name) > maxSuggestName {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < min(bestDistance, len(name)) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string
// alignment).
func distance(a, b string) int {
	var before, last, row []int
	last = make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row = make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
