package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/witness"
	"github.com/proofgraph/proofgraph/stages"
)

func (a *App) witness() *cobra.Command {
	var wasm, input, out string
	cmd := &cobra.Command{
		Use:   "witness --wasm C --input I --out W.wtns",
		Short: "Compute a witness and write it to a file",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if wasm == "" || input == "" || out == "" {
				return usageError{errors.New("witness wants --wasm, --input and --out")}
			}
			return a.runWitness(cmd.Context(), wasm, input, out)
		},
	}
	cmd.Flags().StringVar(&wasm, "wasm", "", "the circuit's witness generator, as circom makes it")
	cmd.Flags().StringVar(&input, "input", "", "the inputs, `JSON`")
	cmd.Flags().StringVar(&out, "out", "", "the `file` to write")
	return cmd
}

func (a *App) runWitness(ctx context.Context, wasm, input, out string) error {
	bench, err := newWorkbench()
	if err != nil {
		return err
	}
	defer bench.close()
	generator, err := bench.generators.Open(ctx, wasm)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(input)
	if err != nil {
		return err
	}
	inputs, err := witness.ParseInputs(text)
	if err != nil {
		return fmt.Errorf("%s: %w", input, err)
	}
	values := int64(generator.Length) * curve.ScalarSize
	lease, err := a.leaseAlone(values + generator.MemoryNeed())
	if err != nil {
		return err
	}
	defer lease.Release()
	memory := lease.Bytes()
	if err := generator.Calculate(ctx, inputs, memory[:values:values], memory[values:]); err != nil {
		return fmt.Errorf("%s: %w", input, err)
	}
	return stages.WriteWhole(out, func(to io.Writer) error { return wtns.Write(to, generator.Curve, memory[:values]) })
}
