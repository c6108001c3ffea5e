// Command fidelity holds simulations to real runs: it records profiles of two sizes of a circuit, one body at a time,
// simulates settings (pipelines, lanes, batches, budgets and other sizes) from these, runs the same for real, and prints both
// side by side.
//
//	fidelity [-minutes 8] PROOFGRAPH DIR     the binary, and a folder for circuits, keys and witnesses
//
// Machines drift: the processor time of one and the same run wanders by a fifth here within minutes, with nothing else
// running. So recordings and measurements alternate in rounds of random order, medians are compared with medians, and the
// spread of the measurements is printed beside. What other processes use meanwhile is watched (quiet.go): a run waits for
// a quiet moment, and one that was disturbed is tried again.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	minutes := flag.Float64("minutes", 8, "how long to measure; the first round is finished")
	patience := flag.Duration("patience", 2*time.Minute, "how long all runs together wait for quiet moments")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, "usage: fidelity [-minutes 8] [-patience 2m] PROOFGRAPH DIR") }
	flag.Parse()
	if flag.NArg() != 2 || *minutes <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	b := bench{proofgraph: flag.Arg(0), dir: flag.Arg(1), patience: *patience}
	if err := compare(&b, time.Duration(*minutes*float64(time.Minute))); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func compare(b *bench, enough time.Duration) error {
	if err := b.makeFiles(); err != nil {
		return err
	}
	seen, err := measure(b, enough)
	if err != nil {
		return err
	}
	var rows []row
	for _, s := range settings {
		guess, err := b.simulate(s, seen.files(s.from), len(seen.runs[s.name()]))
		if err != nil {
			return err
		}
		rows = append(rows, row{s, guess, seen.runs[s.name()]})
	}
	return printTable(os.Stdout, rows, seen)
}
