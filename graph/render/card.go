package render

import "github.com/proofgraph/proofgraph/graph/spec"

// The fonts of a drawing.
var (
	titleFont = font{size: 19, bold: true}
	docFont   = font{size: 13}
	nameFont  = font{size: 14, bold: true}
	kindFont  = font{size: 11.5}
	badgeFont = font{size: 11}
	labelFont = font{size: 11.5}
)

// A card is the box of a stage: its name, its kind, and what else is said of it in badges.
type card struct {
	name, kind, hint string
	rows             [][]badge
	numbers          string // from the annotation
	async            bool
	width, height    int
}

// A badge is a short word in a frame, placed relative to its card.
type badge struct {
	text        string
	color       int // of the resource it stands for, -1: plain
	x, y, width int
}

const (
	cardPadding = 12
	badgeHeight = 18
	badgeGap    = 5
	rowWidth    = 170 // where badges go on in a new row
)

func newCard(p *spec.Pipeline, i int, numbers string) card {
	s := p.Stages[i]
	c := card{name: shorten(s.Name), kind: shorten(kindName(s)), numbers: numbers, async: s.Async}
	if s.Kind != nil {
		c.hint = s.Kind.Doc
	}
	c.width = max(nameFont.width(c.name), kindFont.width(c.kind), badgeFont.width(numbers))
	c.height = cardPadding + 32
	c.stack(badges(p, s))
	if numbers != "" {
		c.height += 18
	}
	c.width += 2 * cardPadding
	c.height += cardPadding - 2
	return c
}

func badges(p *spec.Pipeline, s spec.Stage) []badge {
	var all []badge
	for _, text := range []string{workers(s), async(s), release(s)} {
		if text != "" {
			all = append(all, badge{text: text, color: -1})
		}
	}
	for i, text := range uses(p, s) {
		all = append(all, badge{text: text, color: s.Uses[i].Resource})
	}
	return all
}

// stack puts badges side by side, and into a new row where one is full.
func (c *card) stack(all []badge) {
	x := 0
	for i, b := range all {
		b.width = badgeFont.width(b.text) + 12
		if i == 0 || x+b.width > rowWidth {
			c.rows = append(c.rows, nil)
			x = 0
			c.height += badgeHeight + badgeGap
		}
		b.x, b.y = cardPadding+x, c.height-badgeHeight
		x += b.width + badgeGap
		c.width = max(c.width, x-badgeGap)
		last := len(c.rows) - 1
		c.rows[last] = append(c.rows[last], b)
	}
}
