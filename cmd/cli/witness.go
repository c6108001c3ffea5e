package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
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
	need, err := stages.StatModule(wasm)
	if err != nil {
		return err
	}
	lease, err := a.leaseAlone(need.Memory) // before it is compiled
	if err != nil {
		return err
	}
	defer lease.Release()
	generator, err := bench.generators.Open(ctx, wasm, need)
	if err != nil {
		return err
	}
	defer generator.Close()
	return a.computeWitness(ctx, generator, lease.Bytes(), input, out)
}

// computeWitness writes the witness of an input; memory is the generator's.
func (a *App) computeWitness(ctx context.Context, generator *stages.Generator, memory []byte, input, out string) error {
	sizes, err := generator.Sizes(ctx, memory)
	if err != nil {
		return err
	}
	lease, err := a.leaseAlone(int64(sizes.Length) * curve.ScalarSize)
	if err != nil {
		return err
	}
	defer lease.Release()
	inputs, _, err := binfile.OpenRegular(input)
	if err != nil {
		return err
	}
	defer inputs.Close()
	if err := generator.Calculate(ctx, inputs, lease.Bytes(), memory); err != nil {
		return fmt.Errorf("%s: %w", input, err)
	}
	return stages.WriteWhole(out, func(to io.Writer) error { return wtns.Write(to, sizes.Curve, lease.Bytes()) })
}
