package timeline

import (
	"fmt"
	"html"
	"math"
	"slices"

	"github.com/proofgraph/proofgraph/graph/budget"
)

const chartHeight = 220

// bytes draws a pool's classes on top of each other.
func (p *drawing) bytes(pool int) {
	classes := p.classesOf(pool)
	if len(classes) == 0 || len(p.Samples) == 0 || p.Pools[pool].Limit == 0 { // of which the machine has none
		return
	}
	samples := p.thinned(pool)
	peak := p.peakOf(pool)
	top := float64(max(peak, 1)) * 1.06
	limit, words := p.Pools[pool].bound()
	if limit > 0 && float64(limit) < top*3 {
		top = max(top, float64(limit)*1.06)
	}
	y := func(bytes int64) float64 { return chartHeight * (1 - float64(bytes)/top) }
	p.beginPicture(fmt.Sprintf("Bytes in pool %s, at most %s%s", p.Pools[pool].Name, budget.FormatBytes(peak), limitOf(p.Pools[pool])), chartHeight)
	for bytes := int64(0); float64(bytes) <= top; bytes += byteStep(top) {
		p.printf("<path class=\"grid\" d=\"M%d %sH%d\"/><text class=\"tick\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>\n",
			leftSide, number(y(bytes)), pageWidth-rightSide, leftSide-6, number(y(bytes)+4), budget.FormatBytes(bytes))
	}
	below := make([]int64, len(samples))
	for _, c := range classes {
		p.area(c, samples, below, y)
	}
	if limit > 0 && float64(limit) <= top {
		p.printf("<path class=\"limit\" d=\"M%d %sH%d\"/><text class=\"bad\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s %s</text>\n", leftSide, number(y(limit)),
			pageWidth-rightSide, pageWidth-rightSide-4, number(y(limit)-4), words, budget.FormatBytes(limit))
	}
	p.nameGraveMarks()
	p.endPicture(chartHeight)
	p.legend(classes)
	p.printf("</figure>\n")
}

// nameGraveMarks says what ended it all, below the name of the limit.
func (p *drawing) nameGraveMarks() {
	for _, m := range p.shownMarks() {
		if m.Grave {
			p.printf("<text class=\"bad\" x=\"%s\" y=\"32\" text-anchor=\"end\">%s at %s</text>\n", number(p.x(m.At)-6), html.EscapeString(m.Text), seconds(m.At))
		}
	}
}

func limitOf(pool Pool) string {
	switch bytes, _ := pool.bound(); {
	case pool.Limit >= 0:
		return " of " + budget.FormatBytes(bytes)
	case bytes > 0:
		return fmt.Sprintf(" of %s that the machine has", budget.FormatBytes(bytes))
	}
	return ", no limit"
}

// byteStep gives a power of two, three to five of which make the axis: bytes are told in units of 1024.
func byteStep(top float64) int64 {
	return int64(math.Exp2(max(math.Ceil(math.Log2(top/5)), 0)))
}

// area draws one class between what lies below it and itself; a sample holds until the next.
func (p *drawing) area(class int, samples []Sample, below []int64, y func(int64) float64) {
	p.printf("<path class=\"c%d\" d=\"", p.colorOf(class))
	for i, s := range samples {
		x := number(p.x(s.At))
		if i == 0 {
			p.printf("M%s %s", x, number(y(below[i]+s.Bytes[class])))
			continue
		}
		p.printf("H%sV%s", x, number(y(below[i]+s.Bytes[class])))
	}
	p.printf("H%s", number(p.x(p.Wall)))
	for i := len(samples) - 1; i >= 0; i-- {
		p.printf("V%sH%s", number(y(below[i])), number(p.x(samples[i].At)))
		below[i] += samples[i].Bytes[class]
	}
	p.printf("Z\"><title>%s</title></path>\n", html.EscapeString(p.Classes[class].Name))
}

// classesOf gives the classes of a pool that ever have bytes.
func (p *drawing) classesOf(pool int) []int {
	var classes []int
	for c, class := range p.Classes {
		if class.Pool == pool && p.peakOfClass(c) > 0 {
			classes = append(classes, c)
		}
	}
	return classes
}

// colorOf numbers the classes of each pool, so that a class has one colour on all devices.
func (t *Timeline) colorOf(class int) int {
	n := 0
	for _, c := range t.Classes[:class] {
		if c.Pool == t.Classes[class].Pool {
			n++
		}
	}
	return n % colors
}

func (t *Timeline) peakOfClass(class int) int64 {
	var peak int64
	for _, s := range t.Samples {
		peak = max(peak, s.Bytes[class])
	}
	return peak
}

func (t *Timeline) peakOf(pool int) int64 {
	peak := t.Pools[pool].Peak
	for _, s := range t.Samples {
		peak = max(peak, t.PoolBytes(s, pool))
	}
	return peak
}

// thinned gives the samples that a picture can show: of all within one pixel, that with most bytes.
func (p *drawing) thinned(pool int) []Sample {
	var kept []Sample
	for _, s := range p.Samples {
		if n := len(kept); n > 0 && math.Floor(p.x(s.At)) == math.Floor(p.x(kept[n-1].At)) {
			if p.PoolBytes(s, pool) > p.PoolBytes(kept[n-1], pool) {
				kept[n-1] = Sample{At: kept[n-1].At, Bytes: s.Bytes}
			}
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// legend names the classes as they lie on each other, with the most that each had.
func (p *drawing) legend(classes []int) {
	p.printf("<figcaption>")
	for _, c := range slices.Backward(classes) {
		p.printf("<span><i class=\"b%d\"></i>%s <b>%s</b></span>", p.colorOf(c), html.EscapeString(p.Classes[c].Name), budget.FormatBytes(p.peakOfClass(c)))
	}
	p.printf("</figcaption>\n")
}
