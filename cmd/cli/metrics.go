package cli

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/run/metrics"
)

// metricsInterval is how often the metrics follow the run.
const metricsInterval = time.Second

// A monitor serves a run's metrics and the profiles of the process, until it is closed. A nil monitor serves nothing.
type monitor struct {
	exporter *metrics.Exporter
	stop     func()
	listener net.Listener
	server   *http.Server
}

// checkLoopback refuses addresses that other machines can reach: profiles tell what a process works on.
func checkLoopback(address string) error {
	if address == "" || loopback(address) {
		return nil
	}
	return usageError{fmt.Errorf("--metrics %s: metrics and profiles are served on a loopback address alone, such as 127.0.0.1:9090",
		address)}
}

// loopback reports whether an address, "host:port", is one of this machine alone.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}

// newMonitor listens on a loopback address and serves /metrics and /debug/pprof there.
func newMonitor(address string, report func() run.Report) (*monitor, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	exporter, err := metrics.NewExporter(metricsInterval)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	m := &monitor{
		exporter: exporter, listener: listener, stop: metrics.Publish(exporter.Scope, report, metricsInterval),
		server: &http.Server{Handler: localOnly(monitorPages(exporter)), ReadHeaderTimeout: 10 * time.Second},
	}
	go m.server.Serve(listener)
	return m, nil
}

func monitorPages(exporter *metrics.Exporter) http.Handler {
	pages := http.NewServeMux()
	pages.Handle("/metrics", exporter.Handler())
	pages.HandleFunc("/debug/pprof/", pprof.Index)
	pages.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	pages.HandleFunc("/debug/pprof/profile", pprof.Profile)
	pages.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	pages.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return pages
}

// localOnly answers only requests that name this machine: a web page whose name was made to lead here does not.
func localOnly(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopback(r.Host) && !loopback(net.JoinHostPort(r.Host, "80")) {
			http.Error(w, "this listener answers only under a loopback address", http.StatusForbidden)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// url is where the metrics are.
func (m *monitor) url() string { return "http://" + m.listener.Addr().String() + "/metrics" }

// close ends the listener and whatever it serves.
func (m *monitor) close() error {
	if m == nil {
		return nil
	}
	m.stop()
	return errors.Join(m.exporter.Close(), m.server.Close())
}
