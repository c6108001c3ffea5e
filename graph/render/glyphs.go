package render

import (
	"math"
	"strings"

	"github.com/mattn/go-runewidth"
)

// helvetica has the advance widths of the characters from space to '~' in thousandths of the font size, from the font's
// published metrics. Arial and Liberation Sans share them, so one table holds on all usual systems.
var helvetica = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// A font is a size in pixels, and whether it is bold.
type font struct {
	size float64
	bold bool
}

const boldWidth = 1.08 // Helvetica Bold against Helvetica, on average over lower-case text

// width gives the pixels that a text takes at most, rounded up.
func (f font) width(s string) int {
	sum := 0
	for _, r := range s {
		sum += advance(r)
	}
	w := float64(sum) * f.size / 1000
	if f.bold {
		w *= boldWidth
	}
	return int(math.Ceil(w * 1.02))
}

func advance(r rune) int {
	switch {
	case r >= ' ' && int(r-' ') < len(helvetica):
		return helvetica[r-' ']
	case r == '·':
		return 278
	case r == '×' || r == '−':
		return 584
	}
	return max(640, 500*runewidth.RuneWidth(r))
}

// wrap breaks a text into lines of at most a width; a word that is longer is cut.
func (f font) wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if longer := joined(" ", line, word); f.width(longer) <= width {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = f.cut(word, width)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func (f font) cut(word string, width int) string {
	if f.width(word) <= width {
		return word
	}
	runes := []rune(word)
	for len(runes) > 0 && f.width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
