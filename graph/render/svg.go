package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/proofgraph/proofgraph/graph/render/layout"
	"github.com/proofgraph/proofgraph/graph/spec"
)

const (
	margin    = 24
	leastPage = 420
	docStep   = 18
	arrow     = 7
)

// SVG writes a picture of the pipeline that needs nothing else: no script, no font, no other file. It follows the
// reader's light or dark colour scheme.
func SVG(w io.Writer, p *spec.Pipeline, o Options) error {
	s, err := newScene(p, o)
	if err != nil {
		return err
	}
	picture := newPicture(s)
	picture.write()
	_, err = w.Write(picture.Bytes())
	return err
}

// A picture is an SVG file in the making.
type picture struct {
	bytes.Buffer
	*scene
	doc           []string
	legend        legend
	width, height int
	left, top     float64 // where the drawing begins
}

func newPicture(s *scene) *picture {
	title := titleFont.width(shorten(s.Name))
	inner := max(int(s.drawing.Width), title, leastPage)
	p := &picture{scene: s, doc: docFont.wrap(s.Doc, inner), legend: s.legend(inner), width: inner + 2*margin}
	p.left = float64(p.width-int(s.drawing.Width)) / 2
	p.top = float64(margin + 26 + docStep*len(p.doc) + 14)
	p.height = int(p.top+s.drawing.Height) + margin
	if p.legend.height > 0 {
		p.height += p.legend.height + 20
	}
	return p
}

func (p *picture) write() {
	p.printf("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"proofgraph\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
		p.width, p.height, p.width, p.height)
	p.printf("<title>%s</title>\n<desc>%s</desc>\n<style>\n%s</style>\n",
		escape("Pipeline "+p.Name), escape(p.summary()), styleSheet())
	p.printf("<rect class=\"page\" x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"10\"/>\n", p.width-1, p.height-1)
	p.header()
	p.printf("<g transform=\"translate(%g %g)\">\n", p.left, p.top)
	p.edges()
	for i := range p.cards {
		p.card(i)
	}
	p.ports()
	p.printf("</g>\n")
	p.footer()
	p.printf("</svg>\n")
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.Buffer, format, args...) }

func (p *picture) text(x, y float64, class, s string) {
	p.printf("<text x=\"%g\" y=\"%g\" class=\"%s\">%s</text>\n", x, y, class, escape(s))
}

// escape makes a text safe in XML; what XML cannot hold becomes U+FFFD.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}

func (p *picture) summary() string {
	size := fmt.Sprintf("%s, %s.", plural(len(p.Stages), "stage"), plural(len(p.Edges), "edge"))
	doc := strings.Join(strings.Fields(p.Doc), " ")
	if doc != "" && !strings.HasSuffix(doc, ".") {
		doc += "." // it is read aloud, as sentences
	}
	return joined(" ", doc, size)
}

func (p *picture) header() {
	p.text(margin, margin+16, "title", shorten(p.Name))
	for i, line := range p.doc {
		p.text(margin, float64(margin+38+docStep*i), "doc muted", line)
	}
}

func (p *picture) edges() {
	for i, e := range p.Edges {
		class := "edge " + classColor(p.tags[i].class)
		if p.tags[i].async {
			class += " dashed"
		}
		route := p.drawing.Edges[i]
		p.printf("<g><title>%s</title>\n", escape(joined(" ", e.FromName, "→", e.ToName+":", edgeBudget(p.Pipeline, e))))
		p.printf("<path class=\"%s\" d=\"%s\"/>\n", class, p.path(route.Points))
		p.arrow(route.Points[len(route.Points)-1], classColor(p.tags[i].class))
		p.tag(p.tags[i], route.Label)
		p.printf("</g>\n")
	}
}

// path joins points by straight pieces along the drawing and by curves elsewhere; it ends where the arrow begins.
func (p *picture) path(points []layout.Point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%g %g", points[0].X, points[0].Y)
	for i, to := range points[1:] {
		from := points[i]
		if i == len(points)-2 {
			to = p.back(to, arrow-1)
		}
		switch {
		case p.straight(from, to):
			fmt.Fprintf(&b, "L%g %g", to.X, to.Y)
		case p.direction == layout.Right:
			middle := (from.X + to.X) / 2
			fmt.Fprintf(&b, "C%g %g %g %g %g %g", middle, from.Y, middle, to.Y, to.X, to.Y)
		default:
			middle := (from.Y + to.Y) / 2
			fmt.Fprintf(&b, "C%g %g %g %g %g %g", from.X, middle, to.X, middle, to.X, to.Y)
		}
	}
	return b.String()
}

func (p *picture) straight(a, b layout.Point) bool {
	if p.direction == layout.Right {
		return a.Y == b.Y
	}
	return a.X == b.X
}

// back gives the point a distance before another.
func (p *picture) back(at layout.Point, distance float64) layout.Point {
	if p.direction == layout.Right {
		return layout.Point{X: at.X - distance, Y: at.Y}
	}
	return layout.Point{X: at.X, Y: at.Y - distance}
}

func (p *picture) arrow(tip layout.Point, color string) {
	base := p.back(tip, arrow)
	dx, dy := 3.5, 0.0
	if p.direction == layout.Right {
		dx, dy = 0, 3.5
	}
	p.printf("<path class=\"fill %s\" d=\"M%g %gL%g %gL%g %gZ\"/>\n",
		color, tip.X, tip.Y, base.X-dx, base.Y-dy, base.X+dx, base.Y+dy)
}

func (p *picture) tag(t tag, box layout.Rect) {
	x, y := box.X+beside, box.Y+11
	if p.direction == layout.Right {
		x = box.X + 4
	}
	for i, line := range t.lines {
		class := "label muted"
		switch i {
		case 0:
			class = "label"
		case 2:
			class = "label number"
		}
		if i == 1 && p.direction == layout.Right {
			y += 4 // below the line
		}
		p.text(x, y, class, line)
		y += lineStep
	}
}

func (p *picture) card(i int) {
	c, r := p.cards[i], p.drawing.Nodes[i]
	p.printf("<g transform=\"translate(%g %g)\">\n", r.X, r.Y)
	p.printf("<title>%s</title>\n", escape(joined(" ", p.Stages[i].Name+":", kindName(p.Stages[i]), c.hint)))
	p.frame(c, r)
	p.text(cardPadding, cardPadding+12, "name", c.name)
	p.text(cardPadding, cardPadding+28, "kind muted", c.kind)
	for _, row := range c.rows {
		for _, b := range row {
			p.badge(b)
		}
	}
	if c.numbers != "" {
		p.text(cardPadding, float64(c.height-cardPadding), "small number", c.numbers)
	}
	p.printf("</g>\n")
}

// frame draws the outline of a card: dashed and doubled for an async stage, whose work goes on beside.
func (p *picture) frame(c card, r layout.Rect) {
	if !c.async {
		p.printf("<rect class=\"card\" width=\"%g\" height=\"%g\" rx=\"8\"/>\n", r.Width, r.Height)
		return
	}
	p.printf("<rect class=\"card dashed\" width=\"%g\" height=\"%g\" rx=\"8\"/>\n", r.Width, r.Height)
	p.printf("<rect class=\"outline dashed\" x=\"4\" y=\"4\" width=\"%g\" height=\"%g\" rx=\"5\"/>\n", r.Width-8, r.Height-8)
}

func (p *picture) badge(b badge) {
	class, text := "badge", "small"
	if b.color >= 0 {
		class = "tint fill " + resourceColor(b.color)
		text = "small fill " + resourceColor(b.color)
	}
	p.printf("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n", class, b.x, b.y, b.width, badgeHeight)
	p.text(float64(b.x+6), float64(b.y+13), text, b.text)
}

// ports marks where edges leave, once for all edges of an output.
func (p *picture) ports() {
	for _, s := range p.Stages {
		for _, out := range s.Outputs {
			if len(out.Edges) == 0 {
				continue
			}
			at := p.drawing.Edges[out.Edges[0]].Points[0]
			p.printf("<circle class=\"fill %s\" cx=\"%g\" cy=\"%g\" r=\"3.5\"/>\n", classColor(out.Class), at.X, at.Y)
		}
	}
}

func (p *picture) footer() {
	if p.legend.height == 0 {
		return
	}
	top := p.top + p.drawing.Height + 20
	p.printf("<path class=\"edge rule\" d=\"M%d %gH%d\"/>\n", margin, top, p.width-margin)
	p.printf("<g transform=\"translate(%d %g)\">\n", margin, top+10)
	for _, e := range p.legend.entries {
		p.entry(e)
	}
	p.printf("</g>\n")
}

func (p *picture) entry(e entry) {
	x, y := float64(e.x), float64(e.y+15)
	switch e.sign {
	case heading:
		p.text(x, y, "label strong", e.text)
	case remark:
		p.text(x, y, "label muted", e.text)
	case number:
		p.text(x, y, "label number", e.text)
	case swatch:
		class := "edge " + e.color
		if e.dashed {
			class += " dashed"
		}
		p.printf("<path class=\"%s\" d=\"M%g %gh%d\"/>\n", class, x, y-4, swatchWidth)
		p.text(x+swatchWidth+6, y, "label", e.text)
	case chip:
		p.printf("<rect class=\"tint fill %s\" x=\"%g\" y=\"%g\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n", e.color, x, y-13, e.width(), badgeHeight)
		p.text(x+6, y, "small fill "+e.color, e.text)
	}
}
