package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// bench is the binary under test, where its files lie, and how long it still waits for quiet moments.
type bench struct {
	proofgraph, dir string
	patience        time.Duration
	recorded        int // profiles so far
}

// A figure is what a run came to, measured or simulated.
type figure struct {
	seconds float64 // a proof
	peak    float64 // bytes of leases, of the pool host
	others  float64 // cores that others used meanwhile
}

func (f figure) ofSeconds() float64 { return f.seconds }
func (f figure) ofPeak() float64    { return f.peak }

func (b *bench) folder(size int) string { return filepath.Join(b.dir, strconv.Itoa(size)) }

func (b *bench) key(size int) string {
	return filepath.Join(b.folder(size), fmt.Sprintf("poseidon-bn254-%d.insecure.zkey", size))
}

// makeFiles makes the circuits, keys and witnesses that are not there.
func (b *bench) makeFiles() error {
	for _, size := range sizes() {
		last := filepath.Join(b.folder(size), fmt.Sprintf("poseidon-bn254-%d-%d.wtns", size, batch))
		if _, err := os.Stat(last); err == nil {
			continue
		}
		demo := []string{"demo", "--dir", b.folder(size), "--constraints", strconv.Itoa(size), "--batch", strconv.Itoa(batch), "--quiet"}
		if _, _, err := b.run(demo...); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(b.dir, "profiles"), 0o755)
}

func (b *bench) prove(s setting) []string {
	args := append([]string{"prove", "--zkey", b.key(s.size), "--out", filepath.Join(b.dir, "proofs"), "--pipeline", s.pipeline, "--json"}, s.flags()...)
	for i := range s.jobs {
		args = append(args, "--wtns", filepath.Join(b.folder(s.size), fmt.Sprintf("poseidon-bn254-%d-%d.wtns", s.size, i+1)))
	}
	return args
}

func (s setting) flags() []string {
	flags := []string{"--memory", s.memory}
	for _, set := range s.set {
		flags = append(flags, "--set", set)
	}
	return flags
}

// record runs a setting and gives its profile, in a file of its own.
func (b *bench) record(s setting) (profile, error) {
	b.recorded++
	file := filepath.Join(b.dir, "profiles", fmt.Sprintf("%s-%d-%d.yaml", s.pipeline, s.size, b.recorded))
	_, others, err := b.run(append(b.prove(s), "--quiet", "--record-profile", file)...)
	return profile{s, file, others}, err
}

// brief is the seconds that a measurement should take at least: shorter runs are repeated.
const brief = 1.0

// measure runs a setting, several times if it is brief, and gives the mean seconds and the greatest peak.
func (b *bench) measure(s setting) (figure, error) {
	var sum figure
	var wall float64
	runs := 0.0
	for ; wall < brief; runs++ {
		var report struct {
			Wall  float64
			Pools []struct {
				HighWater float64 `json:"high_water"`
			}
		}
		others, err := b.decode(&report, b.prove(s)...)
		if err != nil {
			return figure{}, err
		}
		wall += report.Wall
		sum.others += others
		sum.peak = max(sum.peak, report.Pools[0].HighWater)
	}
	return figure{wall / runs / float64(s.jobs), sum.peak, sum.others / runs}, nil
}

// simulate predicts a setting from profiles, as often as it was measured, each time with other luck, and gives the medians.
func (b *bench) simulate(s setting, profiles []string, times int) (figure, error) {
	args := append([]string{"simulate", s.pipeline, "--json", "--zkey", b.key(s.size), "--jobs", strconv.Itoa(s.jobs)}, s.flags()...)
	for _, p := range profiles {
		args = append(args, "--profile", p)
	}
	var all []figure
	for seed := range times {
		var results []struct {
			Seconds float64 `json:"seconds_per_job"`
			Pools   []struct {
				Leased float64 `json:"peak_leased"`
			}
		}
		if _, err := b.decode(&results, append(args, "--seed", strconv.Itoa(seed+1))...); err != nil {
			return figure{}, err
		}
		all = append(all, figure{seconds: results[0].Seconds, peak: results[0].Pools[0].Leased})
	}
	return figure{seconds: median(all, figure.ofSeconds), peak: median(all, figure.ofPeak)}, nil
}

func (b *bench) decode(into any, args ...string) (others float64, err error) {
	out, others, err := b.run(args...)
	if err != nil {
		return 0, err
	}
	return others, json.Unmarshal(out, into)
}

// run runs the program and gives what it printed, and the cores that others used meanwhile.
func (b *bench) run(args ...string) (out []byte, others float64, err error) {
	cmd := exec.Command(b.proofgraph, args...)
	cmd.Stderr = os.Stderr
	w, err := newWatch()
	if err != nil {
		return nil, 0, err
	}
	if out, err = cmd.Output(); err != nil {
		return nil, 0, fmt.Errorf("%v: %w", args[:min(len(args), 8)], err)
	}
	others, err = w.others(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime())
	return out, others, err
}

// median gives the median of what figures say.
func median(figures []figure, of func(figure) float64) float64 {
	var all []float64
	for _, f := range figures {
		all = append(all, of(f))
	}
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}
