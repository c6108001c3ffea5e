package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/stages"
)

// A deviceList is the GPUs that --devices names: some by CUDA's numbers, none, or all where it says nothing.
type deviceList struct {
	numbers []int
	none    bool
}

// noGPUs is the word for none.
const noGPUs = "none"

// Set implements pflag.Value; it reads "0,2" or "none".
func (l *deviceList) Set(text string) error {
	if text == noGPUs {
		*l = deviceList{none: true}
		return nil
	}
	*l = deviceList{}
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("write numbers such as 0,2, or %s", noGPUs)
		}
		l.numbers = append(l.numbers, n)
	}
	return nil
}

// String implements pflag.Value.
func (l *deviceList) String() string {
	if l.none {
		return noGPUs
	}
	words := make([]string, len(l.numbers))
	for i, n := range l.numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// Type implements pflag.Value.
func (l *deviceList) Type() string { return "numbers" }

// engines gives stages these GPUs. Those that are named must be there.
func (l *deviceList) engines() (*stages.Engines, error) {
	if l.none {
		return stages.NewEngines()
	}
	machine := cuda.NewMachine(l.numbers...)
	if len(l.numbers) > 0 && machine.Problem() != nil {
		return nil, invalidInput{fmt.Errorf("--devices %s: %w", l, machine.Problem())}
	}
	return stages.NewEngines(stages.WithMachine(machine))
}
