package run

import (
	"errors"
	"sync"
)

// errLoadAbandoned is what others get who wait for a load whose caller left before it began; they ask again.
var errLoadAbandoned = errors.New("the load was abandoned")

// load is a cache load that a call may begin. The cache runs it in a goroutine of its own, so whoever asked for it must
// be able to say that it shall not begin any more, or to wait until it has ended.
type load struct {
	mu        sync.Mutex
	ended     chan struct{} // not nil once the load has begun
	abandoned bool
}

// begin reports whether the load may begin.
func (l *load) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.abandoned {
		return false
	}
	l.ended = make(chan struct{})
	return true
}

func (l *load) end() { close(l.ended) }

// await waits for a load that has begun, and keeps one that has not from beginning.
func (l *load) await() {
	l.mu.Lock()
	l.abandoned = true
	ended := l.ended
	l.mu.Unlock()
	if ended != nil {
		<-ended
	}
}
