package cuda

import (
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// Sums over a witness choose their windows for the scalars that are neither 0 nor 1: all of them, a half, a quarter, down
// to one in 2^sparsest. Fewer than that cost little whatever the windows are.
const sparsest = 6

// mostPairs is what the kernels can count: every window of every scalar.
const mostPairs = 1 << 32

// configs are the configurations that a sum of n terms may be made with, from all scalars dense to fewest.
func (s Sum) configs(n int) ([]cudabind.MSMConfig, error) {
	base := s.Bases.config()
	base.ScalarsMontgomery = s.Form == engine.Montgomery
	most := 0
	if s.Sparse && !s.Bases.hasTable() {
		most = sparsest
	}
	var all []cudabind.MSMConfig
	for halvings := 0; halvings == 0 || halvings <= most && n>>halvings > 0; halvings++ {
		config, err := configure(base, n>>halvings)
		if err != nil {
			return nil, fmt.Errorf("windows for %d scalars: %w", n>>halvings, err)
		}
		if pairs := int64(n) * int64(windows(config)); pairs >= mostPairs {
			break
		}
		all = append(all, config)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: %d terms are more than one sum can count: cut it into slices", engine.ErrOperand, n)
	}
	return all, nil
}

// windows bounds the windows of a scalar from above.
func windows(c cudabind.MSMConfig) int {
	return (8*cudabind.ScalarBytes + c.WindowBits - 1) / c.WindowBits
}

// chooseConfig gives the configuration for sums of n terms of which dense have scalars that are neither 0 nor 1.
func chooseConfig(configs []cudabind.MSMConfig, n, dense int) cudabind.MSMConfig {
	halvings := 0
	for halvings+1 < len(configs) && n>>(halvings+1) >= dense {
		halvings++
	}
	return configs[halvings]
}

// mostScratch and mostResult are the bytes that serve any of the configurations.
func mostScratch(configs []cudabind.MSMConfig, n int) (most int64) {
	for _, c := range configs {
		most = max(most, int64(c.ScratchBytes(n)))
	}
	return most
}

func mostResult(configs []cudabind.MSMConfig) (most int64) {
	for _, c := range configs {
		most = max(most, int64(c.ResultBytes()))
	}
	return most
}
