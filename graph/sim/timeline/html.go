package timeline

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// A Fact is a line of the table above the pictures: "seconds per proof", "28.4".
type Fact struct{ Name, Value string }

// HTML writes the timeline as one page that needs nothing else: the facts, the bytes of each pool over time with its
// classes on top of each other, and what every worker did. The page follows the reader's light or dark colours.
func (t *Timeline) HTML(w io.Writer, facts []Fact) error {
	p := &page{Timeline: t, w: bufio.NewWriter(w)}
	p.head()
	p.facts(facts)
	for pool := range t.Pools {
		p.bytes(pool)
	}
	p.gantt()
	p.printf("</main>\n</body>\n</html>\n")
	if err := p.w.Flush(); err != nil {
		return fmt.Errorf("write a timeline: %w", err)
	}
	return nil
}

// The page's measures, in pixels.
const (
	pageWidth = 1240
	leftSide  = 150 // names of stages, bytes at the axis
	rightSide = 16
	plotWidth = pageWidth - leftSide - rightSide
)

// A page is a page in the making. What writing to a bufio.Writer has to say it says at Flush.
type page struct {
	*Timeline
	w *bufio.Writer
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *page) head() {
	title := html.EscapeString(p.Title)
	p.printf("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	p.printf("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n", title, styleSheet)
	p.printf("<body>\n<main>\n<h1>%s</h1>\n", title)
}

func (p *page) facts(facts []Fact) {
	if len(facts) == 0 {
		return
	}
	p.printf("<dl>\n")
	for _, f := range facts {
		p.printf("<div><dt>%s</dt><dd>%s</dd></div>\n", html.EscapeString(f.Name), html.EscapeString(f.Value))
	}
	p.printf("</dl>\n")
}

// x gives the place of a moment.
func (p *page) x(at time.Duration) float64 {
	if p.Wall <= 0 {
		return leftSide
	}
	return leftSide + plotWidth*float64(at)/float64(p.Wall)
}

// beginPicture opens a picture with a grid of times.
func (p *page) beginPicture(heading string, height int) {
	p.printf("<h2>%s</h2>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", html.EscapeString(heading), pageWidth, height+24,
		html.EscapeString(heading))
	for _, at := range p.ticks() {
		x := number(p.x(at))
		p.printf("<path class=\"grid\" d=\"M%s 0V%d\"/><text class=\"tick\" x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			x, height, x, height+16, seconds(at))
	}
}

// endPicture draws the marks over all and closes the picture.
func (p *page) endPicture(height int) {
	for _, m := range p.shownMarks() {
		x := number(p.x(m.At))
		p.printf("<path class=\"mark\" d=\"M%s 0V%d\"><title>%s at %s</title></path>\n", x, height, html.EscapeString(m.Text), seconds(m.At))
	}
	p.printf("</svg>\n")
}

// shownMarks gives the marks, or none but the last where there are too many to tell apart.
func (p *page) shownMarks() []Mark {
	if len(p.Marks) > 60 {
		return p.Marks[len(p.Marks)-1:]
	}
	return p.Marks
}

// ticks gives round moments, about ten of them.
func (t *Timeline) ticks() []time.Duration {
	if t.Wall <= 0 {
		return []time.Duration{0}
	}
	step := time.Duration(roundStep(float64(t.Wall) / 10))
	var all []time.Duration
	for at := time.Duration(0); at <= t.Wall; at += step {
		all = append(all, at)
	}
	return all
}

// roundStep gives the least of 1, 2, 5, 10, ... that is not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*power >= x*0.999 {
			return max(m*power, 1)
		}
	}
	return power * 10
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'g', 6, 64) + " s"
}

func number(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

const chartHeight = 220

// bytes draws a pool's classes on top of each other.
func (p *page) bytes(pool int) {
	classes := p.classesOf(pool)
	if len(classes) == 0 || len(p.Samples) == 0 || p.Pools[pool].Limit == 0 { // of which the machine has none
		return
	}
	samples := p.thinned(pool)
	peak := p.peakOf(pool)
	top := float64(max(peak, 1)) * 1.06
	limit := p.Pools[pool].Limit
	if limit > 0 && float64(limit) < top*1.6 {
		top = max(top, float64(limit)*1.04)
	}
	y := func(bytes int64) float64 { return chartHeight * (1 - float64(bytes)/top) }
	p.beginPicture(fmt.Sprintf("Bytes in pool %s, at most %s%s", p.Pools[pool].Name, budget.FormatBytes(peak), limitOf(limit)), chartHeight)
	for bytes := int64(0); float64(bytes) <= top; bytes += byteStep(top) {
		p.printf("<path class=\"grid\" d=\"M%d %sH%d\"/><text class=\"tick\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>\n",
			leftSide, number(y(bytes)), pageWidth-rightSide, leftSide-6, number(y(bytes)+4), budget.FormatBytes(bytes))
	}
	below := make([]int64, len(samples))
	for _, c := range classes {
		p.area(c, samples, below, y)
	}
	if limit > 0 && float64(limit) <= top {
		p.printf("<path class=\"limit\" d=\"M%d %sH%d\"><title>the limit: %s</title></path>\n", leftSide, number(y(limit)), pageWidth-rightSide,
			budget.FormatBytes(limit))
	}
	p.endPicture(chartHeight)
	p.legend(classes)
}

func limitOf(limit int64) string {
	if limit < 0 {
		return ", no limit"
	}
	return " of " + budget.FormatBytes(limit)
}

// byteStep gives a power of two, three to five of which make the axis: bytes are told in units of 1024.
func byteStep(top float64) int64 {
	return int64(math.Exp2(max(math.Ceil(math.Log2(top/5)), 0)))
}

// area draws one class between what lies below it and itself; a sample holds until the next.
func (p *page) area(class int, samples []Sample, below []int64, y func(int64) float64) {
	p.printf("<path class=\"c%d\" d=\"", class%colors)
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

func (p *page) classesOf(pool int) []int {
	var classes []int
	for c, class := range p.Classes {
		if class.Pool == pool {
			classes = append(classes, c)
		}
	}
	return classes
}

func (t *Timeline) peakOf(pool int) int64 {
	var peak int64
	for _, s := range t.Samples {
		peak = max(peak, t.PoolBytes(s, pool))
	}
	return peak
}

// thinned gives the samples that a picture can show: of all within one pixel, that with most bytes.
func (p *page) thinned(pool int) []Sample {
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

func (p *page) legend(classes []int) {
	p.printf("<p class=\"legend\">")
	for _, c := range slices.Backward(classes) {
		p.printf("<span><i class=\"b%d\"></i>%s</span>", c%colors, html.EscapeString(p.Classes[c].Name))
	}
	p.printf("</p>\n")
}
