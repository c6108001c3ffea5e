package spec_test

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A registry with one kind, a pipeline that names it, and what Load says of a mistake.
func ExampleLoad() {
	greet := &stage.Kind{
		Name:    "greet",
		Options: []stage.Option{{Name: "times", Type: stage.Int, Default: "1", Min: 1}},
		New: func(o stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(context.Context, *stage.Task) error { return nil }), nil
		},
	}
	registry, err := stage.NewRegistry(greet)
	if err != nil {
		fmt.Println(err)
		return
	}
	text := `
pipeline: hello
params: { n: { default: 2 } }
stages:
  hi: { kind: greet, times: "${n * 10}" }
`
	p, err := spec.Load("hello.yaml", []byte(text), registry, []string{"n=3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Stages[0].Name, p.Stages[0].Options.Int("times"))

	_, err = spec.Load("hello.yaml", []byte(text), registry, []string{"n=-1"})
	fmt.Println(err)
	// Output:
	// hi 30
	// hello.yaml:5:29: error[E207]: times is -10, but at least 1
	//     hi: { kind: greet, times: "${n * 10}" }
	//                               ^^^^^^^^^^^
}
