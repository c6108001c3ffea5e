package render

import "github.com/proofgraph/proofgraph/graph/spec"

// A legend explains a picture below it: a row per pool with its limit and its classes, and one for all else.
type legend struct {
	entries []entry
	height  int
}

// An entry is one thing said in the legend, placed relative to its corner.
type entry struct {
	sign   sign
	text   string
	color  string // a style of the palette
	dashed bool
	x, y   int
}

// A sign is what stands before an entry's text, or how the text is set.
type sign int

const (
	heading sign = iota
	remark
	number
	swatch
	chip
)

const (
	legendStep  = 22
	swatchWidth = 20
)

func (e entry) width() int {
	switch e.sign {
	case heading:
		return font{size: labelFont.size, bold: true}.width(e.text)
	case swatch:
		return swatchWidth + 6 + labelFont.width(e.text)
	case chip:
		return badgeFont.width(e.text) + 12
	}
	return labelFont.width(e.text)
}

func (s *scene) legend(width int) legend {
	var l legend
	for i := range s.Pools {
		l.add(s.poolRow(i), width)
	}
	l.add(s.otherRow(), width)
	return l
}

// add puts a row at the end, wrapped where it is too wide.
func (l *legend) add(row []entry, width int) {
	x := 0
	for i, e := range row {
		if i > 0 && x+e.width() > width {
			x = 16
			l.height += legendStep
		}
		e.x, e.y = x, l.height
		x += e.width() + 14
		l.entries = append(l.entries, e)
	}
	if len(row) > 0 {
		l.height += legendStep
	}
}

func (s *scene) poolRow(i int) []entry {
	pool := s.Pools[i]
	row := []entry{{sign: heading, text: shorten(pool.Name)}, {sign: remark, text: poolWords(pool)}}
	if numbers := s.numbers.pool(i).words(); numbers != "" {
		row = append(row, entry{sign: number, text: numbers})
	}
	for k, class := range s.Classes {
		if class.Pool != i {
			continue
		}
		name := shorten(class.Name)
		if class.Cached {
			name += " (cached)"
		}
		row = append(row, entry{sign: swatch, text: name, color: classColor(k)})
	}
	return row
}

// otherRow explains resources, and the lines that stand for no pool, where there are any.
func (s *scene) otherRow() []entry {
	var row []entry
	for i, r := range s.Resources {
		row = append(row, entry{sign: chip, text: resourceWords(r), color: resourceColor(i)})
	}
	if row != nil {
		row = append([]entry{{sign: heading, text: "resources"}}, row...)
	}
	if s.anyEdge(func(e spec.Edge) bool { return classOf(s.Pipeline, e) < 0 }) {
		row = append(row, entry{sign: swatch, text: "small value, no lease", color: classColor(-1)})
	}
	if s.anyEdge(func(e spec.Edge) bool { return s.Stages[e.From].Async }) {
		row = append(row, entry{sign: swatch, text: "async: joined where it is needed", color: classColor(-1), dashed: true})
	}
	return row
}

func (s *scene) anyEdge(is func(spec.Edge) bool) bool {
	for _, e := range s.Edges {
		if is(e) {
			return true
		}
	}
	return false
}
