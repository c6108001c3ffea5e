package sched

// A device whose bodies fail at once is always the one with the fewest items under way, and would draw every next item. So
// one that has failed rests: items go elsewhere, where there is a device on which they fit that does not rest, until so
// many have been admitted there that one item is let in on trial. A failure on trial makes the next rest twice as long; an
// item that goes through ends the matter. There is no clock here: a rest is counted in admissions.

const (
	firstRest   = 4    // admissions elsewhere after a first failure
	longestRest = 1024 // and after many
)

// standing is what is held against a device.
type standing struct {
	failures int // on trial and the one that led to it, since an item last went through
	rest     int // admissions elsewhere until it is tried
}

// condemn lets the device of an item rest, which has failed it. The others that are there by now say nothing new, however
// they end: some may have had all of the device that they need. A single device has no other to rest behind.
func (c *Core) condemn(it *item) {
	if len(c.standings) == 1 || it.stale {
		return
	}
	for _, other := range c.items {
		other.stale = other.stale || other.admitted && other.device == it.device
	}
	s := &c.standings[it.device]
	s.rest = longestRest
	if firstRest<<s.failures < longestRest {
		s.rest = firstRest << s.failures
		s.failures++
	}
}

// pardon forgets what is held against the device of an item that has gone through.
func (c *Core) pardon(it *item) {
	if !it.stale {
		c.standings[it.device] = standing{}
	}
}

// passTime lets an admission on a device bring those that rest nearer to their trial.
func (c *Core) passTime(device int) {
	for d := range c.standings {
		if d != device && c.standings[d].rest > 0 {
			c.standings[d].rest--
		}
	}
}

// reluctance ranks the devices for an item, the least first: those that work, those that rest or are on trial with an item
// already, and the one that has failed this very item.
func (c *Core) reluctance(it *item, device int) int {
	s := c.standings[device]
	switch {
	case it.moved && it.failedOn == device:
		return 2
	case s.rest > 0, s.failures > 0 && c.flyingOn[device] > 0:
		return 1
	}
	return 0
}

// An item that its device has failed begins anew on another, once: it gives back all that it holds, as one that is dropped
// for good, and is then admitted as if it had just been submitted, ahead of those that came later. Once, since an item may
// be what breaks a device, and should not break them all.

// canMove reports whether an item may begin anew: it has not yet, and fits on another device.
func (c *Core) canMove(it *item) bool {
	if it.moved {
		return false
	}
	for d, refusal := range c.planOf(it.submitted).refusals {
		if d != it.device && refusal == nil {
			return true
		}
	}
	return false
}

// move drops an item, to begin anew when that is done.
func (c *Core) move(it *item) {
	it.moved, it.moving, it.failedOn = true, true, it.device
	c.kill(it)
}

// beginAnew submits a dropped item again, in its old place among those that wait.
func (c *Core) beginAnew(it *item) {
	c.land(it)
	c.reset(it)
	c.out = append(c.out, Decision{Op: Again, Item: it.ID})
	c.arrived.push(it)
	c.admitting = true
}

// DeviceCounts are what the core knows of a device: items under way there and, if it has failed, how many must be admitted
// elsewhere before it is tried again.
type DeviceCounts struct {
	Items, Rest int
	// Avoided says that an item which can go elsewhere does.
	Avoided bool
}

// Device gives a device's counts.
func (c *Core) Device(d int) DeviceCounts {
	s := c.standings[d]
	return DeviceCounts{Items: c.flyingOn[d], Rest: s.rest, Avoided: s.failures > 0}
}
