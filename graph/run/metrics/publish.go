// Package metrics publishes what a run does through tally: to Prometheus, or to whatever a tally.Scope reports to.
//
// Reading order: Publish, the metrics and their tags (series.go), Exporter (prometheus.go).
package metrics

import (
	"strings"
	"sync"
	"time"

	"github.com/uber-go/tally/v4"

	"github.com/proofgraph/proofgraph/graph/run"
)

// Publish writes a run's report into scope: now, at every interval, and once more when stop is called. Counters grow by
// what has come since the report before; peaks are gauges of their own, so that none falls between two reports.
func Publish(scope tally.Scope, report func() run.Report, every time.Duration) (stop func()) {
	p := &publisher{scope: scope, told: map[string]int64{}}
	p.publish(report())
	ended := make(chan struct{})
	var loop sync.WaitGroup
	loop.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.publish(report())
			case <-ended:
				p.publish(report())
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		close(ended)
		loop.Wait()
	})
}

// publisher remembers what it has told of each counter.
type publisher struct {
	scope tally.Scope
	told  map[string]int64
}

func (p *publisher) publish(r run.Report) {
	runs.publish(p, r)
	for _, s := range r.Stages {
		stages.publish(p, s)
		for _, b := range s.Blocked {
			blocks.publish(p, blocked{s.Name, b})
		}
	}
	for _, e := range r.Edges {
		edges.publish(p, e)
	}
	for _, d := range r.Devices {
		devices.publish(p, d)
	}
	for i, use := range r.Memory.Pools {
		pools.publish(p, pool{use, r.Pools[i]})
		for _, c := range use.Classes {
			classes.publish(p, class{use.Name, c})
		}
	}
}

// count brings a counter up to a total.
func (p *publisher) count(scope tally.Scope, name string, tags []string, total int64) {
	key := name + "\x00" + strings.Join(tags, "\x00")
	scope.Counter(name).Inc(total - p.told[key])
	p.told[key] = total
}
