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
		Pools:   []Pool{{Name: "host", Limit: 75}, {Name: "mapped", Limit: -1, Machine: 8}},
		Classes: []Class{{"abc", 0}, {"aux", 0}, {"key", 1}},
		Samples: []Sample{{0, []int64{10, 0, 7}}, {2 * time.Second, []int64{30, 20, 7}}, {5 * time.Second, []int64{0, 5, 0}}},
		Marks:   []Mark{{At: 9 * time.Second, Text: "job 0 ended"}},
	}
	for i := range 3 {
		start := time.Duration(i) * time.Second
		t.Spans = append(t.Spans, Span{Stage: 0, Worker: i % 2, Job: "job 0", Item: i, Start: start, End: start + 2*time.Second})
		t.Spans = append(t.Spans, Span{Stage: 1, Pending: true, Job: "job 1", Item: i, Start: start, End: start + 1500*time.Millisecond, Failed: i == 2})
	}
	return t
}

// page is a page of a timeline alone.
func (t *Timeline) page(facts ...Fact) *Page {
	return &Page{Title: t.Title, Lead: "simulated & not run", Sections: []Section{{Heading: t.Title, Timeline: t, Facts: facts, Tables: []Table{
		{Columns: []string{"stage", "busy", "waits"}, Words: []int{2}, Rows: [][]string{{"make", "3", "<edge>"}}},
	}}}}
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
	require.NoError(t, sample().page(Fact{Name: "verdict", Value: "out of <memory>", Grave: true}).HTML(&page))
	text := page.String()
	for _, want := range []string{
		"<h1>a &lt;run&gt;</h1>", "out of &lt;memory&gt;", "Bytes in pool host, at most 50 B of 75 B", "Bytes in pool mapped, at most 7 B of 8 B that the machine has", ">the machine has 8 B<",
		"sum &amp; check", "job 1, item 2 on beside 0 of sum &amp; check: 2 s to 3.5 s (1.5s), failed", "job 0 ended at 9 s", ">limit 75 B<",
		"1 more never worked", `class="failed"`, `<p class="lead">simulated &amp; not run</p>`, `<div class="grave">`,
		`<td class="words">make</td><td>3</td><td class="words">&lt;edge&gt;</td>`, `abc <b>30 B</b>`, "Dotted lines are ends of jobs.",
		"Rows beside are work", `text-anchor="end">beside</text>`,
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
	require.NoError(t, long.page().HTML(&page))
	assert.Less(t, page.Len(), 300_000)
	assert.Contains(t, page.String(), "at most 100 B", "the peak is not thinned away")
}

// Bodies that cannot be told apart are shown as the share of time that they took, and coloured as nobody's.
func TestShortBodiesAreShownAsAShare(t *testing.T) {
	long := sample()
	long.Spans = nil
	for i := range 20_000 {
		start := time.Duration(i) * 500 * time.Microsecond
		long.Spans = append(long.Spans, Span{Job: "j", Item: i, Start: start, End: start + 125*time.Microsecond})
	}
	lane := long.lanes()[0]
	shares := merge(lane.spans, long.Wall/plotWidth)
	assert.InDelta(t, plotWidth/bucket, len(shares), 2)
	total := 0
	for i, s := range shares {
		total += s.count
		if i+1 < len(shares) { // the last bucket reaches beyond the end
			assert.InDelta(t, 0.25, float64(s.busy)/float64(s.End-s.Start), 0.02)
		}
	}
	assert.Equal(t, 20_000, total)
	var page bytes.Buffer
	require.NoError(t, long.page().HTML(&page))
	assert.Contains(t, page.String(), `class="many"`)
	assert.Contains(t, page.String(), "at work 25 % of the time")
	assert.Contains(t, page.String(), "the height of a grey bar is the share of time")
}

// A page of several sections compares them, and one without a timeline says why in its facts.
func TestAPageOfSeveralSections(t *testing.T) {
	p := sample().page()
	p.Comparison = &Table{Columns: []string{"pipeline", "s/job"}, Rows: [][]string{{"one", "1"}, {"two", "2"}}}
	p.Sections[0].Heading = "one"
	p.Sections = append(p.Sections, Section{Heading: "two", Facts: []Fact{{Name: "verdict", Value: "refused", Grave: true}}})
	var page bytes.Buffer
	require.NoError(t, p.HTML(&page))
	for _, want := range []string{"<h2>one</h2>", "<h2>two</h2>", "<td class=\"words\">two</td><td>2</td>", "<dd>refused</dd>"} {
		assert.Contains(t, page.String(), want)
	}
	requireBalanced(t, page.String())
}

// Devices are told apart, and a class has the same colour on each.
func TestSeveralDevices(t *testing.T) {
	two := sample()
	two.Pools = []Pool{{Name: "device0", Limit: 75, Peak: 60}, {Name: "device1", Limit: 75}}
	two.Classes = []Class{{"key@0", 0}, {"h@0", 0}, {"key@1", 1}}
	two.Spans[0].Device = 1
	assert.Equal(t, two.colorOf(0), two.colorOf(2))
	assert.NotEqual(t, two.colorOf(0), two.colorOf(1))
	var page bytes.Buffer
	require.NoError(t, two.page().HTML(&page))
	assert.Contains(t, page.String(), "job 0, item 0 on worker 0 of make: 0 s to 2 s (2s), for device 1<")
	assert.Contains(t, page.String(), "Bytes in pool device0, at most 60 B of 75 B", "a peak between two samples")
	assert.Contains(t, page.String(), "Bytes in pool device1, at most 7 B of 75 B")
}

func TestPoolsWithoutABoundSaySo(t *testing.T) {
	free := sample()
	free.Pools[1].Machine = 0
	var page bytes.Buffer
	require.NoError(t, free.page().HTML(&page))
	assert.Contains(t, page.String(), "Bytes in pool mapped, at most 7 B, no limit")
}

func TestTheMomentWhereMemoryRanOutIsMarked(t *testing.T) {
	died := sample()
	died.Marks = append(died.Marks, Mark{At: 9500 * time.Millisecond, Text: "out of memory", Grave: true})
	var page bytes.Buffer
	require.NoError(t, died.page().HTML(&page))
	assert.Contains(t, page.String(), ">out of memory at 9.5 s</text>")
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
	assert.Equal(t, 5, count["C"], "three samples of two pools, one of them as it was")
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
	assert.Equal(t, []Mark{{At: 6, Text: "stop"}}, got.Marks)
}

func TestTheAxisOfBytesHasRoundSteps(t *testing.T) {
	for top, want := range map[float64]int64{0.5: 1, 5: 1, 6: 2, 1000: 256, 3.7 * (1 << 20): 1 << 20, 100 * (1 << 30): 32 << 30} {
		assert.Equal(t, want, byteStep(top), top)
	}
}

func TestAPoolOfNoMemoryIsNotDrawn(t *testing.T) {
	line := &Timeline{
		Pools: []Pool{{Name: "host", Limit: 75}, {Name: "device"}}, Classes: []Class{{Name: "v", Pool: 0}, {Name: "d", Pool: 1}},
		Samples: []Sample{{Bytes: []int64{8, 0}}}, Wall: time.Second,
	}
	var page strings.Builder
	require.NoError(t, line.page().HTML(&page))
	assert.Contains(t, page.String(), "Bytes in pool host")
	assert.NotContains(t, page.String(), "Bytes in pool device")
}
