package metrics

import (
	"strconv"
	"time"

	"github.com/uber-go/tally/v4/prometheus"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/run"
)

// A family is the metrics of one kind of subject. They share their tags, since a metric must always have the same.
type family[S any] struct {
	tags   []string
	values func(S) []string
	series []series[S]
}

// A series is one metric: a counter, whose value is a total, or a gauge.
type series[S any] struct {
	kind       seriesKind
	name, help string
	value      func(S) int64
}

type seriesKind int

const (
	counter seriesKind = iota
	gauge
)

// The subjects that the report has no type of its own for.
type (
	blocked struct {
		stage string
		run.Blocked
	}
	pool struct {
		budget.PoolUse
		promised run.PoolReport
	}
	class struct {
		pool string
		budget.ClassUse
	}
)

var runs = family[run.Report]{
	values: func(run.Report) []string { return nil },
	series: []series[run.Report]{
		{gauge, "items", "Items that were submitted and have not ended.", func(r run.Report) int64 { return int64(r.Live) }},
	},
}

var stages = family[run.StageReport]{
	tags:   []string{"stage", "kind"},
	values: func(s run.StageReport) []string { return []string{s.Name, s.Kind} },
	series: []series[run.StageReport]{
		{counter, "stage_started_total", "Bodies started.", func(s run.StageReport) int64 { return s.Started }},
		{counter, "stage_finished_total", "Bodies that ended well.", func(s run.StageReport) int64 { return s.Finished }},
		{counter, "stage_failed_total", "Bodies that failed.", func(s run.StageReport) int64 { return s.Failed }},
		{counter, "stage_busy_milliseconds_total", "Time in bodies, all workers together.",
			func(s run.StageReport) int64 { return milliseconds(s.Busy) }},
		{gauge, "stage_workers", "Bodies that may run at once.", func(s run.StageReport) int64 { return int64(s.Workers) }},
	},
}

var blocks = family[blocked]{
	tags:   []string{"stage", "reason", "on"},
	values: func(b blocked) []string { return []string{b.stage, b.Kind.String(), b.On} },
	series: []series[blocked]{
		{counter, "stage_blocked_milliseconds_total",
			"Time in which the stage could start no further body, by reason, and the edge, pool or resource that it waited for.",
			func(b blocked) int64 { return milliseconds(b.Time) }},
	},
}

var edges = family[run.EdgeReport]{
	tags:   []string{"from", "to"},
	values: func(e run.EdgeReport) []string { return []string{e.From, e.To} },
	series: []series[run.EdgeReport]{
		{counter, "edge_passed_total", "Items that were put on the edge.", func(e run.EdgeReport) int64 { return e.Passed }},
		{gauge, "edge_items", "Items on the edge.", func(e run.EdgeReport) int64 { return int64(e.Items) }},
		{gauge, "edge_peak_items", "The most items that were ever on the edge.",
			func(e run.EdgeReport) int64 { return int64(e.PeakItems) }},
		{gauge, "edge_bytes", "Bytes on the edge.", func(e run.EdgeReport) int64 { return e.Bytes }},
		{gauge, "edge_peak_bytes", "The most bytes that were ever on the edge.", func(e run.EdgeReport) int64 { return e.PeakBytes }},
	},
}

var pools = family[pool]{
	tags:   []string{"pool"},
	values: func(p pool) []string { return []string{p.Name} },
	series: []series[pool]{
		{gauge, "pool_limit_bytes", "The limit; below zero is none.", func(p pool) int64 { return p.Limit }},
		{gauge, "pool_bytes", "Bytes leased, idle ones of the free list among them.", func(p pool) int64 { return p.Bytes }},
		{gauge, "pool_high_water_bytes", "The most bytes that were ever leased.", func(p pool) int64 { return p.HighWater }},
		{gauge, "pool_promised_bytes", "Bytes that the scheduler has promised: reservations, cache entries, scratch.",
			func(p pool) int64 { return p.promised.Used }},
		{gauge, "pool_promised_peak_bytes", "The most bytes that were ever promised.",
			func(p pool) int64 { return p.promised.Peak }},
		{gauge, "pool_in_flight", "Leases that have not ended.", func(p pool) int64 { return p.InFlight }},
		{gauge, "pool_waiting", "Stages that wait for bytes, and the next item if it does.",
			func(p pool) int64 { return int64(p.promised.Waiting) }},
		{counter, "pool_leases_total", "Leases given.", func(p pool) int64 { return p.Leases }},
		{counter, "pool_leased_bytes_total", "Bytes leased.", func(p pool) int64 { return p.LeasedBytes }},
		{counter, "pool_freed_bytes_total", "Bytes given back.", func(p pool) int64 { return p.FreedBytes }},
		{counter, "pool_refused_total", "Leases refused.", func(p pool) int64 { return p.Refused }},
	},
}

var devices = family[run.DeviceReport]{
	tags:   []string{"device"},
	values: func(d run.DeviceReport) []string { return []string{strconv.Itoa(d.Device)} },
	series: []series[run.DeviceReport]{
		{gauge, "device_items", "Items that were placed on the device and have not ended.",
			func(d run.DeviceReport) int64 { return int64(d.Items) }},
		{gauge, "device_avoided", "1 while the device is avoided since it failed items.", func(d run.DeviceReport) int64 { return one(d.Avoided) }},
		{counter, "device_failed_total", "Items that the device failed.", func(d run.DeviceReport) int64 { return d.Failed }},
		{counter, "device_moved_total", "Items that the device failed and that began anew on another.",
			func(d run.DeviceReport) int64 { return d.Moved }},
	},
}

func one(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

var classes = family[class]{
	tags:   []string{"pool", "class"},
	values: func(c class) []string { return []string{c.pool, c.Name} },
	series: []series[class]{
		{gauge, "class_bytes", "Bytes leased.", func(c class) int64 { return c.Bytes }},
		{gauge, "class_high_water_bytes", "The most bytes that were ever leased.", func(c class) int64 { return c.HighWater }},
		{gauge, "class_in_flight", "Leases that have not ended.", func(c class) int64 { return c.InFlight }},
		{counter, "class_leases_total", "Leases given.", func(c class) int64 { return c.Leases }},
		{counter, "class_leased_bytes_total", "Bytes leased.", func(c class) int64 { return c.LeasedBytes }},
		{counter, "class_freed_bytes_total", "Bytes given back.", func(c class) int64 { return c.FreedBytes }},
		{counter, "class_freed_early_bytes_total", "Bytes given back by leases that lived on.",
			func(c class) int64 { return c.EarlyFreed }},
	},
}

func milliseconds(d time.Duration) int64 { return d.Milliseconds() }

// publish writes the metrics of one subject.
func (f *family[S]) publish(p *publisher, subject S) {
	values := f.values(subject)
	tags := make(map[string]string, len(f.tags))
	for i, key := range f.tags {
		tags[key] = values[i]
	}
	scope := p.scope.Tagged(tags)
	for _, s := range f.series {
		if s.kind == gauge {
			scope.Gauge(s.name).Update(float64(s.value(subject)))
			continue
		}
		p.count(scope, s.name, values, s.value(subject))
	}
}

// describe gives the metrics their help texts.
func (f *family[S]) describe(reporter prometheus.Reporter, prefix string) error {
	for _, s := range f.series {
		var err error
		if s.kind == gauge {
			_, err = reporter.RegisterGauge(prefix+s.name, f.tags, s.help)
		} else {
			_, err = reporter.RegisterCounter(prefix+s.name, f.tags, s.help)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
