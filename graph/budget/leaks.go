package budget

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// A Leak is a lease that was not returned.
type Leak struct {
	Holder, Pool, Class string
	Bytes               int64
	// Origin is where the lease was asked for, innermost caller first, one line each; empty where it was not remembered.
	Origin string
}

// String puts the leak on one line, with the innermost caller.
func (l Leak) String() string {
	text := fmt.Sprintf("%s holds %s of %s in pool %s", l.Holder, FormatBytes(l.Bytes), l.Class, l.Pool)
	if at, _, _ := strings.Cut(l.Origin, "\n"); at != "" {
		text += ", leased at " + at
	}
	return text
}

// Leaks lists the leases that are not returned, pool by pool, oldest first; of a shared one each lease that is left.
func (t *Tracker) Leaks() []Leak {
	var leaks []Leak
	for _, p := range t.pools {
		leaks = append(leaks, p.leaks()...)
	}
	return leaks
}

func (p *pool) leaks() (leaks []Leak) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := p.live.next; l != &p.live; l = l.next {
		b := l.block
		leaks = append(leaks, Leak{
			Holder: l.holder, Pool: p.Name, Class: b.className(), Bytes: b.size, Origin: callers(l.origin),
		})
	}
	return leaks
}

// callers writes program counters as lines of "function (file:line)".
func callers(pcs []uintptr) string {
	if len(pcs) == 0 {
		return ""
	}
	var lines []string
	for frames := runtime.CallersFrames(pcs); ; {
		frame, more := frames.Next()
		lines = append(lines, fmt.Sprintf("%s (%s:%d)", path.Base(frame.Function), path.Base(frame.File), frame.Line))
		if !more {
			return strings.Join(lines, "\n")
		}
	}
}
