package cuzk

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/sim"
)

const machine = "../profiles/threadripper-7995wx.yaml"

// The aims for every figure, and those that one calibration does not meet; docs/cuzk-history.md says why.
const (
	aimSeconds = 0.08
	aimPeak    = 0.10
	aimHeld    = 4
)

var missed = map[string]bool{
	"9, gw1 c3 j1 seconds":                          true,
	"12 low memory, pw10 gw1 c5 j5 seconds":         true,
	"permit through send, capacity 1, pw10 seconds": true,
	"12 low memory, pw1 gw1 c5 j5 peak":             true,
	"12 low memory, pw10 gw1 c5 j5 peak":            true,
	"all three, pw10 peak":                          true,
	"12 split only, pw12 j15 held":                  true,
	"split only, pw12 j15 held":                     true,
	"split only, pw15 j15 held":                     true,
}

func outcomes(t *testing.T) []Outcome {
	all, err := Simulate(machine, Seeds)
	require.NoError(t, err)
	return all
}

func TestEveryVerdictIsThePublishedOne(t *testing.T) {
	for _, o := range outcomes(t) {
		assert.True(t, o.Agreed, "%s: seeds disagree", o.Name)
		assert.Equal(t, o.Dies, o.Simulated.Dies, o.Name)
	}
}

func TestFiguresAreWithinTheAimsOrListed(t *testing.T) {
	for _, o := range outcomes(t) {
		if !o.Dies {
			check(t, o.Name+" seconds", o.Simulated.Seconds, o.Seconds, aimSeconds*o.Seconds)
		}
		check(t, o.Name+" peak", o.Simulated.Peak, o.Peak, aimPeak*o.Peak)
		check(t, o.Name+" held", o.Simulated.Held, float64(o.Held), aimHeld)
	}
}

func check(t *testing.T, what string, simulated, published, aim float64) {
	if published > 0 {
		assert.Equal(t, missed[what], math.Abs(simulated-published) > aim, "%s: %.4g, published %.4g", what, simulated, published)
	}
}

// Of two rows that were published more than 6 % apart the faster one is the faster one here, and of two peaks more than
// 13 % apart the greater one the greater. Left out are phase 9, and the rows whose seconds are all too good here.
func TestRowsStandInThePublishedOrder(t *testing.T) {
	all := outcomes(t)
	for _, a := range all {
		for _, b := range all {
			if outOfOrder(a.Name) || outOfOrder(b.Name) {
				continue
			}
			if a.Seconds > 0 && b.Seconds > a.Seconds*1.06 {
				assert.Less(t, a.Simulated.Seconds, b.Simulated.Seconds, "%s is faster than %s", a.Name, b.Name)
			}
			if a.Peak > 0 && b.Peak > a.Peak*1.13 {
				assert.Less(t, a.Simulated.Peak, b.Simulated.Peak, "%s needs less than %s", a.Name, b.Name)
			}
		}
	}
}

func outOfOrder(name string) bool {
	return strings.HasPrefix(name, "9,") || strings.HasPrefix(name, "permit through send")
}

func TestMorePermitsThanTwelveBringMemoryAndNoSpeed(t *testing.T) {
	found := map[string]Outcome{}
	for _, o := range outcomes(t) {
		found[o.Name] = o
	}
	twelve := found["12 all three, pw12 c20 j20"]
	for _, name := range []string{"12 all three, pw14 c20 j20", "12 all three, pw16 c20 j20"} {
		more := found[name]
		assert.InEpsilon(t, twelve.Simulated.Seconds, more.Simulated.Seconds, 0.03, name)
		assert.Greater(t, more.Simulated.Peak, twelve.Simulated.Peak+40, name)
	}
}

func TestEveryPipelineOfTheHistoryLoads(t *testing.T) {
	entries, err := files.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, entries, 7)
	used := map[string]bool{}
	for _, r := range Rows() {
		used[r.Pipeline] = true
	}
	profile, err := sim.LoadProfile(machine)
	require.NoError(t, err)
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".yaml")
		_, err := Load(name, nil, profile)
		assert.NoError(t, err)
		if !used[name] {
			assert.Contains(t, []string{"early-free", "byte-budget"}, name, "pipelines without a published outcome")
		}
	}
}
