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

// merge joins neighbours that are both shorter than a picture can show, so that a long run makes a page of bounded size.
func merge(spans []Span, least time.Duration) []merged {
	var all []merged
	for _, s := range spans {
		if n := len(all); n > 0 && s.End-s.Start < least && all[n-1].small && s.Start-all[n-1].End < least {
			all[n-1].End, all[n-1].count = max(all[n-1].End, s.End), all[n-1].count+1
			continue
		}
		all = append(all, merged{Span: s, count: 1, small: s.End-s.Start < least})
	}
	return all
}

// merged is a span, or a number of short ones.
type merged struct {
	Span
	count int
	small bool
}

// compareSpans orders spans by time, and those of one moment by place.
func compareSpans(a, b Span) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Worker, b.Worker), cmp.Compare(a.Job, b.Job),
		cmp.Compare(a.Item, b.Item))
}
