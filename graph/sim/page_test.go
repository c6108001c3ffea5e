package sim

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page says that nothing ran, of what it was the simulation, and shows results side by side, refused ones too.
func TestThePageComparesResults(t *testing.T) {
	profile := profileOf(t, "profile: laptop")
	fits := simulate(t, compile(t, twoStages, nil), profile, Arrivals{Jobs: 4, Items: 2, AtOnce: 2})
	refused := simulate(t, compile(t, twoStages, nil, "limit=13"), profile, Arrivals{Jobs: 1, Items: 1})
	var page bytes.Buffer
	require.NoError(t, HTML(&page, fits, refused))
	for _, want := range []string{
		"<h1>two, two, simulated</h1>", "Nothing ran: this is pipeline two in virtual time, with what profile laptop says that stages cost; 4 jobs of 2 items, 2 jobs at once.",
		`<td class="words">two</td><td class="words">refused</td><td>-</td>`, `<td class="words">make</td><td>8</td><td>3</td>`, "What the workers did",
		`<div class="grave"><dt>verdict</dt><dd>refused: the pool &#34;host&#34; has 13 B and one item needs 14 B`,
	} {
		assert.Contains(t, page.String(), want)
	}
	fits.Timeline = nil
	require.ErrorContains(t, HTML(&page, fits), "no timeline")
}

func TestArrivalsInWords(t *testing.T) {
	for want, a := range map[string]Arrivals{
		"3 jobs, all at the beginning":            {Jobs: 3, Items: 1},
		"3 jobs of 2 items, 1 job at once":        {Jobs: 3, Items: 2, AtOnce: 1},
		"3 jobs, one every 2s":                    {Jobs: 3, Items: 1, Every: 2 * time.Second},
		"3 jobs, one every 2s on average":         {Jobs: 3, Items: 1, Every: 2 * time.Second, Random: true},
		"3 jobs of 2 items, all at the beginning": {Jobs: 3, Items: 2, AtOnce: 3},
	} {
		assert.Equal(t, want, a.String())
	}
}

func TestNumbersInTables(t *testing.T) {
	for want, x := range map[string]float64{"0.0000438": 4.381e-5, "0": 0, "28.5": 28.49, "1230": 1234, "0.15": 0.15} {
		assert.Equal(t, want, threeDigits(x))
	}
	assert.Equal(t, "0.22 s", shortSeconds(0.2214))
	assert.Equal(t, "572 s", shortSeconds(572.3))
}
