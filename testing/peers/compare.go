package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

// settings say which programs take part and how often.
type settings struct {
	proofgraph, rapidsnark, snarkjs, self string
	rounds, snarkjsRounds                 int
}

// runCompare times every contestant on every folder, interleaved, and prints a Markdown table.
// A folder holds circuit.r1cs, key.insecure.zkey, vkey.json and 1.wtns to 8.wtns; its name is the row's.
func runCompare(args []string) error {
	var s settings
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.StringVar(&s.proofgraph, "proofgraph", "proofgraph", "binary to measure")
	flags.StringVar(&s.rapidsnark, "rapidsnark", "", "rapidsnark's prover; it stays away when not given")
	flags.StringVar(&s.snarkjs, "snarkjs", "", "snarkjs' cli.cjs; it stays away when not given")
	flags.IntVar(&s.rounds, "rounds", 5, "runs of each; the median counts")
	flags.IntVar(&s.snarkjsRounds, "snarkjs-rounds", 1, "runs of snarkjs, which takes minutes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if s.self, err = os.Executable(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return compareAll(ctx, s, flags.Args())
}

func compareAll(ctx context.Context, s settings, dirs []string) error {
	var rows []row
	for _, dir := range dirs {
		r, err := compareOn(ctx, s, dir)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	return writeTable(os.Stdout, rows)
}

// compareOn takes turns: whatever else the machine does disturbs all alike. gnark's first run, which
// may make its keys, does not count.
func compareOn(ctx context.Context, s settings, dir string) (row, error) {
	r := row{circuit: filepath.Base(dir), samples: map[string][]sample{}}
	if err := warm(ctx, s, dir); err != nil {
		return r, err
	}
	all := contestants(s)
	for round := range s.rounds {
		for _, c := range all {
			if round >= c.rounds {
				continue
			}
			got, err := c.run(ctx, s, dir)
			if err != nil {
				return r, err
			}
			fmt.Fprintf(os.Stderr, "%s, round %d: %s %.3f s, %d MiB\n", r.circuit, round+1, c.name, got.seconds, got.peakRSS>>20)
			r.samples[c.name] = append(r.samples[c.name], got)
		}
	}
	return r, nil
}

// warm has gnark make its keys if they are missing, and the files read once.
func warm(ctx context.Context, s settings, dir string) error {
	_, err := measure(ctx, s.gnarkCommand(dir, "", nil))
	return err
}
