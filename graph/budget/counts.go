package budget

import "sync/atomic"

// Counts are the counters of a pool or a class. At any instant Leases - Frees = InFlight; LeasedBytes - FreedBytes =
// Bytes, less what the pool keeps idle.
type Counts struct {
	InFlight    int64 `json:"in_flight"`        // blocks of bytes leased now (a shared one counts once)
	Bytes       int64 `json:"bytes"`            // bytes counted now; for a pool with its idle ones
	HighWater   int64 `json:"high_water"`       // the most that Bytes ever was
	Leases      int64 `json:"leases"`           // leases ever given
	LeasedBytes int64 `json:"leased_bytes"`     // their bytes
	Frees       int64 `json:"frees"`            // blocks ever returned
	FreedBytes  int64 `json:"freed_bytes"`      // bytes ever returned
	EarlyFreed  int64 `json:"early_freed"`      // bytes of those that were returned by Shrink
	Refused     int64 `json:"refused,omitzero"` // leases refused
}

// A counter is Counts in the making: written with the pool's lock held, read without.
type counter struct {
	inFlight, bytes, high, leases, leasedBytes, frees, freedBytes, early, refused atomic.Int64
}

func (c *counter) read() Counts {
	return Counts{
		InFlight: c.inFlight.Load(), Bytes: c.bytes.Load(), HighWater: c.high.Load(),
		Leases: c.leases.Load(), LeasedBytes: c.leasedBytes.Load(),
		Frees: c.frees.Load(), FreedBytes: c.freedBytes.Load(), EarlyFreed: c.early.Load(), Refused: c.refused.Load(),
	}
}

// take counts a new block.
func (c *counter) take(bytes int64) {
	c.inFlight.Add(1)
	c.leases.Add(1)
	c.leasedBytes.Add(bytes)
	c.hold(bytes)
}

// give counts the end of a block that has so many bytes left.
func (c *counter) give(bytes int64) {
	c.bytes.Add(-bytes)
	c.freedBytes.Add(bytes)
	c.end()
}

// end counts the end of a block, and leaves its bytes counted.
func (c *counter) end() {
	c.inFlight.Add(-1)
	c.frees.Add(1)
}

// shrink counts bytes returned by a block that lives on.
func (c *counter) shrink(bytes int64) {
	c.bytes.Add(-bytes)
	c.freedBytes.Add(bytes)
	c.early.Add(bytes)
}

// hold counts bytes that are in no lease: idle ones; drop is its end.
func (c *counter) hold(bytes int64) {
	if now := c.bytes.Add(bytes); now > c.high.Load() {
		c.high.Store(now)
	}
}

func (c *counter) drop(bytes int64) { c.bytes.Add(-bytes) }
