package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const crowd = `
pipeline: crowd
params: { workers: { default: 1, range: [1, 8] }, threads: { default: 1, range: [1, 8] } }
stages: { sum: { kind: model.stage, workers: "${workers}", threads: "${threads}" } }
`

// Bodies of one thread slow each other down as more cores are busy; one whose threads kept all busy when it was measured is
// as fast as it was.
func TestBusyCoresAreSlower(t *testing.T) {
	profile := profileOf(t, `
profile: p
machine: { cores: 4 }
resources: { cores: { capacity: 4, crowding: 0.3 } }
stages:
  sum:
    - { seconds: 1, threads: 1, loads: { cores: 1 } }
    - { seconds: 0.4, threads: 4, loads: { cores: 4 } }
`)
	cases := []struct {
		name    string
		sets    []string
		seconds float64 // of four bodies
	}{
		{"one at a time", nil, 4},
		{"two", []string{"workers=2"}, 2 * 1.1},
		{"four", []string{"workers=4"}, 1.3},
		{"all threads", []string{"threads=4"}, 4 * 0.4},
		{"all threads, two bodies", []string{"threads=4", "workers=2"}, 4 * 0.4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := simulate(t, compile(t, crowd, nil, c.sets...), profile, Arrivals{Jobs: 4, Items: 1})
			assert.InDelta(t, c.seconds, r.Seconds, 1e-6)
		})
	}
}

// What several threads use more than one tells how much busy cores slow each other down.
func TestCrowdingIsLearnedFromThreads(t *testing.T) {
	with := func(costs string) *Profile { return profileOf(t, "profile: p\n"+machineOfFour+"stages: { "+costs+" }") }
	one := with("sum: { of: n, at: { 8: 10, 16: 21 }, threads: 1, loads: { cores: 1 } }, rows: { of: n, at: { 8: 10 }, threads: 1, loads: { cores: 1 } }")
	four := with("sum: { of: n, at: { 8: 3 }, threads: 4, loads: { cores: 4 } }, rows: { of: n, at: { 8: 5 }, threads: 4, loads: { cores: 2.5 } }")
	p, err := Merge(one, four)
	require.NoError(t, err)
	assert.InDelta(t, (12-10+12.5-10)/(10*1+10*0.5), p.Resources["cores"].Crowding, 1e-3)

	for name, other := range map[string]*Profile{
		"other sizes":     with("sum: { of: n, at: { 4: 3 }, threads: 4, loads: { cores: 4 } }"),
		"fewer uses less": with("sum: { of: n, at: { 8: 2 }, threads: 4, loads: { cores: 4 } }"),
		"one thread too":  with("sum: { of: n, at: { 8: 12 }, threads: 1, loads: { cores: 1 } }"),
	} {
		p, err := Merge(one, other)
		require.NoError(t, err)
		assert.Zero(t, p.Resources["cores"].Crowding, name)
	}
	byHand := profileOf(t, "profile: p\nmachine: { cores: 4 }\nresources: { cores: { capacity: 4, crowding: 0.5 } }\nstages: { sum: 1 }")
	_, err = Merge(byHand, four)
	assert.ErrorContains(t, err, "different machines", "by hand it is said exactly")
}
