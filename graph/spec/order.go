package spec

import (
	"slices"
	"strings"
)

// order gives the stages so that each stands after those that feed it, and as in the file where that leaves a choice.
// Every circle is reported; ordered says that there was none.
func (l *loader) order() (order []int, ordered bool) {
	cut := map[int]bool{} // edges left out, each the end of a reported circle
	for {
		order, waiting := l.p.topological(cut)
		if len(order) == len(l.p.Stages) {
			return order, len(cut) == 0
		}
		if len(cut) == maxErrors {
			return nil, false
		}
		cut[l.reportCircle(waiting, cut)] = true
	}
}

// topological orders the stages as far as it can; waiting counts, for each, the edges from stages that it did not reach.
func (p *Pipeline) topological(cut map[int]bool) (order, waiting []int) {
	waiting = make([]int, len(p.Stages))
	for i, e := range p.Edges {
		if e.whole() && !cut[i] {
			waiting[e.To]++
		}
	}
	var ready []int // sorted
	for i, n := range waiting {
		if n == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		i := ready[0]
		ready = ready[1:]
		order = append(order, i)
		for _, e := range p.leaving(i, cut) {
			to := p.Edges[e].To
			if waiting[to]--; waiting[to] == 0 {
				place, _ := slices.BinarySearch(ready, to)
				ready = slices.Insert(ready, place, to)
			}
		}
	}
	return order, waiting
}

// leaving lists the edges out of a stage, in the order of its outputs.
func (p *Pipeline) leaving(i int, cut map[int]bool) []int {
	var edges []int
	for _, out := range p.Stages[i].Outputs {
		for _, e := range out.Edges {
			if p.Edges[e].whole() && !cut[e] {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// whole says that both ends of an edge are known.
func (e Edge) whole() bool { return e.From >= 0 && e.To >= 0 }

// reportCircle finds a circle among the stages that wait, reports it at the edge that closes it and gives that edge.
func (l *loader) reportCircle(waiting []int, cut map[int]bool) int {
	circle := l.p.circle(waiting, cut)
	names := []string{l.p.Stages[l.p.Edges[circle[0]].From].Name}
	for _, e := range circle {
		names = append(names, l.p.Stages[l.p.Edges[e].To].Name)
	}
	last := circle[len(circle)-1]
	l.joints[last].at.fail(CodeCycle, "items cannot go back: a pipeline leads from its source to its end",
		"stages wait for each other in a circle: %s", strings.Join(names, " → "))
	return last
}

// circle walks back over stages that wait, each of which is fed by another such, until it meets itself. The edges are
// in the order that items would take, beginning at the stage that stands first in the file.
func (p *Pipeline) circle(waiting []int, cut map[int]bool) []int {
	at := slices.IndexFunc(waiting, func(n int) bool { return n > 0 })
	var back []int          // edges walked, last to first
	walked := map[int]int{} // stage → length of back when it was met
	for {
		start, met := walked[at]
		if met {
			back = back[start:]
			break
		}
		walked[at] = len(back)
		e := p.waitedFor(at, waiting, cut)
		back = append(back, e)
		at = p.Edges[e].From
	}
	slices.Reverse(back)
	first := 0
	for i, e := range back {
		if p.Edges[e].From < p.Edges[back[first]].From {
			first = i
		}
	}
	return slices.Concat(back[first:], back[:first])
}

// waitedFor gives an edge into a stage from another that waits; there is one, or the stage would not wait.
func (p *Pipeline) waitedFor(i int, waiting []int, cut map[int]bool) int {
	inputs := p.Stages[i].Inputs
	return inputs[slices.IndexFunc(inputs, func(in Input) bool {
		e := in.Edge
		return e >= 0 && p.Edges[e].whole() && !cut[e] && waiting[p.Edges[e].From] > 0
	})].Edge
}

// arrange puts the stages into an order and lets the edges point to where they are now.
func (p *Pipeline) arrange(order []int) {
	stages := make([]Stage, len(order))
	place := make([]int, len(order))
	for now, before := range order {
		stages[now], place[before] = p.Stages[before], now
	}
	p.Stages = stages
	for i := range p.Edges {
		if e := &p.Edges[i]; e.whole() {
			e.From, e.To = place[e.From], place[e.To]
		}
	}
}
