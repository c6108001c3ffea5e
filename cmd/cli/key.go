package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

func (a *App) key() *cobra.Command {
	cmd := &cobra.Command{
		Use: "key", Short: "Check proving keys, and export their verification keys",
		RunE: func(_ *cobra.Command, args []string) error {
			return usageError{fmt.Errorf("key wants check or export, and a proving key; see proofgraph key --help")}
		},
	}
	cmd.AddCommand(a.keyCheck(), a.keyExport())
	return cmd
}

func (a *App) keyCheck() *cobra.Command {
	var again, asJSON bool
	cmd := &cobra.Command{
		Use:   "check KEY.zkey",
		Short: "Check every point of a proving key for range, curve and subgroup",
		Long: "check reads every point of a key, which takes longer than a proof. A key that passes is remembered by the\n" +
			"digest of its file, under the user's cache directory, and is not checked again.",
		Args: someArgs(1, 1, "a proving key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runKeyCheck(cmd.Context(), args[0], again, asJSON)
		},
	}
	cmd.Flags().BoolVar(&again, "again", false, "check a key that has passed before")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the verdict as JSON")
	return cmd
}

func (a *App) runKeyCheck(ctx context.Context, name string, again, asJSON bool) error {
	key, err := zkey.Open(ctx, name, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	defer key.Close()
	digest := key.Digest() // of what is checked, and not of what the name stands for by now
	mark := passedMark(digest)
	if _, err := os.Stat(mark); err == nil && mark != "" && !again {
		return errors.Join(key.Intact(), a.tellSound(keyDocument{name, digest, true, true}, asJSON))
	}
	if err := a.checkPoints(ctx, key); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := key.Intact(); err != nil {
		return err
	}
	if err := a.tellSound(keyDocument{name, digest, true, false}, asJSON); err != nil {
		return err
	}
	if groth16.IsDevelopmentKey(key) {
		fmt.Fprintln(a.Stderr, insecureNote)
	}
	return remember(mark)
}

func (a *App) checkPoints(ctx context.Context, key *zkey.Key) error {
	draw := a.percent("checking points", false)
	return groth16.CheckKey(ctx, key, runtime.GOMAXPROCS(0), func(done, all int) {
		if draw != nil {
			draw(float64(done) / float64(all))
		}
	})
}

// keyDocument is the verdict on a key of which every point is sound.
type keyDocument struct {
	Key    string `json:"key"`
	SHA256 string `json:"sha256"`
	Sound  bool   `json:"sound"`
	Before bool   `json:"passed_before"`
}

func (a *App) tellSound(d keyDocument, asJSON bool) (err error) {
	switch {
	case asJSON:
		return printJSON(a.Stdout, d)
	case d.Before:
		_, err = fmt.Fprintf(a.Stdout, "%s has passed before (sha256 %s)\n", d.Key, d.SHA256)
	default:
		_, err = fmt.Fprintf(a.Stdout, "%s: every point is on its curve and in its subgroup (sha256 %s)\n", d.Key, d.SHA256)
	}
	return err
}

// passedMark names the file that says that a key has passed; empty where there is no place for it.
func passedMark(digest string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "proofgraph", "checked-keys", digest)
}

func remember(mark string) error {
	if mark == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(mark), 0o700); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o600)
}

func (a *App) keyExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "export KEY.zkey",
		Short: "Print the verification key of a proving key, as snarkjs writes it",
		Args:  someArgs(1, 1, "a proving key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := zkey.Open(cmd.Context(), args[0], runtime.GOMAXPROCS(0))
			if err != nil {
				return err
			}
			defer key.Close()
			vk, err := groth16.ExportVerifyingKey(key)
			if err = cmp.Or(key.Intact(), err); err != nil {
				return err
			}
			return a.writeTo(out, func(to io.Writer) error { return snarkjson.WriteVerifyingKey(to, vk) })
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "-", "the `file` to write; - is stdout")
	return cmd
}
