package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// drawings are the formats of the graph command.
var drawings = map[string]func(io.Writer, *spec.Pipeline, render.Options) error{
	"svg": render.SVG, "dot": render.DOT, "mermaid": render.Mermaid,
}

func (a *App) graph() *cobra.Command {
	var format, out, direction string
	var set []string
	cmd := &cobra.Command{
		Use:     "graph PIPELINE",
		Short:   "Draw a pipeline as SVG, DOT or Mermaid",
		Example: "  proofgraph graph groth16 -o groth16.svg\n  proofgraph graph my-pipeline.yaml --format mermaid",
		Args:    someArgs(1, 1, "a pipeline file, or the name of one that comes with the program"),
		RunE: func(_ *cobra.Command, args []string) error {
			draw, toward := drawings[format], directions[direction]
			if draw == nil || toward == nil {
				return usageError{fmt.Errorf("--format is svg, dot or mermaid, and --direction auto, down or right")}
			}
			bench, err := newWorkbench()
			if err != nil {
				return err
			}
			p, err := bench.loadPipeline(args[0], set)
			if err != nil {
				return err
			}
			return a.writeTo(out, func(to io.Writer) error { return draw(to, p, render.Options{Direction: *toward}) })
		},
	}
	cmd.Flags().StringVar(&format, "format", "svg", "svg, dot or mermaid")
	cmd.Flags().StringVarP(&out, "output", "o", "-", "the `file` to write; - is stdout")
	cmd.Flags().StringVar(&direction, "direction", "auto", "where the pipeline flows: auto, down or right")
	cmd.Flags().StringArrayVar(&set, "set", nil, "set a parameter of the pipeline, `name=value`")
	return cmd
}

func direction(d render.Direction) *render.Direction { return &d }

var directions = map[string]*render.Direction{
	"auto": direction(render.Auto), "down": direction(render.Down), "right": direction(render.Right),
}
