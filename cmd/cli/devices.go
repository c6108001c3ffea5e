package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/stages"
)

// gpus are the GPUs that --devices names: some by CUDA's numbers, none, or all where it says nothing.
type gpus struct {
	numbers []int
	none    bool
}

// noGPUs is the word for none.
const noGPUs = "none"

// Set implements pflag.Value; it reads "0,2" or "none".
func (g *gpus) Set(text string) error {
	if text == noGPUs {
		*g = gpus{none: true}
		return nil
	}
	*g = gpus{}
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("write numbers such as 0,2, or %s", noGPUs)
		}
		g.numbers = append(g.numbers, n)
	}
	return nil
}

// String implements pflag.Value.
func (g *gpus) String() string {
	if g.none {
		return noGPUs
	}
	words := make([]string, len(g.numbers))
	for i, n := range g.numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// Type implements pflag.Value.
func (g *gpus) Type() string { return "numbers" }

// engines gives stages these GPUs. Those that are named must be there.
func (g *gpus) engines() (*stages.Engines, error) {
	if g.none {
		return stages.NewEngines()
	}
	machine := cuda.NewMachine(g.numbers...)
	if len(g.numbers) > 0 && machine.Problem() != nil {
		return nil, invalidInput{fmt.Errorf("--devices %s: %w", g, machine.Problem())}
	}
	return stages.NewEngines(stages.WithMachine(machine))
}
