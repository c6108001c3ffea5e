// Command proofgraph makes Groth16 proofs through pipelines that are YAML files.
package main

import (
	"os"

	"github.com/proofgraph/proofgraph/cmd/cli"
)

func main() {
	os.Exit(cli.System().Run(os.Args[1:]))
}
