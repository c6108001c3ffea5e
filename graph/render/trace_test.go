package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A parsed is an event as a reader of the format sees it.
type parsed struct {
	Name, Ph, Cat string
	Ts, Dur       float64
	Pid, Tid      int
	Args          map[string]any
}

func parse(t *testing.T, trace []byte) []parsed {
	var events []parsed
	require.NoError(t, json.Unmarshal(trace, &events), "%s", trace)
	return events
}

func phase(events []parsed, ph string) []parsed {
	var found []parsed
	for _, e := range events {
		if e.Ph == ph {
			found = append(found, e)
		}
	}
	return found
}

func TestTraceReadsBack(t *testing.T) {
	var b bytes.Buffer
	trace := NewTrace(&b)
	for i, worker := range []string{"worker 0", "worker 1", "worker 0"} {
		require.NoError(t, trace.Span(Span{
			Process: "synthesize", Track: worker, Name: "job 7", Category: "body",
			Start: time.Duration(i) * time.Second, Duration: 1500 * time.Nanosecond, Args: map[string]any{"partition": i},
		}))
	}
	require.NoError(t, trace.Sample(Sample{Process: "host", Counter: "bytes", At: time.Millisecond, Values: map[string]int64{"abc": 5, "key": 1 << 40}}))
	require.NoError(t, trace.Close())

	events := parse(t, b.Bytes())
	spans, samples := phase(events, "X"), phase(events, "C")
	require.Len(t, spans, 3)
	assert.Equal(t, parsed{Name: "job 7", Ph: "X", Cat: "body", Ts: 2e6, Dur: 1.5, Pid: 1, Tid: spans[0].Tid,
		Args: map[string]any{"partition": 2.0}}, spans[2])
	assert.NotEqual(t, spans[0].Tid, spans[1].Tid, "each worker has its own track")
	require.Len(t, samples, 1)
	assert.Equal(t, map[string]any{"abc": 5.0, "key": float64(1 << 40)}, samples[0].Args)
	assert.NotEqual(t, spans[0].Pid, samples[0].Pid)
	assert.Equal(t, map[string]int{"synthesize": 1, "worker 0": 1, "worker 1": 1, "host": 1}, names(events), "each is named once")
}

// names counts the names that the metadata gives.
func names(events []parsed) map[string]int {
	counts := map[string]int{}
	for _, e := range phase(events, "M") {
		if name, ok := e.Args["name"].(string); ok {
			counts[name]++
		}
	}
	return counts
}

func TestEmptyTrace(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, NewTrace(&b).Close())
	assert.Empty(t, parse(t, b.Bytes()))
}

func TestTraceOfZeroLengthSpan(t *testing.T) {
	var b bytes.Buffer
	trace := NewTrace(&b)
	require.NoError(t, trace.Span(Span{Name: "nothing"}))
	require.NoError(t, trace.Close())
	assert.Contains(t, b.String(), `"dur":0`, "readers refuse a complete event without a duration")
}

type brokenWriter struct{}

var errDisk = errors.New("disk full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestTraceErrors(t *testing.T) {
	trace := NewTrace(brokenWriter{})
	for range 1000 {
		_ = trace.Span(Span{Process: "p", Track: "t", Name: "some work"})
	}
	assert.ErrorIs(t, trace.Span(Span{}), errDisk, "an error sticks")
	assert.ErrorIs(t, trace.Close(), errDisk)

	var b bytes.Buffer
	trace = NewTrace(&b)
	assert.Error(t, trace.Span(Span{Name: "bad", Args: map[string]any{"f": func() {}}}))
	assert.Error(t, trace.Close())
}
