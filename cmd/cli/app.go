// Package cli is the command line: one file a command. An App is a value with its own streams, so that tests run it as
// users do.
//
// Reading order: App (app.go), exit codes (exit.go), what a command works with (workbench.go, devices.go, load.go), how a
// pipeline is bound to the memory of this machine (limits.go) or of one with other GPUs (assumed_gpus.go), a run
// (session.go), then prove.go and run.go. help.go fits texts to the terminal.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// An App is the program with the streams it talks to.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Terminal says that Stderr is a terminal, where progress may be drawn; Width is its width in columns.
	Terminal bool
	Width    int
	// Columns is the width of Stdout where it is a terminal, and else 0: what is piped keeps its lines.
	Columns int
	// Root is where /proc and /sys are looked for, which say how much memory there is; nil is the system's.
	Root fs.FS
}

// memory finds how much memory this process may use.
func (a *App) memory() (budget.Limit, error) {
	if a.Root != nil {
		return budget.DetectIn(a.Root)
	}
	return budget.Detect()
}

// System gives the App of this process.
func System() *App {
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	columns, _, _ := term.GetSize(int(os.Stdout.Fd())) // 0 where it is no terminal
	return &App{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Terminal: err == nil, Width: width, Columns: columns,
	}
}

// Run carries out a command line and gives the exit code.
func (a *App) Run(args []string) int {
	ctx, stop := interruptible(context.Background(), func() {
		fmt.Fprintf(a.Stderr, "%s\n", complain(errInterrupted))
		os.Exit(exitInterrupted)
	})
	defer stop()
	return a.RunContext(ctx, args)
}

// RunContext is Run under a context, whose end aborts the command.
func (a *App) RunContext(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var said alreadySaid
	if err != nil && !errors.As(err, &said) {
		fmt.Fprintf(a.Stderr, "%s\n", complain(err))
		a.answerInJSON(cmd, err)
	}
	return exitCode(err)
}

// answerInJSON tells an error on stdout too, where a command was asked for JSON and came to nothing else.
func (a *App) answerInJSON(cmd *cobra.Command, err error) {
	if asked, flagErr := cmd.Flags().GetBool("json"); flagErr == nil && asked {
		encoder := json.NewEncoder(a.Stdout)
		_ = encoder.Encode(failureDocument{inWords(err), exitCode(err)}) // stderr has it
	}
}

func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "proofgraph",
		Short: "Groth16 proofs through a pipeline that is a file, within a memory budget",
		Long: "proofgraph makes Groth16 proofs of circom circuits. The proving pipeline is a YAML file that is checked before\n" +
			"anything runs; every large buffer is leased from a budget before it exists.\n\n" + exitCodeHelp,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
	})
	root.AddCommand(
		a.prove(), a.run(), a.verify(), a.check(), a.graph(), a.pipelines(), a.simulate(), a.plan(), a.test(), a.stages(), a.explain(),
		a.setup(), a.key(), a.witness(), a.calldata(), a.doctor(), a.demo(), a.version(),
	)
	fitHelp(root, a.Columns)
	return root
}

// noArgs refuses positional arguments in words.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%s takes no argument %q; see proofgraph %s --help", cmd.Name(), args[0], cmd.Name())}
	}
	return nil
}

// someArgs wants between least and most positional arguments.
func someArgs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usageError{fmt.Errorf("%s wants %s; see proofgraph %s --help", cmd.Name(), what, cmd.Name())}
		}
		return nil
	}
}
