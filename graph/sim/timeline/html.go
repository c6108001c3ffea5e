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
)

// A Fact is a line of the table above the pictures: "seconds per proof", "28.4". A Grave one is drawn as bad news.
type Fact struct {
	Name, Value string
	Grave       bool
}

// A Table is shown below the facts. Its first column and those named in Words are words; the others are numbers.
type Table struct {
	Columns []string
	Words   []int
	Rows    [][]string
}

// A Section is a timeline and what is said of it. The timeline may be nil: then there are no pictures.
type Section struct {
	Heading, Lead string
	Facts         []Fact
	Timeline      *Timeline
	Tables        []Table
}

// A Page is what a browser shows: one section, or several that a table compares.
type Page struct {
	Title, Lead string
	Comparison  *Table
	Sections    []Section
}

// HTML writes the page, which needs nothing else: no script, no font and no network. Of each section it has the facts, the
// bytes of each pool over time with its classes on top of each other, what every worker did, and the tables. It follows the
// reader's light or dark colours.
func (p *Page) HTML(w io.Writer) error {
	to := &pen{w: bufio.NewWriter(w)}
	to.head(p.Title, p.Lead)
	if p.Comparison != nil {
		to.table(*p.Comparison)
	}
	for _, s := range p.Sections {
		if len(p.Sections) > 1 {
			to.printf("<h2>%s</h2>\n", html.EscapeString(s.Heading))
		}
		to.section(s)
	}
	to.printf("</main>\n</body>\n</html>\n")
	if err := to.w.Flush(); err != nil {
		return fmt.Errorf("write a page: %w", err)
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

// A pen writes a page. What writing to a bufio.Writer has to say it says at Flush.
type pen struct{ w *bufio.Writer }

func (p *pen) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *pen) head(title, lead string) {
	title = html.EscapeString(title)
	p.printf("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	p.printf("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n", title, styleSheet)
	p.printf("<body>\n<main>\n<h1>%s</h1>\n", title)
	p.paragraph("lead", lead)
}

// paragraph writes a paragraph of a class, or nothing where there are no words.
func (p *pen) paragraph(class, words string) {
	if words != "" {
		p.printf("<p class=\"%s\">%s</p>\n", class, html.EscapeString(words))
	}
}

func (p *pen) section(s Section) {
	p.paragraph("lead", s.Lead)
	p.facts(s.Facts)
	if s.Timeline != nil {
		several := slices.ContainsFunc(s.Timeline.Spans, func(s Span) bool { return s.Device > 0 })
		drawing := &drawing{s.Timeline, p, several}
		for pool := range s.Timeline.Pools {
			drawing.bytes(pool)
		}
		drawing.gantt()
	}
	for _, t := range s.Tables {
		p.table(t)
	}
}

func (p *pen) facts(facts []Fact) {
	if len(facts) == 0 {
		return
	}
	p.printf("<dl>\n")
	for _, f := range facts {
		class := ""
		if f.Grave {
			class = " class=\"grave\""
		}
		p.printf("<div%s><dt>%s</dt><dd>%s</dd></div>\n", class, html.EscapeString(f.Name), html.EscapeString(f.Value))
	}
	p.printf("</dl>\n")
}

func (p *pen) table(t Table) {
	p.printf("<div class=\"scroll\"><table>\n")
	p.row(t, "th", t.Columns)
	for _, row := range t.Rows {
		p.row(t, "td", row)
	}
	p.printf("</table></div>\n")
}

func (p *pen) row(t Table, tag string, cells []string) {
	p.printf("<tr>")
	for i, cell := range cells {
		class := ""
		if i == 0 || slices.Contains(t.Words, i) {
			class = " class=\"words\""
		}
		p.printf("<%s%s>%s</%s>", tag, class, html.EscapeString(cell), tag)
	}
	p.printf("</tr>\n")
}

// A drawing is a timeline that is being drawn.
type drawing struct {
	*Timeline
	*pen
	several bool // devices
}

// x gives the place of a moment.
func (p *drawing) x(at time.Duration) float64 {
	if p.Wall <= 0 {
		return leftSide
	}
	return leftSide + plotWidth*float64(at)/float64(p.Wall)
}

// beginPicture opens a picture with a grid of times.
func (p *drawing) beginPicture(heading string, height int) {
	p.printf("<figure>\n<h3>%s</h3>\n<div class=\"scroll\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", html.EscapeString(heading), pageWidth, height+24,
		html.EscapeString(heading))
	for _, at := range p.ticks() {
		x := number(p.x(at))
		p.printf("<path class=\"grid\" d=\"M%s 0V%d\"/><text class=\"tick\" x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			x, height, x, height+16, seconds(at))
	}
}

// endPicture draws the marks over all and closes the picture.
func (p *drawing) endPicture(height int) {
	for _, m := range p.shownMarks() {
		x, class := number(p.x(m.At)), "mark"
		if m.Grave {
			class = "limit"
		}
		p.printf("<path class=\"%s\" d=\"M%s 0V%d\"><title>%s at %s</title></path>\n", class, x, height, html.EscapeString(m.Text), seconds(m.At))
	}
	p.printf("</svg></div>\n")
}

// shownMarks gives the marks, or none but the last where there are too many to tell apart.
func (p *drawing) shownMarks() []Mark {
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
