// Package budget is the global buffer tracker.
package budget

// A Lease is a right to bytes of a pool.
type Lease struct{ bytes []byte }

// Bytes gives the leased memory.
func (l *Lease) Bytes() []byte { return l.bytes }
