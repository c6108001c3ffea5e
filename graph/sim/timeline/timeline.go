// Package timeline holds what happened in a run, real or simulated, moment by moment, and shows it: as a Page and as a
// trace (WriteTrace). Whoever drives a pipeline fills a Timeline; the pictures ask for nothing else.
package timeline

import "time"

// A Timeline is what the workers did and how many bytes there were. Times count from the run's start.
type Timeline struct {
	Title   string
	Wall    time.Duration
	Stages  []Stage
	Pools   []Pool
	Classes []Class
	Spans   []Span
	Samples []Sample // in the order of time
	Marks   []Mark
}

// A Stage is a row of tracks, one for each worker and, for an async stage, each pending place.
type Stage struct {
	Name    string
	Workers int
}

// A Pool is a number of bytes; Limit < 0 is none. Then Machine may say at how many bytes the machine dies; 0 is unknown. Peak
// is the most that there ever was, if only for an instant between two samples; 0 is the most of the samples.
type Pool struct {
	Name    string
	Limit   int64
	Machine int64
	Peak    int64
}

// bound gives the bytes that end all, and what they are called; 0 where nothing does.
func (p Pool) bound() (bytes int64, words string) {
	if p.Limit < 0 {
		return p.Machine, "the machine has"
	}
	return p.Limit, "limit"
}

// A Class is what a buffer is; Pool is an index into the timeline's Pools.
type Class struct {
	Name string
	Pool int
}

// A Span is a body, from its start to its end.
type Span struct {
	Stage, Worker int
	Device        int  // where the item was placed
	Pending       bool // goes on beside the worker
	Job           string
	Item          int // among the items of its job
	Start, End    time.Duration
	Failed        bool
}

// A Sample is the bytes of each class from a moment on.
type Sample struct {
	At    time.Duration
	Bytes []int64 // by class
}

// A Mark is a moment worth a line across the picture: a job's end or, a Grave one, where memory ran out.
type Mark struct {
	At    time.Duration
	Text  string
	Grave bool
}

// Between gives the part of a timeline from one moment to another, for showing what led to something.
func (t *Timeline) Between(from, to time.Duration) *Timeline {
	part := *t
	part.Spans, part.Samples, part.Marks = nil, nil, nil
	for _, s := range t.Spans {
		if s.End >= from && s.Start <= to {
			part.Spans = append(part.Spans, s)
		}
	}
	for i, s := range t.Samples {
		holds := i+1 == len(t.Samples) || t.Samples[i+1].At > from
		if holds && s.At <= to {
			part.Samples = append(part.Samples, s)
		}
	}
	for _, m := range t.Marks {
		if m.At >= from && m.At <= to {
			part.Marks = append(part.Marks, m)
		}
	}
	return &part
}

// PoolBytes gives the bytes of a pool in a sample.
func (t *Timeline) PoolBytes(s Sample, pool int) int64 {
	var bytes int64
	for c, class := range t.Classes {
		if class.Pool == pool {
			bytes += s.Bytes[c]
		}
	}
	return bytes
}
