package render

import (
	"bytes"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// A Table is aligned text for a terminal, such as the closing report of a run. The zero value with Columns set is ready;
// cells are escaped to one line each, and columns are as wide as what they hold, by the width of characters on screen.
type Table struct {
	Columns []Column
	Plain   bool // no header, even where columns have titles
	Color   bool // headers and footers may be bold; see ColorAllowed
	rows    []row
}

// A Column has a title and the side its cells stand on.
type Column struct {
	Title string
	Right bool // numbers: their units line up
}

type row struct {
	cells []string
	kind  rowKind
}

type rowKind int

const (
	bodyRow rowKind = iota
	noteRow         // one text over all columns
	ruleRow
	footRow
)

// Add appends a row; cells that are missing are empty, those beyond the columns are dropped.
func (t *Table) Add(cells ...string) { t.append(bodyRow, cells) }

// Foot appends a row of totals below a rule.
func (t *Table) Foot(cells ...string) {
	t.rows = append(t.rows, row{kind: ruleRow})
	t.append(footRow, cells)
}

// Note appends a text that reaches over all columns.
func (t *Table) Note(text string) {
	t.rows = append(t.rows, row{cells: []string{oneLine(text)}, kind: noteRow})
}

func (t *Table) append(kind rowKind, cells []string) {
	r := row{kind: kind, cells: make([]string, len(t.Columns))}
	for i := range min(len(cells), len(t.Columns)) {
		r.cells[i] = oneLine(cells[i])
	}
	t.rows = append(t.rows, r)
}

// Write writes the table; lines have no trailing spaces.
func (t *Table) Write(w io.Writer) error {
	var b bytes.Buffer
	widths := t.widths()
	if !t.Plain {
		t.writeLine(&b, t.line(t.titles(), widths), true)
		t.writeLine(&b, rule(widths), false)
	}
	for _, r := range t.rows {
		switch r.kind {
		case noteRow:
			t.writeLine(&b, r.cells[0], false)
		case ruleRow:
			t.writeLine(&b, rule(widths), false)
		default:
			t.writeLine(&b, t.line(r.cells, widths), r.kind == footRow)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (t *Table) titles() []string {
	titles := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = c.Title
	}
	return titles
}

func (t *Table) widths() []int {
	widths := make([]int, len(t.Columns))
	if !t.Plain {
		for i, c := range t.Columns {
			widths[i] = screen.StringWidth(c.Title)
		}
	}
	for _, r := range t.rows {
		if r.kind == noteRow || r.kind == ruleRow {
			continue
		}
		for i, cell := range r.cells {
			widths[i] = max(widths[i], screen.StringWidth(cell))
		}
	}
	return widths
}

// screen measures characters the same on every machine, whatever its locale says of ambiguous ones.
var screen = &runewidth.Condition{}

const columnGap = "  "

func (t *Table) line(cells []string, widths []int) string {
	padded := make([]string, len(cells))
	for i, cell := range cells {
		space := strings.Repeat(" ", widths[i]-screen.StringWidth(cell))
		padded[i] = cell + space
		if t.Columns[i].Right {
			padded[i] = space + cell
		}
	}
	return strings.Join(padded, columnGap)
}

func rule(widths []int) string {
	total := len(columnGap) * max(0, len(widths)-1)
	for _, w := range widths {
		total += w
	}
	return strings.Repeat("─", total)
}

func (t *Table) writeLine(b *bytes.Buffer, line string, strong bool) {
	line = strings.TrimRight(line, " ")
	if strong && t.Color && line != "" {
		line = "\x1b[1m" + line + "\x1b[0m"
	}
	b.WriteString(line + "\n")
}

// ColorAllowed says whether output may be coloured: it goes to a terminal, and NO_COLOR is not set (no-color.org: set to
// anything but the empty string). Pass term.IsTerminal and os.Getenv.
func ColorAllowed(terminal bool, getenv func(string) string) bool {
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
