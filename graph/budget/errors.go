package budget

import (
	"errors"
	"fmt"
	"strings"
)

// What a lease or the tracker can be asked that makes no sense; errors wrap these.
var (
	ErrReleased = errors.New("the lease was already released")
	ErrShared   = errors.New("the lease is shared")
	ErrSize     = errors.New("not a size that can be leased")
	ErrClass    = errors.New("no such class in the pool")
	ErrWhole    = errors.New("device and pinned memory comes back whole or not at all")
	ErrNoMemory = errors.New("the pool has no allocator")
	ErrClosed   = errors.New("the tracker is closed")
)

// An OverBudgetError refuses a lease that its pool has no room for.
type OverBudgetError struct {
	Pool, Class, Holder string
	Asked, Limit, InUse int64    // bytes
	Holders             []Holder // who holds the bytes in use, by name
}

// Never says that the lease would not fit if the pool were empty.
func (e *OverBudgetError) Never() bool { return e.Asked > e.Limit }

// Error names the pool, the numbers, and the largest holders.
func (e *OverBudgetError) Error() string {
	text := fmt.Sprintf("%s asks %s of %s, but pool %s has %s of %s in use",
		e.Holder, FormatBytes(e.Asked), e.Class, e.Pool, FormatBytes(e.InUse), FormatBytes(e.Limit))
	if e.Never() {
		return fmt.Sprintf("%s asks %s of %s, more than all of pool %s (%s)",
			e.Holder, FormatBytes(e.Asked), e.Class, e.Pool, FormatBytes(e.Limit))
	}
	if largest := largestHolders(e.Holders, 4); largest != "" {
		text += ", held by " + largest
	}
	return text
}

// A SystemError says that the operating system did not give memory, or did not take it back.
type SystemError struct {
	Op    string // "map" or "unmap"
	Bytes int64
	Class string
	Err   error
}

// Error says what was asked of the system and what it answered.
func (e *SystemError) Error() string {
	return fmt.Sprintf("%s %s of %s: %v", e.Op, FormatBytes(e.Bytes), e.Class, e.Err)
}

// Unwrap gives the system's error.
func (e *SystemError) Unwrap() error { return e.Err }

// A LeakError names the leases that were not returned when the tracker closed.
type LeakError struct{ Leaks []Leak }

// Error has a line for each leak.
func (e *LeakError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "leases not returned: %d", len(e.Leaks))
	for _, leak := range e.Leaks {
		fmt.Fprintf(&text, "\n  %s", leak)
	}
	return text.String()
}
