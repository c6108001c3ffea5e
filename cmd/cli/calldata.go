package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
)

func (a *App) calldata() *cobra.Command {
	var proof, public string
	cmd := &cobra.Command{
		Use:   "calldata --proof P --public U",
		Short: "Print the arguments of the Solidity verifier for a proof",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if proof == "" || public == "" {
				return usageError{errors.New("calldata wants --proof and --public")}
			}
			p, err := readDocument(proof, snarkjson.ReadProof)
			if err != nil {
				return err
			}
			inputs, err := readDocument(public, snarkjson.ReadPublic)
			if err != nil {
				return err
			}
			line, err := snarkjson.SolidityCalldata(p, inputs)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Stdout, line)
			return err
		},
	}
	cmd.Flags().StringVar(&proof, "proof", "", "the proof, `JSON`")
	cmd.Flags().StringVar(&public, "public", "", "the public inputs, `JSON`")
	return cmd
}
