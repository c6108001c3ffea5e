package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is predicted is never what was recorded, and each prediction has recordings of its stages in two sizes.
func TestRecordingsAndPredictionsAreDisjoint(t *testing.T) {
	same := func(a, b setting) bool {
		return a.size == b.size && a.pipeline == b.pipeline && strings.Join(a.set, " ") == strings.Join(b.set, " ") && a.memory == b.memory && a.jobs == b.jobs
	}
	names := map[string]bool{}
	for _, s := range settings {
		assert.False(t, names[s.name()], "%s stands twice", s.name())
		names[s.name()] = true
		recorded := map[int]bool{}
		for _, r := range recordings {
			assert.False(t, same(s, r), "%s is recorded", s.name())
			if r.pipeline == s.from {
				recorded[r.size] = true
			}
		}
		assert.Len(t, recorded, 2, s.name())
		assert.LessOrEqual(t, s.jobs, batch)
	}
}

func TestWhatOthersUse(t *testing.T) {
	busy, err := parseBusy("cpu  100 20 30 9999 77 1 2 5 40 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
	require.NoError(t, err)
	assert.Equal(t, 1580*time.Millisecond, busy)
	_, err = parseBusy("cpu  much\n")
	assert.ErrorContains(t, err, "/proc/stat")
}

func TestTheTableSaysWhatKeepsTheAims(t *testing.T) {
	figures := func(seconds ...float64) (all []figure) {
		for i, s := range seconds {
			all = append(all, figure{seconds: s, peak: float64(i+1) * (1 << 20)})
		}
		return all
	}
	busy := figures(1, 2, 3)
	for i := range busy {
		busy[i].others = 1
	}
	mixed := append(figures(1, 1.1, 0.9), figure{seconds: 9, peak: 5 << 20, others: 1})
	rows := []row{
		{settings[0], figure{seconds: 1.09, peak: 5 << 20}, mixed},
		{settings[1], figure{seconds: 1.2, peak: 2.5 * (1 << 20)}, figures(1, 1, 1, 1)},
		{settings[2], figure{seconds: 1, peak: 2.05 * (1 << 20)}, busy},
	}
	var text strings.Builder
	require.NoError(t, printTable(&text, rows, &seen{rounds: 4, took: time.Minute}))
	for _, words := range []string{
		"| 1.090 | 1.000 | -10 to +10 % | +9 % | 5.0 | 2.5 | -60 to +100 % | +100.0 % |",
		"| 1.200 | 1.000 | +0 to +0 % | +20 % | 2.5 | 2.5 | -60 to +60 % | +0.0 % |",
		"| 1.000 | 2.000 | -50 to +50 % | -50 % (disturbed) | 2.0 | 2.0 | -50 to +50 % | +2.5 % |",
		"Seconds within 10 % on 1 of 3 settings, peaks within 5 % on 2; medians of 4 rounds in 1m0s.",
		"Others used the machine during every run of 1 settings",
	} {
		assert.Contains(t, text.String(), words)
	}
}

func TestADisturbedRecordingCountsOnlyWhereThereIsNoOther(t *testing.T) {
	small, large := recordings[0], recordings[1]
	s := seen{profiles: []profile{{small, "a", 0}, {small, "b", 1}, {large, "c", 1}, {large, "d", 2}, {recordings[len(recordings)-1], "e", 0}}}
	assert.Equal(t, []string{"a", "c", "d"}, s.files("serial"))
	assert.Equal(t, []string{"e"}, s.files("lowmem"))
}

func TestMedian(t *testing.T) {
	assert.Equal(t, 2.0, median([]figure{{seconds: 3}, {seconds: 1}, {seconds: 2}}, figure.ofSeconds))
	assert.Equal(t, 1.5, median([]figure{{peak: 2}, {peak: 1}}, figure.ofPeak))
}
