package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/pipelines"
)

// allPipelines names the pipelines that come with the program: those that prove anywhere, on GPUs, and models.
func allPipelines() []string {
	return slices.Concat(pipelines.Names(), pipelines.Devices(), pipelines.Costed())
}

func (a *App) pipelines() *cobra.Command {
	var asJSON bool
	var out string
	cmd := &cobra.Command{
		Use:     "pipelines [NAME]",
		Short:   "List the pipelines that come with the program, or print one, to be edited",
		Example: "  proofgraph pipelines\n  proofgraph pipelines groth16 -o my-pipeline.yaml",
		Args:    someArgs(0, 1, "a name, or none"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listPipelines(asJSON)
			}
			source, found := pipelines.Read(args[0])
			if !found {
				return noPipeline(args[0])
			}
			return a.writeTo(out, func(to io.Writer) error {
				_, err := to.Write(source)
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "-", "the `file` to write a pipeline to; - is stdout")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

func (a *App) listPipelines(asJSON bool) error {
	bench, err := newWorkbench()
	if err != nil {
		return err
	}
	defer bench.close()
	type document struct {
		Name string `json:"name"`
		Doc  string `json:"doc"`
	}
	var documents []document
	t := &render.Table{Columns: []render.Column{{Title: "pipeline"}, {Title: "what it is for"}}}
	for _, name := range allPipelines() {
		p, err := bench.loadPipeline(name, nil)
		if err != nil {
			return err
		}
		documents = append(documents, document{name, p.Doc})
		t.Add(name, p.Doc)
	}
	if asJSON {
		return printJSON(a.Stdout, documents)
	}
	return a.writeFolded(t.Write)
}
