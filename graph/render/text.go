package render

import (
	"fmt"
	"io"

	"github.com/proofgraph/proofgraph/graph/render/layout"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// Text writes the pipeline as a table for a terminal: stages layer by layer, under each the edges that leave it with
// their budgets, and the pools at the end. Rows stand in the pipeline's order within a layer.
func Text(w io.Writer, p *spec.Pipeline) error {
	layers, err := layers(p)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, joined(": ", oneLine(p.Name), oneLine(p.Doc))); err != nil {
		return err
	}
	t := Table{Columns: []Column{{}, {}, {}, {}}, Plain: true}
	last := -1
	for _, i := range byLayer(layers) {
		s := p.Stages[i]
		layer := ""
		if layers[i] != last {
			last, layer = layers[i], fmt.Sprint(layers[i]+1)
		}
		t.Add(layer, s.Name, kindName(s), joined(" · ", append([]string{workers(s), async(s), release(s)}, uses(p, s)...)...))
		addEdges(&t, p, i)
	}
	for i, line := range poolLines(p, Options{}) {
		if i == 0 {
			t.Add()
		}
		t.Note(line)
	}
	return t.Write(w)
}

func layers(p *spec.Pipeline) ([]int, error) {
	g := layout.Graph{Nodes: make([]layout.Node, len(p.Stages))}
	for _, e := range p.Edges {
		g.Edges = append(g.Edges, layout.Edge{From: e.From, To: e.To})
	}
	found, err := layout.Layers(g)
	if err != nil {
		return nil, fmt.Errorf("drawing pipeline %s: %w", p.Name, err)
	}
	return found, nil
}

// byLayer gives the indexes of the stages, those of earlier layers first.
func byLayer(layers []int) []int {
	var order []int
	for layer := 0; len(order) < len(layers); layer++ {
		for i, l := range layers {
			if l == layer {
				order = append(order, i)
			}
		}
	}
	return order
}

// addEdges adds a row per edge of a stage. Edges of one output share their buffer: the first has the output's name, the
// others a sign that says so.
func addEdges(t *Table, p *spec.Pipeline, i int) {
	for _, out := range p.Stages[i].Outputs {
		for k, index := range out.Edges {
			e := p.Edges[index]
			from := "  " + cargo(p, e)
			if k > 0 {
				from = "  ″"
			}
			arrow := "→ "
			if p.Stages[i].Async {
				arrow = "⇢ "
			}
			t.Add("", from, arrow+e.ToName, joined(" · ", edgeBudget(p, e), className(p, e)))
		}
	}
}

func className(p *spec.Pipeline, e spec.Edge) string {
	class := classOf(p, e)
	if class < 0 {
		return ""
	}
	return p.Pools[p.Classes[class].Pool].Name + "/" + p.Classes[class].Name
}
