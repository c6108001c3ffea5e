package timeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An event is one of the Trace Event Format, of which everything that is not known is an error.
type event struct {
	Name string         `json:"name"`
	Ph   string         `json:"ph"`
	Cat  string         `json:"cat"`
	Ts   *float64       `json:"ts"`
	Dur  *float64       `json:"dur"`
	Pid  *int           `json:"pid"`
	Tid  *int           `json:"tid"`
	Args map[string]any `json:"args"`
}

type track struct{ pid, tid int }

// A reading is a trace as Perfetto would show it.
type reading struct {
	processes map[int]string
	tracks    map[track]string
	spans     map[string]int // by process and track
	counters  map[string]map[string]bool
	lastEnd   map[track]float64
	lastTime  map[int]float64
}

// read holds a trace to the format: every process and track is named before it is used, and once; spans of a track come one
// after another, so that no viewer stacks them; counters go forward in time and always have all of their series.
func read(t *testing.T, text []byte) reading {
	r := reading{map[int]string{}, map[track]string{}, map[string]int{}, map[string]map[string]bool{}, map[track]float64{}, map[int]float64{}}
	var events []event
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&events))
	for i, e := range events {
		require.NotEmpty(t, e.Name, i)
		require.True(t, e.Pid != nil && e.Tid != nil && e.Ts != nil && *e.Ts >= 0, "event %d", i)
		at := track{*e.Pid, *e.Tid}
		switch e.Ph {
		case "M":
			r.metadata(t, e, at)
		case "X":
			r.span(t, e, at)
		case "C":
			r.counter(t, e)
		default:
			t.Fatalf("event %d has phase %q", i, e.Ph)
		}
	}
	return r
}

func (r *reading) metadata(t *testing.T, e event, at track) {
	switch e.Name {
	case "process_name":
		require.Empty(t, r.processes[at.pid], "named twice")
		r.processes[at.pid] = e.Args["name"].(string)
	case "thread_name":
		require.Empty(t, r.tracks[at], "named twice")
		for other := range r.tracks {
			require.NotEqual(t, other.tid, at.tid, "a track's number is its own in all the trace")
		}
		r.tracks[at] = e.Args["name"].(string)
	case "process_sort_index", "thread_sort_index":
		require.IsType(t, 0.0, e.Args["sort_index"])
	default:
		t.Fatalf("metadata %q", e.Name)
	}
}

func (r *reading) span(t *testing.T, e event, at track) {
	require.NotEmpty(t, r.processes[at.pid])
	require.NotEmpty(t, r.tracks[at])
	require.True(t, e.Dur != nil && *e.Dur >= 0)
	const nanosecond = 0.001
	require.GreaterOrEqual(t, *e.Ts, r.lastEnd[at]-nanosecond, "%s begins before the one before it ended", e.Name)
	r.lastEnd[at] = *e.Ts + *e.Dur
	r.spans[r.processes[at.pid]+"/"+r.tracks[at]]++
}

func (r *reading) counter(t *testing.T, e event) {
	require.NotEmpty(t, r.processes[*e.Pid])
	require.GreaterOrEqual(t, *e.Ts, r.lastTime[*e.Pid], "a counter goes forward in time")
	r.lastTime[*e.Pid] = *e.Ts
	series := map[string]bool{}
	for name, value := range e.Args {
		require.IsType(t, 0.0, value)
		series[name] = true
	}
	if known := r.counters[r.processes[*e.Pid]]; known != nil {
		require.Equal(t, known, series)
	}
	r.counters[r.processes[*e.Pid]] = series
}

func TestTheTraceIsOfTheFormat(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, sample().WriteTrace(&text))
	r := read(t, text.Bytes())
	assert.Equal(t, map[string]int{"make/worker 0": 2, "make/worker 1": 1, "sum & check/beside 0": 2, "sum & check/beside 1": 1}, r.spans)
	assert.Equal(t, map[string]map[string]bool{"pool host": {"abc": true, "aux": true}, "pool mapped": {"key": true}}, r.counters)
}

// A run of many bodies keeps to the format, and its size is in proportion to what happened.
func TestALongTraceIsOfTheFormat(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	long := sample()
	long.Spans, long.Samples = nil, nil
	const bodies = 20_000
	ends := [3]time.Duration{}
	for i := range bodies {
		worker := i % 3
		start := ends[worker] + time.Duration(random.Int64N(5000))
		ends[worker] = start + time.Duration(random.Int64N(100_000_000_000))
		long.Spans = append(long.Spans, Span{Worker: worker, Job: fmt.Sprint("job ", i), Start: start, End: ends[worker]})
		long.Samples = append(long.Samples, Sample{time.Duration(i) * time.Millisecond, []int64{int64(i % 100), 1, 1}})
	}
	var text bytes.Buffer
	require.NoError(t, long.WriteTrace(&text))
	assert.Less(t, text.Len(), 250*bodies)
	r := read(t, text.Bytes())
	assert.Equal(t, bodies, r.spans["make/worker 0"]+r.spans["make/worker 1"]+r.spans["make/worker 2"])
}
