package budget

// An EventKind says what happened to a lease.
type EventKind int

// The kinds of events.
const (
	Leased   EventKind = iota // bytes were leased or charged
	Shrunk                    // a lease returned some of its bytes early
	Recast                    // a lease's bytes left the event's class (Bytes is below zero) or came to it; two events
	Released                  // the last lease of some bytes ended
	Refused                   // the pool had no room
)

var eventNames = [...]string{"leased", "shrunk", "recast", "released", "refused"}

// String gives the kind's name in lower case.
func (k EventKind) String() string { return eventNames[k] }

// An Event is one change of a tracker's counts, for traces and timelines.
type Event struct {
	Kind        EventKind
	Pool, Class int
	Holder      string
	Bytes       int64 // how many the event is about
	PoolInUse   int64 // bytes in use in the pool after it, idle ones among them
	ClassInUse  int64 // bytes in use in the class after it
}

// emit tells the observer; the pool is locked.
func (p *pool) emit(kind EventKind, holder string, class int, bytes int64) {
	t := p.tracker
	if t.settings.observer == nil {
		return
	}
	t.settings.observer(Event{
		Kind: kind, Pool: p.index, Class: class, Holder: holder, Bytes: bytes,
		PoolInUse: p.counts.bytes.Load(), ClassInUse: t.classes[class].counts.bytes.Load(),
	})
}
