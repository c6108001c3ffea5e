package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// maxDocument bounds the size of a JSON document of a proof or a key.
const maxDocument = 32 << 20

func (a *App) verify() *cobra.Command {
	var vkey, proof, public string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "verify --vkey V --proof P --public U",
		Short:   "Verify a proof",
		Long:    "verify checks a proof against a verification key and public inputs, all as snarkjs writes them. Every point is\nchecked for range, curve and subgroup, every input for range. Exit code 6 says that the proof is not valid.",
		Example: "  proofgraph verify --vkey verification_key.json --proof proof.json --public public.json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			if vkey == "" || proof == "" || public == "" {
				return usageError{errors.New("verify wants --vkey, --proof and --public")}
			}
			return a.runVerify(vkey, proof, public, asJSON)
		},
	}
	cmd.Flags().StringVar(&vkey, "vkey", "", "the verification key, `JSON`")
	cmd.Flags().StringVar(&proof, "proof", "", "the proof, `JSON`")
	cmd.Flags().StringVar(&public, "public", "", "the public inputs, `JSON`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the verdict as JSON")
	return cmd
}

func (a *App) runVerify(vkey, proof, public string, asJSON bool) error {
	err := verifyFiles(vkey, proof, public)
	if asJSON {
		verdict := map[string]any{"valid": err == nil}
		if err != nil {
			verdict["error"] = inWords(err)
		}
		if printErr := printJSON(a.Stdout, verdict); printErr != nil {
			return printErr
		}
		if err != nil {
			return alreadySaid{err}
		}
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(a.Stdout, "the proof is valid")
	return nil
}

func verifyFiles(vkey, proof, public string) error {
	key, err := readDocument(vkey, snarkjson.ReadVerifyingKey)
	if err != nil {
		return err
	}
	p, err := readDocument(proof, snarkjson.ReadProof)
	if err != nil {
		return err
	}
	inputs, err := readDocument(public, snarkjson.ReadPublic)
	if err != nil {
		return err
	}
	if p.Curve != key.Curve {
		return invalidInput{fmt.Errorf("%s is over %s and %s over %s", proof, p.Curve, vkey, key.Curve)}
	}
	return groth16.Verify(key, p, inputs)
}

// readDocument reads and parses a small file.
func readDocument[T any](name string, parse func([]byte) (T, error)) (T, error) {
	var none T
	file, size, err := binfile.OpenRegular(name)
	if err != nil {
		return none, err
	}
	defer file.Close()
	if size > maxDocument {
		return none, invalidInput{fmt.Errorf("%s has %d bytes; such a document has at most %d", name, size, maxDocument)}
	}
	data, err := io.ReadAll(io.LimitReader(file, maxDocument))
	if err != nil {
		return none, err
	}
	value, err := parse(data)
	if err != nil {
		return none, fmt.Errorf("%s: %w", name, err)
	}
	return value, nil
}
