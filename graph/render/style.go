package render

import (
	"fmt"
	"strings"
)

// A color has its values on a light and on a dark page.
type color struct{ light, dark string }

// palette colours buffer classes in their order, and resources from its end; more than there are begin again.
var palette = [...]color{
	{"#2563eb", "#60a5fa"}, // blue
	{"#d97706", "#fbbf24"}, // amber
	{"#059669", "#34d399"}, // green
	{"#7c3aed", "#a78bfa"}, // violet
	{"#db2777", "#f472b6"}, // pink
	{"#0891b2", "#22d3ee"}, // cyan
	{"#65a30d", "#a3e635"}, // lime
	{"#dc2626", "#f87171"}, // red
}

var plain = color{"#64748b", "#94a3b8"} // what has no class

// colorOf gives the colour of a class; class -1 is plain.
func colorOf(class int) color {
	if class < 0 {
		return plain
	}
	return palette[class%len(palette)]
}

// classColor names the style of a class's colour.
func classColor(class int) string {
	if class < 0 {
		return "k"
	}
	return fmt.Sprintf("k%d", class%len(palette))
}

func resourceColor(resource int) string {
	return fmt.Sprintf("k%d", len(palette)-1-resource%len(palette))
}

const fontFamily = `"Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif`

// surfaces are the rules that differ by page: selector, property, colour.
var surfaces = []struct {
	selector, property string
	color              color
}{
	{"text", "fill", color{"#0f172a", "#f1f5f9"}},
	{".page", "fill", color{"#ffffff", "#0d1117"}},
	{".page", "stroke", color{"#e2e8f0", "#30363d"}},
	{".rule", "stroke", color{"#e2e8f0", "#30363d"}},
	{".card", "fill", color{"#f8fafc", "#161b22"}},
	{".card", "stroke", color{"#94a3b8", "#6e7681"}},
	{".outline", "stroke", color{"#94a3b8", "#6e7681"}},
	{".badge", "fill", color{"#e2e8f0", "#30363d"}},
	{".muted", "fill", color{"#5b6b80", "#9aa7b5"}},
	{".number", "fill", color{"#b45309", "#fbbf24"}},
}

// styleSheet writes the rules, all below .proofgraph so that a page that holds the picture keeps its own.
func styleSheet() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".proofgraph text{font-family:%s}\n", fontFamily)
	for _, f := range []struct {
		name string
		font font
	}{{"title", titleFont}, {"doc", docFont}, {"name", nameFont}, {"kind", kindFont}, {"small", badgeFont}, {"label", labelFont}} {
		fmt.Fprintf(&b, ".proofgraph .%s{font-size:%gpx%s}\n", f.name, f.font.size, weight(f.font))
	}
	b.WriteString(".proofgraph .edge,.proofgraph .outline{fill:none}\n.proofgraph .edge{stroke-width:1.7}\n")
	b.WriteString(".proofgraph .dashed{stroke-dasharray:5 4}\n.proofgraph .strong{font-weight:bold}\n.proofgraph .tint{fill-opacity:.16}\n")
	writeColors(&b, func(c color) string { return c.light })
	b.WriteString("@media (prefers-color-scheme:dark){\n")
	writeColors(&b, func(c color) string { return c.dark })
	b.WriteString("}\n")
	return b.String()
}

func weight(f font) string {
	if f.bold {
		return ";font-weight:bold"
	}
	return ""
}

func writeColors(b *strings.Builder, pick func(color) string) {
	for _, s := range surfaces {
		fmt.Fprintf(b, ".proofgraph %s{%s:%s}\n", s.selector, s.property, pick(s.color))
	}
	writeColor(b, "k", pick(plain))
	for i, c := range palette {
		writeColor(b, classColor(i), pick(c))
	}
}

func writeColor(b *strings.Builder, name, value string) {
	fmt.Fprintf(b, ".proofgraph .edge.%s{stroke:%s}.proofgraph .fill.%s{fill:%s}\n", name, value, name, value)
}
