package timeline

import (
	"fmt"
	"html"
	"slices"
	"time"
)

const (
	laneHeight = 13
	stageGap   = 8
)

// gantt draws what every worker did: a row for each, grouped by stage, coloured by job.
func (p *drawing) gantt() {
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
		if l.beside && gap == 0 {
			p.printf("<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"end\">beside</text>\n", leftSide-8, y+10)
		}
		p.lane(l, y, jobs)
		y += laneHeight
	}
	p.endPicture(height)
	p.captionOf(lanes)
	p.printf("</figure>\n")
}

// captionOf says what the bars are, and of what is seldom there where it is.
func (p *drawing) captionOf(lanes []lane) {
	words := "A row is a worker and a bar a body; a colour is a job."
	if slices.ContainsFunc(lanes, func(l lane) bool { return l.beside }) {
		words += " Rows beside are work that went on after its worker was free again."
	}
	if slices.ContainsFunc(lanes, func(l lane) bool { return slices.ContainsFunc(p.merged(l), merged.several) }) {
		words += " Where bodies are too short to tell apart, the height of a grey bar is the share of time they were at work."
	}
	if shown := p.shownMarks(); len(shown) == len(p.Marks) && slices.ContainsFunc(shown, func(m Mark) bool { return !m.Grave }) {
		words += " Dotted lines are ends of jobs."
	}
	p.printf("<figcaption>%s</figcaption>\n", words)
}

// gapBefore gives the space above a lane: between stages there is some.
func (p *drawing) gapBefore(lanes []lane, i int) int {
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

func (p *drawing) stageName(stage, y, shown int) {
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

func (p *drawing) lane(l lane, y int, jobs map[string]int) {
	p.printf("<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", leftSide, y+1, plotWidth, laneHeight-2)
	for _, s := range p.merged(l) {
		if s.several() {
			p.share(l, s, y)
			continue
		}
		left, right := p.x(s.Start), p.x(min(s.End, p.Wall))
		class := fmt.Sprintf("c%d", jobs[s.Job]%colors)
		if s.Failed {
			class = "failed"
		}
		p.bar(class, left, max(right-left-0.3, 0.6), float64(y)+1, laneHeight-2, p.hint(l, s))
	}
}

// merged gives what a lane shows: bodies, and those that are too short to tell apart together.
func (p *drawing) merged(l lane) []merged { return merge(l.spans, p.Wall/plotWidth) }

// share draws the share of time that several bodies took.
func (p *drawing) share(l lane, s merged, y int) {
	part := min(float64(s.busy)/float64(max(s.End-s.Start, 1)), 1)
	height := max(part*(laneHeight-2), 1)
	left, right := p.x(s.Start), p.x(min(s.End, p.Wall))
	hint := fmt.Sprintf("%d bodies on %s of %s: %s to %s, at work %.0f %% of the time", s.count, l.name, p.Stages[l.stage].Name, seconds(s.Start),
		seconds(s.End), 100*part)
	p.bar("many", left, max(right-left, 0.6), float64(y)+laneHeight-1-height, height, hint)
}

func (p *drawing) bar(class string, x, width, y, height float64, hint string) {
	p.printf("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>\n",
		class, number(x), number(y), number(width), number(height), html.EscapeString(hint))
}

func (p *drawing) hint(l lane, s merged) string {
	more := ""
	if p.several {
		more = fmt.Sprintf(", for device %d", s.Device)
	}
	if s.Failed {
		more += ", failed"
	}
	return fmt.Sprintf("%s, item %d on %s of %s: %s to %s (%s)%s", s.Job, s.Item, l.name, p.Stages[l.stage].Name, seconds(s.Start), seconds(s.End),
		(s.End - s.Start).Round(time.Microsecond), more)
}

// jobColors numbers the jobs in the order in which they are seen.
func (p *drawing) jobColors() map[string]int {
	jobs := map[string]int{}
	for _, s := range p.Spans {
		if _, known := jobs[s.Job]; !known {
			jobs[s.Job] = len(jobs)
		}
	}
	return jobs
}
