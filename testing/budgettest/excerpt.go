package budgettest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// around is how many samples an excerpt shows before and after its moment.
const around = 4

// Excerpt shows a timeline around a moment as text: the bytes of each class then, shortly before and after, and what was
// under way.
func Excerpt(t *timeline.Timeline, at time.Duration) string {
	var b strings.Builder
	_ = bytesAround(t, at).Write(&b) // a Builder takes everything
	fmt.Fprintf(&b, "under way at %s:\n", at.Round(time.Millisecond))
	for s, stage := range t.Stages {
		if items := underWay(t, s, at); len(items) > 0 {
			fmt.Fprintf(&b, "  %s: %s\n", stage.Name, strings.Join(items, "; "))
		}
	}
	return b.String()
}

func bytesAround(t *timeline.Timeline, at time.Duration) *render.Table {
	table := &render.Table{Columns: []render.Column{{Title: ""}, {Title: "time", Right: true}}}
	shown := usedClasses(t)
	for _, c := range shown {
		table.Columns = append(table.Columns, render.Column{Title: t.Classes[c].Name, Right: true})
	}
	table.Columns = append(table.Columns, render.Column{Title: "all", Right: true})
	i, _ := slices.BinarySearchFunc(t.Samples, at, func(s timeline.Sample, at time.Duration) int { return int(s.At - at) })
	for n := max(i-around, 0); n < min(i+around+1, len(t.Samples)); n++ {
		sign := ""
		if n == i {
			sign = "→"
		}
		table.Add(sampleRow(sign, t.Samples[n], shown)...)
	}
	return table
}

// usedClasses lists the classes that have bytes at any moment.
func usedClasses(t *timeline.Timeline) []int {
	var used []int
	for c := range t.Classes {
		if slices.ContainsFunc(t.Samples, func(s timeline.Sample) bool { return s.Bytes[c] > 0 }) {
			used = append(used, c)
		}
	}
	return used
}

func sampleRow(sign string, s timeline.Sample, classes []int) []string {
	row := []string{sign, s.At.Round(time.Millisecond).String()}
	var all int64
	for _, c := range classes {
		all += s.Bytes[c]
		row = append(row, budget.FormatBytes(s.Bytes[c]))
	}
	return append(row, budget.FormatBytes(all))
}

// underWay lists what a stage worked on at a moment.
func underWay(t *timeline.Timeline, stage int, at time.Duration) []string {
	var items []string
	for _, s := range t.Spans {
		if s.Stage == stage && s.Start <= at && s.End >= at && s.End > s.Start {
			items = append(items, fmt.Sprintf("%s item %d since %s", s.Job, s.Item, s.Start.Round(time.Millisecond)))
		}
	}
	const most = 6
	if len(items) > most {
		items = append(items[:most], fmt.Sprintf("and %d more", len(items)-most))
	}
	return items
}
