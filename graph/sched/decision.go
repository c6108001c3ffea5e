package sched

// An Op is what a driver is told to do.
type Op int

const (
	// Start the body of Stage for Item on Worker; answer with Finished, Failed or, for an async stage, Launched first.
	Start Op = iota
	// Cancel the bodies of Item that are under way: its job has failed. They still answer.
	Cancel
	// Drop what Item holds; no body of it is under way. Answer with Dropped.
	Drop
	// Again says that Item, which was dropped since its device failed it, holds nothing any more and begins anew: all its
	// bodies will be started as if none had run.
	Again
	// Ended says that Item has gone through (OK) or was dropped, and holds nothing any more.
	Ended
	// Evict gives up the cache entry Key. Answer with Evicted.
	Evict
)

// String names the operation.
func (o Op) String() string {
	return [...]string{"start", "cancel", "drop", "again", "ended", "evict"}[o]
}

// A Decision is one thing that the driver must do, in the order given.
type Decision struct {
	Op     Op
	Item   ItemID
	Stage  int
	Worker int
	Device int // of a Start: that on which the item was placed, the same for all its bodies
	OK     bool
	Key    string
}
