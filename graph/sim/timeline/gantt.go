package timeline

import (
	"fmt"
	"html"
	"time"
)

const (
	laneHeight = 13
	stageGap   = 8
)

// gantt draws what every worker did: a row for each, grouped by stage, coloured by job.
func (p *page) gantt() {
	lanes := p.lanes()
	height := 0
	for i := range lanes {
		height += laneHeight + p.gapBefore(lanes, i)
	}
	height += stageGap
	p.beginPicture("What the workers did", height)
	jobs := p.jobColors()
	y := 0
	for i, l := range lanes {
		gap := p.gapBefore(lanes, i)
		if gap > 0 {
			p.stageName(l.stage, y+gap, workersIn(lanes, l.stage))
		}
		y += gap
		p.lane(l, y, jobs)
		y += laneHeight
	}
	p.endPicture(height)
}

// gapBefore gives the space above a lane: between stages there is some.
func (p *page) gapBefore(lanes []lane, i int) int {
	if i == 0 || lanes[i].stage != lanes[i-1].stage {
		return stageGap
	}
	return 0
}

// workersIn counts the lanes of a stage's own workers.
func workersIn(lanes []lane, stage int) int {
	n := 0
	for _, l := range lanes {
		if l.stage == stage && !l.beside {
			n++
		}
	}
	return n
}

func (p *page) stageName(stage, y, shown int) {
	if idle := p.Stages[stage].Workers - shown; idle > 0 && shown > 1 {
		p.printf("<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%d more never worked</text>\n", leftSide-8, y+10+laneHeight, idle)
	}
	p.printf("<text class=\"stage\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", leftSide-8, y+10, html.EscapeString(shorten(p.Stages[stage].Name)))
	p.printf("<path class=\"rule\" d=\"M0 %dH%d\"/>\n", y-stageGap/2, pageWidth)
}

// shorten cuts a name to what fits beside the picture.
func shorten(name string) string {
	const longest = 20
	if runes := []rune(name); len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return name
}

func (p *page) lane(l lane, y int, jobs map[string]int) {
	p.printf("<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", leftSide, y+1, plotWidth, laneHeight-2)
	pixel := p.Wall / plotWidth
	for _, s := range merge(l.spans, max(pixel, 1)) {
		left, right := p.x(s.Start), p.x(min(s.End, p.Wall))
		class := fmt.Sprintf("c%d", jobs[s.Job]%colors)
		if s.Failed {
			class = "failed"
		}
		p.printf("<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"><title>%s</title></rect>\n",
			class, number(left), y+1, number(max(right-left-0.3, 0.6)), laneHeight-2, html.EscapeString(p.hint(l, s)))
	}
}

func (p *page) hint(l lane, s merged) string {
	what := fmt.Sprintf("%s, item %d", s.Job, s.Item)
	if s.count > 1 {
		what = fmt.Sprintf("%d bodies from %s", s.count, what)
	}
	return fmt.Sprintf("%s on %s of %s: %s to %s (%s)", what, l.name, p.Stages[l.stage].Name, seconds(s.Start), seconds(s.End),
		(s.End - s.Start).Round(time.Millisecond))
}

// jobColors numbers the jobs in the order in which they are seen.
func (p *page) jobColors() map[string]int {
	jobs := map[string]int{}
	for _, s := range p.Spans {
		if _, known := jobs[s.Job]; !known {
			jobs[s.Job] = len(jobs)
		}
	}
	return jobs
}
