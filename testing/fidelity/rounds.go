package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// seen is what all rounds saw.
type seen struct {
	rounds   int
	profiles []profile
	runs     map[string][]figure // by the setting's name
	took     time.Duration
}

// A profile is a recording's file, and the cores that others used meanwhile.
type profile struct {
	setting
	file   string
	others float64
}

// twice is how often a round records each setting: what recordings miss, all predictions miss.
const twice = 2

// measure takes all recordings and measurements in turns, each round in an order of its own, until it has taken long
// enough; the first round is finished whatever it takes.
func measure(b *bench, enough time.Duration) (*seen, error) {
	s := &seen{runs: map[string][]figure{}}
	random := rand.New(rand.NewPCG(1, 2))
	began := time.Now()
	for ; ; s.rounds++ {
		for _, i := range random.Perm(twice*len(recordings) + len(settings)) {
			if s.took = time.Since(began); s.rounds > 0 && s.took > enough {
				return s, nil
			}
			if err := s.take(b, i); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(os.Stderr, "fidelity: %d rounds in %s\n", s.rounds+1, time.Since(began).Round(time.Second))
	}
}

// take takes one recording or measurement.
func (s *seen) take(b *bench, i int) error {
	if i < twice*len(recordings) {
		return s.record(b, recordings[i/twice])
	}
	return s.measure(b, settings[i-twice*len(recordings)])
}

func (s *seen) measure(b *bench, setting setting) error {
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
	best := profile{others: 1e9}
	err := b.undisturbed(func() (float64, error) {
		p, err := b.record(r)
		if err == nil && p.others < best.others {
			best = p
		}
		return p.others, err
	})
	s.profiles = append(s.profiles, best)
	return err
}

// files lists the profiles that a pipeline's recordings left: of each size those that others did not disturb, or all where
// they disturbed each.
func (s *seen) files(pipeline string) (files []string) {
	for _, p := range s.profiles {
		if p.pipeline == pipeline && (p.others <= noise || !s.undisturbed(p.setting)) {
			files = append(files, p.file)
		}
	}
	return files
}

// undisturbed says whether others left a recording of a setting alone.
func (s *seen) undisturbed(r setting) bool {
	return slices.ContainsFunc(s.profiles, func(p profile) bool { return p.name() == r.name() && p.others <= noise })
}
