package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/proofgraph/proofgraph/graph/spec"
)

// DOT writes the pipeline in the language of Graphviz, with the budgets on the edges and the pools below the picture.
// Nodes are called s0, s1, ... in the pipeline's order; names stand in labels.
func DOT(w io.Writer, p *spec.Pipeline, o Options) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "digraph %s {\n", dotString(p.Name))
	fmt.Fprintf(&b, "  rankdir=%s\n  label=%s\n  labelloc=b\n  labeljust=l\n  fontsize=11\n", rankdir(o.Direction), dotString(poolLines(p, o)...))
	b.WriteString("  fontname=\"Helvetica\"\n  node [shape=box style=rounded fontname=\"Helvetica\" fontsize=11]\n")
	b.WriteString("  edge [fontname=\"Helvetica\" fontsize=10]\n")
	for i, s := range p.Stages {
		fmt.Fprintf(&b, "  s%d [label=%s%s]\n", i, dotString(stageLines(p, o, i)...), dotAsync(s))
	}
	for i, e := range p.Edges {
		fmt.Fprintf(&b, "  s%d -> s%d [label=%s sametail=o%d color=%q%s]\n", e.From, e.To, dotString(edgeLines(p, o, i)...),
			e.Output, colorOf(classOf(p, e)).light, dotDashed(p.Stages[e.From]))
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

func rankdir(d Direction) string {
	if d == Right {
		return "LR"
	}
	return "TB"
}

func dotAsync(s spec.Stage) string {
	if s.Async {
		return ` style="rounded,dashed" peripheries=2`
	}
	return ""
}

func dotDashed(s spec.Stage) string {
	if s.Async {
		return " style=dashed"
	}
	return ""
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

// dotString quotes lines as one centred label. Graphviz reads entities in every string, so '&' is escaped too.
func dotString(lines ...string) string {
	escaped := make([]string, len(lines))
	for i, line := range lines {
		escaped[i] = dotEscapes.Replace(oneLine(line))
	}
	return `"` + strings.Join(escaped, `\n`) + `"`
}

// oneLine makes a text valid UTF-8 without control characters: each becomes a space.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// stageLines has what is said of a stage, a line each: name, kind, settings, numbers.
func stageLines(p *spec.Pipeline, o Options, i int) []string {
	s := p.Stages[i]
	settings := joined(" · ", append([]string{workers(s), async(s), release(s)}, uses(p, s)...)...)
	return kept(s.Name, kindName(s), settings, o.Annotation.stage(i).words())
}

func edgeLines(p *spec.Pipeline, o Options, i int) []string {
	return kept(cargo(p, p.Edges[i]), edgeBudget(p, p.Edges[i]), o.Annotation.edge(i).words())
}

// poolLines has a line per pool: its limit, the classes that lie in it, and its numbers.
func poolLines(p *spec.Pipeline, o Options) []string {
	var lines []string
	for i, pool := range p.Pools {
		var classes []string
		for _, c := range p.Classes {
			if c.Pool == i {
				classes = append(classes, c.Name)
			}
		}
		lines = append(lines, pool.Name+": "+joined(" · ", poolWords(pool), strings.Join(classes, ", "), o.Annotation.pool(i).words()))
	}
	return lines
}

func kept(lines ...string) []string {
	out := lines[:0]
	for _, line := range lines {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
