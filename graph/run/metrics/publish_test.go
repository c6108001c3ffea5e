package metrics_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uber-go/tally/v4"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/run/metrics"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// reportAfter is the report of a run that has made n bodies, each of 1.5 ms.
func reportAfter(n int64) run.Report {
	counts := budget.Counts{Leases: n, LeasedBytes: n * 100, HighWater: 100, InFlight: 1, Bytes: 100}
	return run.Report{
		Live: 3,
		Stages: []run.StageReport{{
			Name: "ntt", Kind: "groth16.ntt", Workers: 2,
			StageCounts: sched.StageCounts{Started: n + 1, Finished: n, Failed: 1},
			Busy:        time.Duration(n) * 1500 * time.Microsecond,
			Blocked: []run.Blocked{
				{Kind: sched.BlockedInput, Time: time.Second},
				{Kind: sched.BlockedEdge, On: "msm_h.h", Time: time.Duration(n) * time.Second},
			},
		}},
		Edges:  []run.EdgeReport{{From: "ntt.h", To: "msm_h.h", EdgeCounts: sched.EdgeCounts{Passed: n, PeakItems: 2, PeakBytes: 64}}},
		Pools:  []run.PoolReport{{Name: "host", PoolCounts: sched.PoolCounts{Used: 7, Peak: 9}, Waiting: 2}},
		Memory: budget.Snapshot{Pools: []budget.PoolUse{{Name: "host", Limit: 1000, Counts: counts, Classes: []budget.ClassUse{{Name: "abc", Counts: counts}}}}},
	}
}

// published gives the values in a test scope, by name and tags.
func published(scope tally.TestScope) map[string]float64 {
	values := map[string]float64{}
	snapshot := scope.Snapshot()
	for key, c := range snapshot.Counters() {
		values[key] = float64(c.Value())
	}
	for key, g := range snapshot.Gauges() {
		values[key] = g.Value()
	}
	return values
}

func TestCountersFollowTheRunAndPeaksAreGauges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		scope := tally.NewTestScope("", nil)
		begun := time.Now()
		report := func() run.Report { return reportAfter(int64(time.Since(begun) / time.Second)) }
		stop := metrics.Publish(scope, report, time.Second)
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
		assert.Equal(t, 3.0, published(scope)["stage_finished_total+kind=groth16.ntt,stage=ntt"], "of the third interval")
		time.Sleep(1000 * time.Millisecond)
		stop()
		stop()
		want := map[string]float64{
			"items+": 3,
			"stage_started_total+kind=groth16.ntt,stage=ntt":                    5,
			"stage_finished_total+kind=groth16.ntt,stage=ntt":                   4,
			"stage_failed_total+kind=groth16.ntt,stage=ntt":                     1,
			"stage_busy_milliseconds_total+kind=groth16.ntt,stage=ntt":          6,
			"stage_workers+kind=groth16.ntt,stage=ntt":                          2,
			"stage_blocked_milliseconds_total+on=,reason=input,stage=ntt":       1000,
			"stage_blocked_milliseconds_total+on=msm_h.h,reason=edge,stage=ntt": 4000,
			"edge_passed_total+from=ntt.h,to=msm_h.h":                           4,
			"edge_items+from=ntt.h,to=msm_h.h":                                  0,
			"edge_peak_items+from=ntt.h,to=msm_h.h":                             2,
			"edge_bytes+from=ntt.h,to=msm_h.h":                                  0,
			"edge_peak_bytes+from=ntt.h,to=msm_h.h":                             64,
			"pool_limit_bytes+pool=host":                                        1000,
			"pool_bytes+pool=host":                                              100,
			"pool_high_water_bytes+pool=host":                                   100,
			"pool_promised_bytes+pool=host":                                     7,
			"pool_promised_peak_bytes+pool=host":                                9,
			"pool_in_flight+pool=host":                                          1,
			"pool_waiting+pool=host":                                            2,
			"pool_leases_total+pool=host":                                       4,
			"pool_leased_bytes_total+pool=host":                                 400,
			"pool_freed_bytes_total+pool=host":                                  0,
			"pool_refused_total+pool=host":                                      0,
			"class_bytes+class=abc,pool=host":                                   100,
			"class_high_water_bytes+class=abc,pool=host":                        100,
			"class_in_flight+class=abc,pool=host":                               1,
			"class_leases_total+class=abc,pool=host":                            4,
			"class_leased_bytes_total+class=abc,pool=host":                      400,
			"class_freed_bytes_total+class=abc,pool=host":                       0,
			"class_freed_early_bytes_total+class=abc,pool=host":                 0,
		}
		assert.Equal(t, want, published(scope))
	})
}

func TestPrometheusServesWhatWasPublished(t *testing.T) {
	exporter, err := metrics.NewExporter(time.Hour)
	require.NoError(t, err)
	metrics.Publish(exporter.Scope, func() run.Report { return reportAfter(4) }, time.Hour)()
	require.NoError(t, exporter.Close())
	answer := httptest.NewRecorder()
	exporter.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	text := answer.Body.String()
	for _, line := range []string{
		`# HELP proofgraph_stage_finished_total Bodies that ended well.`,
		`# TYPE proofgraph_stage_finished_total counter`,
		`proofgraph_stage_finished_total{kind="groth16.ntt",stage="ntt"} 4`,
		`proofgraph_stage_blocked_milliseconds_total{on="msm_h.h",reason="edge",stage="ntt"} 4000`,
		`proofgraph_pool_high_water_bytes{pool="host"} 100`,
		`proofgraph_items 3`,
		`# TYPE go_goroutines gauge`,
	} {
		assert.Contains(t, text, line+"\n")
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "# HELP proofgraph_") {
			assert.NotRegexp(t, ` (counter|gauge)$`, strings.TrimSpace(line), "a help text of tally's own making")
		}
	}
}
