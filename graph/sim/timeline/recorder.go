package timeline

import (
	"slices"
	"sync"
	"time"
)

// A Recorder fills a Timeline from a real run, whose workers come with what they did. It is safe for concurrent use.
type Recorder struct {
	mu    sync.Mutex
	t     Timeline
	open  map[body]Span
	bytes []int64 // by class
	last  time.Duration
}

// A body is told by its stage and its item.
type body struct {
	stage int
	job   string
	item  int
}

// NewRecorder begins a timeline; title, stages, pools and classes are those of outline.
func NewRecorder(outline Timeline) *Recorder {
	return &Recorder{t: outline, open: map[body]Span{}, bytes: make([]int64, len(outline.Classes))}
}

// Started says that a body began on a worker, for an item that was placed on a device.
func (r *Recorder) Started(at time.Duration, stage, worker, device int, job string, item int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[body{stage, job, item}] = Span{Stage: stage, Worker: worker, Device: device, Job: job, Item: item, Start: at}
}

// Launched says that a body has left its worker and goes on beside.
func (r *Recorder) Launched(at time.Duration, stage int, job string, item int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := body{stage, job, item}
	s, known := r.open[key]
	if !known {
		return
	}
	s.End = at
	r.t.Spans = append(r.t.Spans, s)
	s.Pending, s.Start = true, at
	r.open[key] = s
}

// Ended says that a body ended; one that never started is not recorded.
func (r *Recorder) Ended(at time.Duration, stage int, job string, item int, failed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := body{stage, job, item}
	if s, known := r.open[key]; known {
		delete(r.open, key)
		s.End, s.Failed = at, failed
		r.t.Spans = append(r.t.Spans, s)
	}
}

// Holds says that a class has that many bytes from now on. Moments that come late count as the latest one.
func (r *Recorder) Holds(at time.Duration, class int, bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = max(r.last, at)
	r.bytes[class] = bytes
	sample := Sample{At: r.last, Bytes: slices.Clone(r.bytes)}
	if n := len(r.t.Samples); n > 0 && r.t.Samples[n-1].At == r.last {
		r.t.Samples[n-1] = sample
		return
	}
	r.t.Samples = append(r.t.Samples, sample)
}

// Mark notes a moment.
func (r *Recorder) Mark(at time.Duration, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.t.Marks = append(r.t.Marks, Mark{At: at, Text: text})
}

// Timeline gives what was recorded until now; bodies under way end now.
func (r *Recorder) Timeline(now time.Duration) *Timeline {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.t
	t.Wall = now
	t.Spans, t.Samples, t.Marks = slices.Clone(r.t.Spans), slices.Clone(r.t.Samples), slices.Clone(r.t.Marks)
	for _, s := range r.open {
		s.End = now
		t.Spans = append(t.Spans, s)
	}
	slices.SortFunc(t.Spans, compareSpans)
	return &t
}
