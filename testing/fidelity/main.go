// Command fidelity holds simulations to real runs: it records a profile of one circuit at one setting, simulates others
// (another size, other pipelines, lanes, batches and budgets), runs the same for real, and prints both side by side.
//
//	fidelity PROOFGRAPH DIR     the binary, and a folder for circuits, keys and witnesses
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// Sizes of the circuit that the profile is recorded on, and of the other one.
const (
	recorded = 1 << 16
	other    = 1 << 17
	batch    = 32
	rounds   = 3
)

// A setting is one row.
type setting struct {
	size     int
	pipeline string
	jobs     int
	memory   string
	set      []string
}

var settings = []setting{
	{recorded, "groth16", 1, "1GiB", nil},
	{recorded, "groth16", 8, "1GiB", nil},
	{recorded, "groth16", 32, "1GiB", nil},
	{recorded, "groth16", 16, "1GiB", []string{"lanes=1"}},
	{recorded, "groth16", 16, "1GiB", []string{"lanes=3"}},
	{recorded, "groth16", 16, "1GiB", []string{"lanes=4"}},
	{recorded, "groth16", 16, "24MiB", nil},
	{recorded, "batch", 32, "1GiB", nil},
	{recorded, "serial", 8, "1GiB", nil},
	{recorded, "lowmem", 8, "1GiB", nil},
	{recorded, "split", 16, "1GiB", nil},
	{other, "groth16", 16, "1GiB", nil},
	{other, "batch", 16, "64MiB", nil},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: fidelity PROOFGRAPH DIR")
		os.Exit(2)
	}
	if err := compare(bench{os.Args[1], os.Args[2]}); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

// bench is the binary under test and where its files lie.
type bench struct{ proofgraph, dir string }

func compare(b bench) error {
	for _, size := range []int{recorded, other} {
		if err := b.makeFiles(size); err != nil {
			return err
		}
	}
	profiles := map[string]string{}
	fmt.Println("| constraints | pipeline | jobs | budget | set | s a proof: simulated | measured | off | peak MiB: simulated | measured | off |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, s := range settings {
		profile := profiles[s.pipeline]
		if profile == "" {
			var err error
			if profile, err = b.record(s.pipeline); err != nil {
				return err
			}
			profiles[s.pipeline] = profile
		}
		if err := b.row(s, profile); err != nil {
			return err
		}
	}
	return nil
}

func (b bench) folder(size int) string { return filepath.Join(b.dir, strconv.Itoa(size)) }

func (b bench) key(size int) string {
	return filepath.Join(b.folder(size), fmt.Sprintf("poseidon-bn254-%d.insecure.zkey", size))
}

func (b bench) makeFiles(size int) error {
	if _, err := os.Stat(b.key(size)); err == nil {
		return nil
	}
	_, err := b.run("demo", "--dir", b.folder(size), "--constraints", strconv.Itoa(size), "--batch", strconv.Itoa(batch), "--quiet")
	return err
}

// record records a pipeline on the first circuit at its written setting.
func (b bench) record(pipeline string) (string, error) {
	profile := filepath.Join(b.dir, pipeline+".profile.yaml")
	args := append(b.prove(setting{recorded, pipeline, 12, "1GiB", nil}), "--quiet", "--record-profile", profile)
	_, err := b.run(args...)
	return profile, err
}

func (b bench) prove(s setting) []string {
	args := []string{"prove", "--zkey", b.key(s.size), "--out", filepath.Join(b.dir, "proofs"), "--pipeline", s.pipeline, "--memory", s.memory}
	for _, set := range s.set {
		args = append(args, "--set", set)
	}
	for i := range s.jobs {
		args = append(args, "--wtns", filepath.Join(b.folder(s.size), fmt.Sprintf("poseidon-bn254-%d-%d.wtns", s.size, i+1)))
	}
	return args
}

func (b bench) simulate(s setting, profile string) []string {
	args := []string{"simulate", s.pipeline, "--profile", profile, "--json", "--zkey", b.key(s.size), "--jobs", strconv.Itoa(s.jobs), "--memory", s.memory}
	for _, set := range s.set {
		args = append(args, "--set", set)
	}
	return args
}

func (b bench) row(s setting, profile string) error {
	var simulated []struct {
		Seconds float64 `json:"seconds_per_job"`
		Pools   []struct {
			Leased int64 `json:"peak_leased"`
		} `json:"pools"`
	}
	if err := b.decode(&simulated, b.simulate(s, profile)...); err != nil {
		return err
	}
	seconds, peak, err := b.measure(s)
	if err != nil {
		return err
	}
	mib := func(bytes int64) float64 { return float64(bytes) / (1 << 20) }
	guess := simulated[0]
	fmt.Printf("| %d | %s | %d | %s | %v | %.3f | %.3f | %+.0f %% | %.1f | %.1f | %+.1f %% |\n", s.size, s.pipeline, s.jobs, s.memory,
		s.set, guess.Seconds, seconds, 100*(guess.Seconds/seconds-1), mib(guess.Pools[0].Leased), mib(peak),
		100*(mib(guess.Pools[0].Leased)/mib(peak)-1))
	return nil
}

// measure runs a setting some times and gives the median of the seconds a proof, and the greatest peak.
func (b bench) measure(s setting) (seconds float64, peak int64, err error) {
	var all []float64
	for range rounds {
		var report struct {
			Wall  float64 `json:"wall"`
			Pools []struct {
				HighWater int64 `json:"high_water"`
			} `json:"pools"`
		}
		if err := b.decode(&report, append(b.prove(s), "--json")...); err != nil {
			return 0, 0, err
		}
		all = append(all, report.Wall/float64(s.jobs))
		peak = max(peak, report.Pools[0].HighWater)
	}
	slices.Sort(all)
	return all[len(all)/2], peak, nil
}

func (b bench) decode(into any, args ...string) error {
	out, err := b.run(args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, into)
}

func (b bench) run(args ...string) ([]byte, error) {
	cmd := exec.Command(b.proofgraph, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", args, err)
	}
	return out, nil
}
