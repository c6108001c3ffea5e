package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A lane is a track of a picture: one worker of a stage, or one of the places beside it, and what happened there in the
// order of time.
type lane struct {
	stage  int
	name   string
	beside bool // a place beside the workers
	spans  []Span
}

// lanes sorts spans onto tracks. A worker has its own; work that goes on beside takes the first place that is free.
func (t *Timeline) lanes() []lane {
	var all []lane
	for s, stage := range t.Stages {
		workers := make([]lane, stage.Workers)
		for w := range workers {
			workers[w] = lane{stage: s, name: fmt.Sprintf("worker %d", w)}
		}
		var beside []lane
		for _, span := range t.spansOf(s) {
			switch {
			case span.Pending:
				beside = place(beside, s, span)
			case span.Worker < len(workers):
				workers[span.Worker].spans = append(workers[span.Worker].spans, span)
			}
		}
		all = append(append(all, used(workers)...), beside...)
	}
	return all
}

// used leaves out the workers after the last that ever worked, and keeps one to show that there is a stage.
func used(workers []lane) []lane {
	n := len(workers)
	for n > 1 && len(workers[n-1].spans) == 0 {
		n--
	}
	return workers[:n]
}

func (t *Timeline) spansOf(stage int) []Span {
	var spans []Span
	for _, s := range t.Spans {
		if s.Stage == stage {
			spans = append(spans, s)
		}
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return spans
}

func place(beside []lane, stage int, s Span) []lane {
	for i := range beside {
		if last := beside[i].spans[len(beside[i].spans)-1]; last.End <= s.Start {
			beside[i].spans = append(beside[i].spans, s)
			return beside
		}
	}
	return append(beside, lane{stage: stage, name: fmt.Sprintf("beside %d", len(beside)), beside: true, spans: []Span{s}})
}

// Bodies shorter than tooShort pixels are shown together where more than apart of them begin within the same bucket of pixels.
const (
	tooShort = 2
	bucket   = 4
	apart    = 2
)

// merge joins bodies that a picture cannot tell apart, so that a long run makes a page of bounded size: those that are short
// and crowd in one bucket become the share of it in which they were at work.
func merge(spans []Span, pixel time.Duration) []merged {
	width := bucket * max(pixel, 1)
	var all []merged
	for rest := spans; len(rest) > 0; {
		n := crowd(rest, width)
		if n > apart {
			all = append(all, together(rest[:n], width))
		} else {
			for _, s := range rest[:n] {
				all = append(all, merged{Span: s, count: 1, busy: s.End - s.Start})
			}
		}
		rest = rest[n:]
	}
	return all
}

// crowd counts the spans that begin in the same bucket as the first and are short like it, at least 1.
func crowd(spans []Span, width time.Duration) int {
	from, n := spans[0].Start/width, 0
	for n < len(spans) && spans[n].Start/width == from && spans[n].End-spans[n].Start < tooShort*width/bucket {
		n++
	}
	return max(n, 1)
}

// together gives the share of their bucket that short spans took.
func together(spans []Span, width time.Duration) merged {
	m := merged{Span: spans[0], count: len(spans)}
	m.Start = spans[0].Start / width * width
	m.End = max(m.Start+width, spans[len(spans)-1].End)
	for _, s := range spans {
		m.busy += s.End - s.Start
		m.Failed = m.Failed || s.Failed
	}
	return m
}

// merged is a span, or a number of short ones in a bucket.
type merged struct {
	Span
	count int
	busy  time.Duration
}

func (m merged) several() bool { return m.count > 1 }

// compareSpans orders spans by time, and those of one moment by place.
func compareSpans(a, b Span) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Worker, b.Worker), cmp.Compare(a.Job, b.Job),
		cmp.Compare(a.Item, b.Item))
}
