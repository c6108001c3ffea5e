package sched

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failByDevice lets the device of an item fail it, and carries out what follows.
func (p *placer) failByDevice(id ItemID) (again bool) {
	delete(p.on, id)
	again, decisions := p.c.FailedByDevice(id, 0)
	p.note(decisions)
	return again
}

// run submits an item and lets it go through, and says where.
func (p *placer) run(id ItemID) int {
	p.submit(id, sized(10))
	p.end(id)
	return p.on[id]
}

func TestAnItemOfABrokenDeviceBeginsAnewOnAnother(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100))
	p.submit(0, sized(60))
	require.True(t, p.failByDevice(0))
	assert.Equal(t, map[ItemID]int{0: 1}, p.on)
	assert.Zero(t, p.c.Pool(0).Used, "it has given back every byte")
	assert.Equal(t, int64(60), p.c.Pool(1).Used)
	assert.Equal(t, DeviceCounts{Rest: firstRest - 1, Avoided: true}, p.c.Device(0))
	p.end(0)
	assert.Zero(t, p.c.Live())
	assert.Zero(t, p.c.Pool(1).Used)
}

func TestAnItemBeginsAnewOnce(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100, 100))
	p.submit(0, sized(10))
	require.True(t, p.failByDevice(0))
	assert.False(t, p.failByDevice(0), "it may be what breaks devices")
	assert.NotContains(t, p.on, ItemID(0))
	assert.Zero(t, p.c.Live())
	assert.True(t, p.c.Device(0).Avoided)
	assert.True(t, p.c.Device(1).Avoided)
	assert.Equal(t, 2, p.run(1))
}

func TestAnItemThatFitsNowhereElseDoesNotBeginAnew(t *testing.T) {
	p := newPlacer(t, onDevices(100, 10))
	p.submit(0, sized(60))
	assert.False(t, p.failByDevice(0))
	assert.Zero(t, p.c.Live())
	p.submit(1, sized(60))
	assert.Equal(t, 0, p.on[1], "there is no other that it could wait for")
}

func TestASingleDeviceIsUsedWhateverItDoes(t *testing.T) {
	p := newPlacer(t, onDevices(100))
	for id := range ItemID(3) {
		p.submit(id, sized(10))
		assert.Equal(t, 0, p.on[id])
		assert.False(t, p.failByDevice(id))
	}
	assert.Equal(t, DeviceCounts{}, p.c.Device(0))
}

// The trials of a broken device come ever more seldom, each costs one item an attempt, and none is lost.
func TestABrokenDeviceDrawsFewItems(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100))
	var tried []ItemID
	for id := range ItemID(100) {
		p.submit(id, sized(10))
		if p.on[id] == 0 {
			tried = append(tried, id)
			require.True(t, p.failByDevice(id))
		}
		require.Equal(t, 1, p.on[id])
		p.end(id)
	}
	assert.Equal(t, []ItemID{0, 4, 12, 28, 60}, tried)
}

func TestADeviceThatWorksAgainIsUsedAsBefore(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100))
	p.submit(0, sized(10))
	require.True(t, p.failByDevice(0))
	p.end(0)
	for id := range ItemID(firstRest - 1) {
		require.Equal(t, 1, p.run(1+id))
	}
	p.submit(10, sized(10))
	require.Equal(t, 0, p.on[10], "the trial")
	p.submit(11, sized(10))
	p.submit(12, sized(10))
	assert.Equal(t, 1, p.on[11])
	assert.Equal(t, 1, p.on[12], "one item at a time is tried")
	p.end(10)
	assert.Equal(t, DeviceCounts{}, p.c.Device(0))
	p.submit(13, sized(10))
	p.submit(14, sized(10))
	assert.Equal(t, 0, p.on[13])
	assert.Equal(t, 0, p.on[14])
}

// What fails with an item of one device says nothing new, and items of their own fault say nothing at all.
func TestWhatCountsAgainstADevice(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100))
	for id := range ItemID(6) {
		p.submit(id, sized(10))
	}
	require.Equal(t, 0, p.on[2])
	for _, id := range []ItemID{0, 2, 4} {
		require.True(t, p.failByDevice(id))
	}
	assert.Equal(t, firstRest-3, p.c.Device(0).Rest, "one rest, less the three that went elsewhere")
	p.note(p.c.Failed(1, 0))
	assert.False(t, p.c.Device(1).Avoided)
}

// An item that had come far on a device when that failed another is no sign that it works again.
func TestAnItemFromBeforeDoesNotPardonADevice(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100))
	for id := range ItemID(3) {
		p.submit(id, sized(10))
	}
	require.Equal(t, map[ItemID]int{0: 0, 1: 1, 2: 0}, p.on)
	require.True(t, p.failByDevice(0))
	p.end(2)
	assert.True(t, p.c.Device(0).Avoided)
	assert.Equal(t, 1, p.run(3))
}

func TestOfDevicesThatAllRestOneIsUsed(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100))
	p.submit(0, sized(10))
	require.True(t, p.failByDevice(0))
	require.False(t, p.failByDevice(0))
	p.submit(1, sized(10))
	assert.Contains(t, p.on, ItemID(1))
}

// An item that is to begin anew and whose job ends meanwhile just ends; and one that waits for admission does too.
func TestAJobMayEndWhileItsItemMoves(t *testing.T) {
	g := onDevices(100, 100)
	g.Stages = append(g.Stages, Stage{Name: "b", Workers: 16})
	for name, settle := range map[string]func(p *placer){
		"while another body is under way": func(p *placer) {
			p.note(p.c.CancelJob(0))
			p.note(p.c.Failed(0, 1))
		},
		"while it waits for room": func(p *placer) {
			p.note(p.c.Finished(0, 1))
			require.Equal(t, 2, p.c.Live())
			p.note(p.c.CancelJob(0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlacer(t, g)
			p.submit(0, sized(60))
			p.submit(1, sized(60))
			require.Equal(t, map[ItemID]int{0: 0, 1: 1}, p.on)
			require.True(t, p.failByDevice(0))
			require.NotContains(t, p.on, ItemID(0), "device 1 is full, and a body is under way")
			settle(p)
			assert.Equal(t, 1, p.c.Live())
			assert.Zero(t, p.c.Pool(0).Used)
		})
	}
}

// A buffer that was freed early is whole again when its item begins anew.
func TestAnItemThatBeginsAnewNeedsAllOfIt(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100))
	p.submit(0, sized(60))
	p.note(p.c.Shrunk(0, 0, 5))
	require.Equal(t, int64(5), p.c.Pool(0).Used)
	require.True(t, p.failByDevice(0))
	assert.Equal(t, int64(60), p.c.Pool(1).Used)
}
