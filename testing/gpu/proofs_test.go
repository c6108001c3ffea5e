//go:build cgo && linux

package gpu_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/circuits"
	"github.com/proofgraph/proofgraph/testing/circuitfiles"
)

// TestProofs makes whole proofs on the GPU, requires the bytes that the CPU makes, and prints what they take.
// PROOFGRAPH_GPU_PROOFS names circuits: a comma-separated list of "curve:family:size-size", sizes being logarithms of
// constraints ("bls12-381:mul:18-22"); a small one by default.
func TestProofs(t *testing.T) {
	open(t) // or skip
	list := os.Getenv("PROOFGRAPH_GPU_PROOFS")
	switch {
	case list == "" && onStandIn():
		list = "bn254:mul:6,bls12-381:mul:5"
	case list == "":
		list = "bn254:poseidon:10,bls12-381:sha256:15"
	}
	fmt.Printf("%-38s %-26s %9s %9s %10s %10s %10s\n", "pipeline", "circuit", "first ms", "one ms", "each of 24", "device MiB", "pinned MiB")
	for entry := range strings.SplitSeq(list, ",") {
		parts := strings.Split(entry, ":")
		require.Len(t, parts, 3, "%q is not curve:family:size", entry)
		_, from, to := parseEntry(t, "x:"+parts[2])
		for logN := from; logN <= to; logN += step(from, to) {
			t.Run(fmt.Sprintf("%s/%s/2^%d", parts[0], parts[1], logN), func(t *testing.T) {
				proveOnAll(t, makeCircuit(t, parts[0], parts[1], logN))
			})
		}
	}
}

// proveOnAll makes the proofs of a circuit by every pipeline that uses a GPU, and compares them with the CPU's.
func proveOnAll(t *testing.T, c circuit) {
	want := c.proofOf(t, newPlant(t, plan{pipeline: "groth16", cpu: true}))
	for _, p := range plansFor(c) {
		t.Run(p.name(), func(t *testing.T) { timeProofs(t, c, p, want) })
	}
}

// plansFor lists what to prove a circuit with.
func plansFor(c circuit) []plan {
	plans := []plan{
		{pipeline: "groth16"}, {pipeline: "gpu-split"}, {pipeline: "gpu-resident"},
		{pipeline: "gpu-resident", sets: []string{"multiples=6"}},
		{pipeline: "gpu-resident", sets: []string{"multiples=13"}},
	}
	if c.Key.Header.DomainSize <= 1<<20 { // larger ones keep the CPU too long
		words := []string{`query: b_g2, backend: cuda, threads: "${copiers}"`, "query: b_g2, backend: cpu"}
		plans = append(plans, plan{pipeline: "gpu-split", edit: words})
	}
	if devices := len(cudabind.Probe().Devices); devices > 1 {
		plans = append(plans, plan{pipeline: "gpu-split", devices: devices}, plan{pipeline: "gpu-resident", devices: devices})
	}
	return plans
}

// timeProofs requires the right proof, then times one proof at a time, and several.
func timeProofs(t *testing.T, c circuit, p plan, want string) {
	plant := newPlant(t, p)
	running := plant.start(t)
	began := time.Now()
	got := running.proof(t, c.Payload(0))
	first := time.Since(began)
	require.Equal(t, want, got, "the CPU's proof, with the same blinding")
	var each []time.Duration
	for i := range 5 {
		began := time.Now()
		running.prove(t, c.Payload(i%len(c.Witnesses)))
		each = append(each, time.Since(began))
	}
	const many = 24
	running.proveMany(t, c, 2*p.devices) // until every device has the key
	several := running.proveMany(t, c, many)
	report := running.close(t)
	fmt.Printf("%-38s %-26s %9.1f %9.1f %10.1f %10d %10d\n", p.name(), c.name, ms(first), ms(middle(each)), ms(several)/many,
		report.peak("device")>>20, report.peak("pinned")>>20)
	for _, s := range report.Stages {
		if testing.Verbose() && s.Finished > 0 {
			fmt.Printf("    %-12s %8.2f ms\n", s.Name, ms(s.Busy)/float64(s.Finished))
		}
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func middle(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// circuit is a circuit in files, with a name for a table.
type circuit struct {
	circuitfiles.Circuit
	name string
}

// makeCircuit makes a circuit of at most 2^logN constraints, its key, and two witnesses.
func makeCircuit(t *testing.T, curve, family string, logN int) circuit {
	id := map[string]ecc.ID{"bn254": ecc.BN254, "bls12-381": ecc.BLS12_381}[curve]
	spec := circuits.Spec{Kind: circuits.Kind(family), Curve: id, Constraints: 1 << logN}
	return circuit{circuitfiles.Make(t, spec, 2), fmt.Sprintf("%s %s 2^%d", curve, family, logN)}
}

// proofOf is the proof of the first witness, made by a plant.
func (c circuit) proofOf(t *testing.T, p plant) string {
	running := p.start(t)
	defer running.close(t)
	return running.proof(t, c.Payload(0))
}
