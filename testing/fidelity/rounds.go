package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// seen is what all rounds saw.
type seen struct {
	rounds   int
	profiles map[string][]string // files, by the pipeline that was recorded
	runs     map[string][]figure // by the setting's name
	took     time.Duration
}

// fewest is how many rounds there are at least.
const fewest = 3

// measure takes all recordings and measurements in turns, each round in an order of its own, until it has taken long
// enough.
func measure(b *bench, enough time.Duration) (*seen, error) {
	s := &seen{profiles: map[string][]string{}, runs: map[string][]figure{}}
	random := rand.New(rand.NewPCG(1, 2))
	began := time.Now()
	for ; s.rounds < fewest || s.took < enough; s.rounds++ {
		for _, i := range random.Perm(len(recordings) + len(settings)) {
			if err := s.take(b, i); err != nil {
				return nil, err
			}
		}
		s.took = time.Since(began)
		fmt.Fprintf(os.Stderr, "fidelity: %d rounds in %s\n", s.rounds+1, s.took.Round(time.Second))
	}
	return s, nil
}

// take takes one recording or measurement.
func (s *seen) take(b *bench, i int) error {
	if i < len(recordings) {
		return s.record(b, recordings[i])
	}
	setting := settings[i-len(recordings)]
	best := figure{others: 1e9}
	err := b.undisturbed(func() (float64, error) {
		f, err := b.measure(setting)
		if err == nil && f.others < best.others {
			best = f
		}
		return f.others, err
	})
	s.runs[setting.name()] = append(s.runs[setting.name()], best)
	return err
}

func (s *seen) record(b *bench, r setting) error {
	var file string
	err := b.undisturbed(func() (others float64, err error) {
		file, others, err = b.record(r, s.rounds)
		return others, err
	})
	s.profiles[r.pipeline] = append(s.profiles[r.pipeline], file)
	return err
}
