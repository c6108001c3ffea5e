package timeline

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sample() *Timeline {
	t := &Timeline{
		Title: "a <run>", Wall: 10 * time.Second,
		Stages:  []Stage{{"make", 3}, {"sum & check", 1}},
		Pools:   []Pool{{"host", 75}, {"mapped", -1}},
		Classes: []Class{{"abc", 0}, {"aux", 0}, {"key", 1}},
		Samples: []Sample{{0, []int64{10, 0, 7}}, {2 * time.Second, []int64{30, 20, 7}}, {5 * time.Second, []int64{0, 5, 0}}},
		Marks:   []Mark{{9 * time.Second, "job 0 ended"}},
	}
	for i := range 3 {
		start := time.Duration(i) * time.Second
		t.Spans = append(t.Spans, Span{Stage: 0, Worker: i % 2, Job: "job 0", Item: i, Start: start, End: start + 2*time.Second})
		t.Spans = append(t.Spans, Span{Stage: 1, Pending: true, Job: "job 1", Item: i, Start: start, End: start + 1500*time.Millisecond, Failed: i == 2})
	}
	return t
}

func TestLanes(t *testing.T) {
	var got []string
	for _, l := range sample().lanes() {
		text := l.name
		for _, s := range l.spans {
			text += fmt.Sprintf(" %d", s.Item)
		}
		got = append(got, text)
	}
	assert.Equal(t, []string{"worker 0 0 2", "worker 1 1", "worker 0", "beside 0 0 2", "beside 1 1"}, got,
		"a worker that never worked is left out, work beside takes the first free place")
}

func TestThePageIsWellFormedAndWhole(t *testing.T) {
	var page bytes.Buffer
	require.NoError(t, sample().HTML(&page, []Fact{{"verdict", "out of <memory>"}}))
	text := page.String()
	for _, want := range []string{
		"<h1>a &lt;run&gt;</h1>", "out of &lt;memory&gt;", "Bytes in pool host, at most 50 B of 75 B", "Bytes in pool mapped, at most 7 B, no limit",
		"sum &amp; check", "job 1, item 2 on beside 0 of sum &amp; check: 2 s to 3.5 s (1.5s)", "job 0 ended at 9 s", "the limit: 75 B",
		"1 more never worked", `class="failed"`,
	} {
		assert.Contains(t, text, want)
	}
	for _, outside := range []string{"http://", "https://", "<script", "url("} {
		assert.NotContains(t, text, outside)
	}
	requireBalanced(t, text)
}

func requireBalanced(t *testing.T, page string) {
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	depth := 0
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	assert.Zero(t, depth)
}

func TestALongRunMakesABoundedPage(t *testing.T) {
	long := sample()
	long.Spans, long.Samples = nil, nil
	for i := range 50_000 {
		start := time.Duration(i) * 200 * time.Microsecond
		long.Spans = append(long.Spans, Span{Job: fmt.Sprintf("job %d", i), Start: start, End: start + 150*time.Microsecond})
		long.Samples = append(long.Samples, Sample{start, []int64{int64(i % 100), 1, 1}})
	}
	var page bytes.Buffer
	require.NoError(t, long.HTML(&page, nil))
	assert.Less(t, page.Len(), 300_000)
	assert.Contains(t, page.String(), "at most 100 B", "the peak is not thinned away")
}

func TestTheTraceHasEveryWorkerAndClass(t *testing.T) {
	var trace bytes.Buffer
	require.NoError(t, sample().WriteTrace(&trace))
	var events []map[string]any
	require.NoError(t, json.Unmarshal(trace.Bytes(), &events))
	count := map[string]int{}
	for _, e := range events {
		count[fmt.Sprint(e["ph"])]++
	}
	assert.Equal(t, 6, count["X"])
	assert.Equal(t, 6, count["C"], "three samples of two pools")
	assert.Contains(t, trace.String(), `"name":"beside 1"`)
	assert.Contains(t, trace.String(), `"args":{"abc":30,"aux":20}`)
}

func TestBetweenKeepsWhatWasThen(t *testing.T) {
	part := sample().Between(3*time.Second, 4*time.Second)
	assert.Len(t, part.Samples, 1)
	assert.Equal(t, 2*time.Second, part.Samples[0].At, "the sample that holds then")
	assert.Len(t, part.Spans, 3)
	assert.Empty(t, part.Marks)
}

func TestARecorderMakesATimeline(t *testing.T) {
	r := NewRecorder(Timeline{Stages: []Stage{{"a", 1}}, Classes: []Class{{"x", 0}, {"y", 0}}})
	r.Started(1, 0, 0, 0, "j", 0)
	r.Holds(1, 0, 10)
	r.Holds(1, 1, 5)
	r.Ended(4, 0, "j", 0, true)
	r.Started(2, 0, 0, 0, "j", 1)
	r.Launched(4, 0, "j", 1)
	r.Launched(4, 0, "j", 7)
	r.Ended(5, 0, "j", 7, false)
	r.Holds(3, 0, 0)
	r.Mark(6, "stop")
	got := r.Timeline(9)
	assert.Equal(t, []Span{
		{Job: "j", Start: 1, End: 4, Failed: true}, {Job: "j", Item: 1, Start: 2, End: 4},
		{Job: "j", Item: 1, Pending: true, Start: 4, End: 9},
	}, got.Spans)
	assert.Equal(t, []Sample{{1, []int64{10, 5}}, {3, []int64{0, 5}}}, got.Samples)
	assert.Equal(t, []Mark{{6, "stop"}}, got.Marks)
}

func TestTheAxisOfBytesHasRoundSteps(t *testing.T) {
	for top, want := range map[float64]int64{0.5: 1, 5: 1, 6: 2, 1000: 256, 3.7 * (1 << 20): 1 << 20, 100 * (1 << 30): 32 << 30} {
		assert.Equal(t, want, byteStep(top), top)
	}
}

func TestAPoolOfNoMemoryIsNotDrawn(t *testing.T) {
	line := &Timeline{
		Pools: []Pool{{"host", 75}, {"device", 0}}, Classes: []Class{{Name: "v", Pool: 0}, {Name: "d", Pool: 1}},
		Samples: []Sample{{Bytes: []int64{8, 0}}}, Wall: time.Second,
	}
	var page strings.Builder
	require.NoError(t, line.HTML(&page, nil))
	assert.Contains(t, page.String(), "Bytes in pool host")
	assert.NotContains(t, page.String(), "Bytes in pool device")
}
