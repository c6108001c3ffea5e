package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/stages"
)

const insecureNote = "This is a development key. Whoever made it could have kept the secrets behind it and forge proofs:\n" +
	"use it for tests, never for anything of value."

type setupFlags struct {
	r1cs, out string
	files     keyFiles
	quiet     bool
}

func (a *App) setup() *cobra.Command {
	f := &setupFlags{}
	cmd := &cobra.Command{
		Use:   "setup --r1cs CIRCUIT.r1cs --out DIR",
		Short: "Make an INSECURE development key for a circuit",
		Long: "setup makes a proving key and its verification key from an .r1cs: DIR/CIRCUIT.insecure.zkey and\n" +
			"DIR/CIRCUIT.insecure.vkey.json, or the files that --zkey and --vkey name.\n\n" + insecureNote,
		Example: "  proofgraph setup --r1cs circuit.r1cs --out keys",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.complete(); err != nil {
				return err
			}
			if err := a.makeKey(cmd.Context(), f.r1cs, f.files, f.quiet); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s\n%s\n", f.files.zkey, f.files.vkey)
			fmt.Fprintln(a.Stderr, insecureNote)
			return nil
		},
	}
	cmd.Flags().StringVar(&f.r1cs, "r1cs", "", "the circuit, as circom makes it")
	cmd.Flags().StringVar(&f.out, "out", "", "the `directory` for the keys; it is made if need be")
	cmd.Flags().StringVar(&f.files.zkey, "zkey", "", "the `file` for the proving key; its name must say insecure")
	cmd.Flags().StringVar(&f.files.vkey, "vkey", "", "the `file` for the verification key")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
	return cmd
}

// complete names the files that the flags do not name.
func (f *setupFlags) complete() error {
	if f.r1cs == "" || f.out == "" && (f.files.zkey == "" || f.files.vkey == "") {
		return usageError{errors.New("setup wants --r1cs, the circuit, and --out, a directory (or --zkey and --vkey)")}
	}
	named := keyFilesOf(f.r1cs, f.out)
	f.files.zkey, f.files.vkey = cmp.Or(f.files.zkey, named.zkey), cmp.Or(f.files.vkey, named.vkey)
	if !strings.Contains(filepath.Base(f.files.zkey), "insecure") {
		return usageError{fmt.Errorf("%s: the name of a development key must say that it is insecure", f.files.zkey)}
	}
	return nil
}

// keyFiles are the files of a development key.
type keyFiles struct{ zkey, vkey string }

// keyFilesOf names the files of a circuit's development key in a directory.
func keyFilesOf(circuit, dir string) keyFiles {
	base := filepath.Join(dir, strings.TrimSuffix(filepath.Base(circuit), filepath.Ext(circuit))+".insecure")
	return keyFiles{base + ".zkey", base + ".vkey.json"}
}

// makeKey makes a development key of a circuit.
func (a *App) makeKey(ctx context.Context, circuit string, files keyFiles, quiet bool) error {
	system, err := r1cs.Open(ctx, circuit)
	if err != nil {
		return err
	}
	defer system.Close()
	for _, file := range []string{files.zkey, files.vkey} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
	}
	if err := a.writeKey(ctx, system, files.zkey, quiet); err != nil {
		return err
	}
	return exportKey(ctx, files)
}

// writeKey makes the key in memory of a budget of its own, into a temporary file that is then renamed.
func (a *App) writeKey(ctx context.Context, system *r1cs.System, name string, quiet bool) error {
	header, err := groth16.SetupHeader(system)
	if err != nil {
		return err
	}
	threads := runtime.GOMAXPROCS(0)
	lease, err := a.leaseAlone(groth16.SetupNeed(header, threads).Scratch)
	if err != nil {
		return err
	}
	defer lease.Release()
	return stages.WriteWhole(name, func(to io.Writer) error {
		err := groth16.Setup(ctx, system, to, lease.Bytes(), threads, a.percent("making the key", quiet))
		return cmp.Or(system.Intact(), err)
	})
}

// leaseAlone leases memory for a command that is no pipeline, within what the machine has free.
func (a *App) leaseAlone(bytes int64) (*budget.Lease, error) {
	limit, err := a.memory()
	if err != nil {
		return nil, err
	}
	tracker, err := budget.New([]budget.Pool{{Name: "host", Limit: limit.Free}}, []budget.Class{{Name: "setup"}}, budget.WithHugePages())
	if err != nil {
		return nil, err
	}
	return tracker.Lease(0, bytes, "setup")
}

// exportKey writes the verification key of a proving key.
func exportKey(ctx context.Context, files keyFiles) error {
	key, err := zkey.Open(ctx, files.zkey, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	defer key.Close()
	vk, err := groth16.ExportVerifyingKey(key)
	if err != nil {
		return err
	}
	var document bytes.Buffer
	if err := snarkjson.WriteVerifyingKey(&document, vk); err != nil {
		return err
	}
	return stages.WriteWhole(files.vkey, func(to io.Writer) error {
		_, err := document.WriteTo(to)
		return err
	})
}

// percent gives a function that draws how much of a piece of work is done, on a terminal.
func (a *App) percent(what string, quiet bool) func(float64) {
	if !a.Terminal || quiet {
		return nil
	}
	return func(share float64) {
		end := ""
		if share >= 1 {
			end = "\n"
		}
		fmt.Fprintf(a.Stderr, "\r%s: %3.0f %%%s", what, 100*share, end)
	}
}
