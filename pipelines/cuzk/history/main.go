// Command history prints, for every published outcome of cuzk, what the simulator says of the same configuration.
package main

import (
	"fmt"
	"os"

	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/pipelines/cuzk"
)

func main() {
	path := "pipelines/profiles/threadripper-7995wx.yaml"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if err := cuzk.Compare(os.Stdout, path, sim.Options{Seed: 1}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
