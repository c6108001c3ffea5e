package run_test

import (
	"fmt"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// A listener notes what a run tells of failures.
type listener struct {
	mu   sync.Mutex
	told []run.DeviceFailure
}

func (l *listener) options() run.Options {
	return run.Options{DeviceFailed: func(f run.DeviceFailure) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.told = append(l.told, f)
	}}
}

// cardsOf gives n cards, those named broken.
func cardsOf(n int, broken ...int) []*card {
	cards := make([]*card, n)
	for d := range cards {
		cards[d] = &card{contents: map[unsafe.Pointer]string{}}
	}
	for _, d := range broken {
		cards[d].broken = true
	}
	return cards
}

// Of a run on several cards, a broken one costs no job: its items go to the others, and few come to it.
func TestABrokenDeviceCostsNoJob(t *testing.T) {
	before, heard := ours(), &listener{}
	cards := cardsOf(3, 1)
	r := startOn(t, cards, heard.options())
	results := r.feedKeyed(numbered(100, func(i int) string { return fmt.Sprintf("points-%d", i) })...)
	require.Len(t, results, 100)
	for id, result := range results {
		require.NoError(t, result.Err, id)
		assert.Equal(t, "bases*points-"+id, result.Values[0]["back.text"])
	}
	report := r.Report()
	require.Len(t, report.Devices, 3)
	broken := report.Devices[1]
	assert.Positive(t, broken.Failed)
	assert.Less(t, broken.Failed, int64(30), "it was let in on trial alone")
	assert.Equal(t, broken.Failed, broken.Moved)
	assert.True(t, broken.Avoided)
	assert.ErrorIs(t, broken.Last, errBroken{})
	assert.Zero(t, broken.Items)
	assert.Equal(t, run.DeviceReport{}, report.Devices[0])
	r.end(t)
	require.Len(t, heard.told, int(broken.Failed))
	for _, f := range heard.told {
		assert.Equal(t, 1, f.Device)
		assert.True(t, f.Again)
		assert.True(t, f.Avoided)
		assert.Contains(t, []string{"load", "upload", "msm"}, f.Stage)
	}
	for _, c := range cards {
		assert.Zero(t, c.Given())
	}
	requireNoGoroutines(t, before)
}

// Where all are broken, every job fails after a second attempt, and in the card's words.
func TestWhereAllDevicesAreBrokenJobsFail(t *testing.T) {
	heard := &listener{}
	cards := cardsOf(2, 0, 1)
	r := startOn(t, cards, heard.options())
	for _, result := range r.feedKeyed(numbered(20, func(int) string { return "points" })...) {
		require.ErrorIs(t, result.Err, errBroken{})
		require.ErrorContains(t, result.Err, "stage \"")
	}
	report := r.Report()
	assert.Equal(t, int64(40), report.Devices[0].Failed+report.Devices[1].Failed)
	assert.Equal(t, int64(20), report.Devices[0].Moved+report.Devices[1].Moved)
	r.end(t)
	assert.Len(t, heard.told, 40)
}

// A single device is all there is.
func TestASingleBrokenDeviceIsAskedByEveryJob(t *testing.T) {
	cards := cardsOf(1, 0)
	r := startOn(t, cards, run.Options{})
	for _, result := range r.feedKeyed(numbered(5, func(int) string { return "points" })...) {
		require.ErrorIs(t, result.Err, errBroken{})
	}
	assert.GreaterOrEqual(t, cards[0].asked, 5)
	assert.Equal(t, sched.DeviceCounts{}, r.Report().Devices[0].DeviceCounts)
	r.end(t)
}
