package metrics

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	prom "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/uber-go/tally/v4"
	"github.com/uber-go/tally/v4/prometheus"
)

const prefix = "proofgraph"

// An Exporter holds a run's metrics, and those of Go's runtime and the process, in a Prometheus registry of its own.
type Exporter struct {
	Scope    tally.Scope
	registry *prom.Registry
	closer   io.Closer
	faults   faults
}

// NewExporter makes an exporter whose registry follows its scope at every interval.
func NewExporter(every time.Duration) (*Exporter, error) {
	e := &Exporter{registry: prom.NewRegistry()}
	reporter := prometheus.NewReporter(prometheus.Options{Registerer: e.registry, OnRegisterError: e.faults.note})
	if err := describeAll(reporter); err != nil {
		return nil, err
	}
	process := collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})
	if err := errors.Join(e.registry.Register(collectors.NewGoCollector()), e.registry.Register(process)); err != nil {
		return nil, err
	}
	e.Scope, e.closer = tally.NewRootScope(tally.ScopeOptions{
		Prefix: prefix, Separator: separator, CachedReporter: reporter, OmitCardinalityMetrics: true, SanitizeOptions: &sanitized,
	}, every)
	return e, nil
}

const separator = "_"

// sanitized keeps the values of tags as they are written in pipelines ("synthesize.abc"), which Prometheus allows.
var sanitized = tally.SanitizeOptions{
	NameCharacters:       prometheus.DefaultSanitizerOpts.NameCharacters,
	KeyCharacters:        prometheus.DefaultSanitizerOpts.KeyCharacters,
	ValueCharacters:      tally.ValidCharacters{Ranges: []tally.SanitizeRange{{' ', '~'}}},
	ReplacementCharacter: tally.DefaultReplacementCharacter,
}

func describeAll(reporter prometheus.Reporter) error {
	const before = prefix + separator
	return errors.Join(
		runs.describe(reporter, before), stages.describe(reporter, before), blocks.describe(reporter, before),
		edges.describe(reporter, before), pools.describe(reporter, before), classes.describe(reporter, before),
		devices.describe(reporter, before),
	)
}

// Handler serves the registry as Prometheus reads it.
func (e *Exporter) Handler() http.Handler {
	return promhttp.HandlerFor(e.registry, promhttp.HandlerOpts{})
}

// Close brings the registry up to the scope a last time; the handler goes on serving it. Its error tells of metrics that
// could not be registered.
func (e *Exporter) Close() error { return errors.Join(e.closer.Close(), e.faults.all()) }

// faults collects what went wrong when metrics were registered, which tally would otherwise panic with.
type faults struct {
	mu     sync.Mutex
	errors []error
}

func (f *faults) note(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors = append(f.errors, err)
}

func (f *faults) all() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.errors...)
}
