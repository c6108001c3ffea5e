package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

func (a *App) stages() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stages",
		Short: "List the stage kinds that a pipeline may name",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			bench, err := newWorkbench()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.Stdout, bench.kindDocuments())
			}
			t := &render.Table{Columns: []render.Column{{Title: "kind"}, {Title: "what it does"}}}
			for _, name := range bench.registry.Names() {
				sentence, _, _ := strings.Cut(bench.registry.Find(name).Doc, ". ")
				t.Add(name, strings.TrimSuffix(sentence, "."))
			}
			return a.writeFolded(t.Write)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print kinds, options and ports as JSON")
	return cmd
}

func (a *App) explain() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "explain KIND",
		Short:   "Tell a stage kind's ports, options and memory",
		Example: "  proofgraph explain groth16.msm",
		Args:    someArgs(1, 1, "a stage kind; proofgraph stages lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			bench, err := newWorkbench()
			if err != nil {
				return err
			}
			kind := bench.registry.Find(args[0])
			if kind == nil {
				return invalidInput{fmt.Errorf("there is no stage kind %q; proofgraph stages lists them", args[0])}
			}
			if asJSON {
				return printJSON(a.Stdout, kindDocumentOf(kind))
			}
			return a.writeFolded(func(to io.Writer) error {
				_, err := io.WriteString(to, spec.Explain(kind))
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the kind, its options and its ports as JSON")
	return cmd
}

type (
	portDocument struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Class string `json:"class,omitempty"`
		Takes string `json:"takes,omitempty"`
		Doc   string `json:"doc"`
	}
	optionDocument struct {
		Name     string   `json:"name"`
		Type     string   `json:"type"`
		Default  string   `json:"default,omitempty"`
		Required bool     `json:"required,omitempty"`
		Enum     []string `json:"enum,omitempty"`
		Doc      string   `json:"doc"`
	}
	kindDocument struct {
		Name    string           `json:"name"`
		Doc     string           `json:"doc"`
		Options []optionDocument `json:"options"`
		Inputs  []portDocument   `json:"inputs"`
		Outputs []portDocument   `json:"outputs"`
		Scratch []string         `json:"scratch,omitempty"`
	}
)

func (w *workbench) kindDocuments() []kindDocument {
	var documents []kindDocument
	for _, name := range w.registry.Names() {
		documents = append(documents, kindDocumentOf(w.registry.Find(name)))
	}
	return documents
}

func kindDocumentOf(k *stage.Kind) kindDocument {
	d := kindDocument{
		Name: k.Name, Doc: k.Doc, Scratch: k.Scratch,
		Options: []optionDocument{}, Inputs: portDocuments(k.Inputs), Outputs: portDocuments(k.Outputs),
	}
	for _, o := range k.Options {
		d.Options = append(d.Options, optionDocument{o.Name, string(o.Type), o.Default, o.Required, o.Enum, o.Doc})
	}
	return d
}

func portDocuments(ports []stage.Port) []portDocument {
	documents := []portDocument{}
	for _, p := range ports {
		documents = append(documents, portDocument{p.Name, p.Type.String(), p.Class, p.Takes, p.Doc})
	}
	return documents
}
