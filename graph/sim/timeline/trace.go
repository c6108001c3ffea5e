package timeline

import (
	"fmt"
	"io"
	"maps"

	"github.com/proofgraph/proofgraph/graph/render"
)

// WriteTrace writes the timeline for Perfetto: a process for each stage with a track for each worker, and one for each pool
// with a counter whose series are the classes.
func (t *Timeline) WriteTrace(w io.Writer) error {
	trace := render.NewTrace(w)
	for _, l := range t.lanes() {
		for _, s := range l.spans {
			name := fmt.Sprintf("%s, item %d", s.Job, s.Item)
			span := render.Span{
				Process: t.Stages[l.stage].Name, Track: l.name, Name: name, Category: t.Stages[l.stage].Name,
				Start: s.Start, Duration: s.End - s.Start,
			}
			if s.Failed {
				span.Args = map[string]any{"failed": true}
			}
			if err := trace.Span(span); err != nil {
				return err
			}
		}
	}
	last := make([]map[string]int64, len(t.Pools))
	for _, s := range t.Samples {
		if err := t.traceSample(trace, s, last); err != nil {
			return err
		}
	}
	return trace.Close()
}

// traceSample writes the counters of pools that are not what they were in the sample before.
func (t *Timeline) traceSample(trace *render.Trace, s Sample, last []map[string]int64) error {
	for p, pool := range t.Pools {
		values := map[string]int64{}
		for c, class := range t.Classes {
			if class.Pool == p {
				values[class.Name] = s.Bytes[c]
			}
		}
		if len(values) == 0 || maps.Equal(values, last[p]) {
			continue
		}
		last[p] = values
		if err := trace.Sample(render.Sample{Process: "pool " + pool.Name, Counter: "bytes", At: s.At, Values: values}); err != nil {
			return err
		}
	}
	return nil
}
