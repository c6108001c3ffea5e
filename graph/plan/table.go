package plan

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/render"
)

// Line gives the options of a command line that make a point's setting: "--set a=1 --set b=2".
func (p *Plan) Line(point Point) string {
	var parts []string
	for i, name := range p.Params {
		parts = append(parts, fmt.Sprintf("--set %s=%d", name, point.Values[i]))
	}
	return strings.Join(parts, " ")
}

// Text writes the front as a table, with the knee, the best and the pipeline as it is written.
func (p *Plan) Text(w io.Writer) error {
	table := render.Table{Columns: []render.Column{
		{Title: "memory", Right: true}, {Title: "s/job", Right: true}, {Title: "p99", Right: true}, {Title: "held", Right: true},
	}}
	for _, name := range p.Params {
		table.Columns = append(table.Columns, render.Column{Title: name, Right: true})
	}
	table.Columns = append(table.Columns, render.Column{})
	for _, point := range p.Front {
		table.Add(p.row(point, p.remark(point))...)
	}
	if p.Default != nil && !slices.ContainsFunc(p.Front, p.Default.same) {
		table.Foot(p.row(*p.Default, "as written")...)
	}
	if err := table.Write(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "\n%d of %g settings tried, %d did not go through\n", p.Tried, p.Space, p.Failed); err != nil {
		return err
	}
	if len(p.Fixed) > 0 {
		_, err := fmt.Fprintf(w, "left as they are, since the profile knows the seconds of no other value: %s\n", strings.Join(p.Fixed, ", "))
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "knee  %s\nbest  %s\n", p.Line(p.Knee), p.Line(p.Best))
	return err
}

func (p *Plan) row(point Point, remark string) []string {
	row := []string{
		budget.FormatBytes(point.Memory), fmt.Sprintf("%.4g", point.Seconds), fmt.Sprintf("%.4g", point.Latency), fmt.Sprint(point.Held),
	}
	for _, v := range point.Values {
		row = append(row, fmt.Sprint(v))
	}
	return append(row, remark)
}

func (p *Plan) remark(point Point) string {
	var words []string
	if point.same(p.Knee) {
		words = append(words, "knee")
	}
	if point.same(p.Best) {
		words = append(words, "best")
	}
	if p.Default != nil && point.same(*p.Default) {
		words = append(words, "as written")
	}
	return strings.Join(words, ", ")
}

func (p Point) same(other Point) bool { return slices.Equal(p.Values, other.Values) }
