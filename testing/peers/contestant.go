package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// batchSize is the number of witnesses in a batch.
const batchSize = 8

// contestant is one way to prove the witnesses of a circuit's folder.
type contestant struct {
	name    string
	rounds  int  // it takes part in the first so many
	batch   bool // all witnesses, not the first alone
	command func(dir, out string, witnesses []string) []string
	seconds func(usage) (float64, error)
	proof   string // what it leaves in out for snarkjs' verifier, if it does
}

// sample is one run of a contestant.
type sample struct {
	seconds float64
	peakRSS int64
}

func wholeProcess(u usage) (float64, error) { return u.wall.Seconds(), nil }

// proveCalls takes the time of gnark's Prove calls alone, without loading circuit and keys.
func proveCalls(u usage) (total float64, err error) {
	var report gnarkReport
	if err := json.Unmarshal(u.stdout, &report); err != nil {
		return 0, fmt.Errorf("report of peers gnark: %w", err)
	}
	for _, s := range report.ProveSeconds {
		total += s
	}
	return total, nil
}

// contestants returns who takes part; a peer without a path stays away.
func contestants(s settings) []contestant {
	all := []contestant{
		{name: "proofgraph", rounds: s.rounds, seconds: wholeProcess, command: s.proofgraphCommand, proof: "proof.json"},
		{name: "gnark", rounds: s.rounds, seconds: proveCalls, command: s.gnarkCommand},
		{name: "proofgraph batch", rounds: s.rounds, batch: true, seconds: wholeProcess, command: s.proofgraphCommand},
		{name: "gnark batch", rounds: s.rounds, batch: true, seconds: proveCalls, command: s.gnarkCommand},
	}
	if s.rapidsnark != "" {
		all = append(all, contestant{name: "rapidsnark", rounds: s.rounds, seconds: wholeProcess,
			command: s.circomCommand(s.rapidsnark), proof: "proof.json"})
	}
	if s.snarkjs != "" {
		all = append(all, contestant{name: "snarkjs", rounds: min(s.rounds, s.snarkjsRounds), seconds: wholeProcess,
			command: s.circomCommand("node", s.snarkjs, "groth16", "prove"), proof: "proof.json"})
	}
	return all
}

func (s settings) proofgraphCommand(dir, out string, witnesses []string) []string {
	argv := []string{s.proofgraph, "prove", "--zkey", filepath.Join(dir, "key.insecure.zkey"), "--out", out}
	for _, w := range witnesses {
		argv = append(argv, "--wtns", w)
	}
	return argv
}

func (s settings) gnarkCommand(dir, _ string, witnesses []string) []string {
	argv := []string{s.self, "gnark", "-r1cs", filepath.Join(dir, "circuit.r1cs"), "-keys", dir}
	return append(argv, witnesses...)
}

// circomCommand is the form that snarkjs and rapidsnark share: key, witness, proof, public signals.
func (s settings) circomCommand(program ...string) func(dir, out string, witnesses []string) []string {
	return func(dir, out string, witnesses []string) []string {
		argv := append([]string{}, program...)
		return append(argv, filepath.Join(dir, "key.insecure.zkey"), witnesses[0],
			filepath.Join(out, "proof.json"), filepath.Join(out, "public.json"))
	}
}

// run proves once, into a folder of its own, and has the proof verified.
func (c contestant) run(ctx context.Context, s settings, dir string) (sample, error) {
	witnesses, err := witnessesOf(dir, c.batch)
	if err != nil {
		return sample{}, err
	}
	out, err := os.MkdirTemp("", "peers-*")
	if err != nil {
		return sample{}, err
	}
	defer os.RemoveAll(out)
	u, err := measure(ctx, c.command(dir, out, witnesses))
	if err != nil {
		return sample{}, err
	}
	if c.proof != "" {
		if err := s.verify(ctx, dir, out, c.proof); err != nil {
			return sample{}, fmt.Errorf("%s left a proof that does not verify: %w", c.name, err)
		}
	}
	seconds, err := c.seconds(u)
	return sample{seconds, u.peakRSS}, err
}

func witnessesOf(dir string, batch bool) ([]string, error) {
	n := 1
	if batch {
		n = batchSize
	}
	paths := make([]string, n)
	for i := range paths {
		paths[i] = filepath.Join(dir, fmt.Sprintf("%d.wtns", i+1))
		if _, err := os.Stat(paths[i]); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// verify asks gnark's verifier, in a process of its own (see measure).
func (s settings) verify(ctx context.Context, dir, out, proof string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err := measure(ctx, []string{s.self, "verify", "-vkey", filepath.Join(dir, "vkey.json"),
		"-proof", filepath.Join(out, proof), "-public", filepath.Join(out, "public.json")})
	return err
}
