package stages_test

import (
	"bytes"
	"context"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/stages"
)

// square is a proof that y = x·x with both public: query l has no terms. Wires: 1, y, x.
func square(t *testing.T, id curve.ID) *stages.Payload {
	one := make([]byte, curve.ScalarSize)
	one[0] = 1
	var section []byte
	for _, wire := range []int{2, 2, 1} {
		section = r1cs.Append(section, []int{wire}, [][]byte{one})
	}
	var system, key, witness bytes.Buffer
	h := r1cs.Header{Curve: id, Wires: 3, Outputs: 1, Inputs: 1, Labels: 3, Constraints: 1}
	require.NoError(t, r1cs.Write(&system, h, int64(len(section)), func(w io.Writer) error {
		_, err := w.Write(section)
		return err
	}))
	s, err := r1cs.Parse(context.Background(), system.Bytes())
	require.NoError(t, err)
	header, err := groth16.SetupHeader(s)
	require.NoError(t, err)
	require.NoError(t, groth16.Setup(context.Background(), s, &key, make([]byte, groth16.SetupNeed(header, 1).Scratch), 1, nil))
	values := make([]byte, 3*curve.ScalarSize)
	for i, v := range []int64{1, 9, 3} {
		curve.PutLittleEndian(values[i*curve.ScalarSize:][:curve.ScalarSize], big.NewInt(v))
	}
	require.NoError(t, wtns.Write(&witness, id, values))
	return written(t, key.Bytes(), witness.Bytes())
}

func written(t *testing.T, key, witness []byte) *stages.Payload {
	dir := t.TempDir()
	p := &stages.Payload{Wtns: filepath.Join(dir, "square.wtns")}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "square.zkey"), key, 0o600))
	require.NoError(t, os.WriteFile(p.Wtns, witness, 0o600))
	var err error
	p.Key, err = stages.StatKey(filepath.Join(dir, "square.zkey"))
	require.NoError(t, err)
	return p
}

func TestSumsWithoutTerms(t *testing.T) {
	for _, id := range curve.All() {
		p := square(t, id)
		want := newWorkshop(t).sums(summing("backend: gnark", ""), p)
		require.Equal(t, make([]byte, id.PointSize(curve.G1)), want["msm_l.sum"])
		for _, source := range []string{summing("backend: cuda", ""), summing("bases: device, multiples: 2", "multiples: 2")} {
			require.Equal(t, want, newWorkshop(t).sums(source, p), id)
		}
	}
}

func TestMultiplesAreOfBasesOnADevice(t *testing.T) {
	_, err := newWorkshop(t).load(summing("backend: cuda, multiples: 2", ""))
	require.ErrorContains(t, err, "only bases on a device have multiples")
	_, err = newWorkshop(t).load(head + "  d: { kind: groth16.load_device, part: domain, multiples: 2 }\nedges: []\n")
	require.ErrorContains(t, err, "only bases have multiples")
}

func TestDistinctCoefficientsAreOfConstraints(t *testing.T) {
	for _, part := range []string{"a", "domain"} {
		_, err := newWorkshop(t).load(head + "  d: { kind: groth16.load_device, part: " + part + ", distinct: 2 }\nedges: []\n")
		require.ErrorContains(t, err, "only constraints have coefficients", part)
	}
}

// Items are placed on one of two devices, which have bases and scratch of their own.
func TestSumsOnTwoDevices(t *testing.T) {
	w := newWorkshop(t, standin.Devices(2))
	p := payload(t, "bn254", "two")
	want := w.sums(summing("backend: gnark", ""), p)
	w.options = []program.Option{program.Devices(2)}
	for _, sums := range w.sumsOf(summing("backend: cuda, bases: device, async: true, pending: 3", "multiples: 1"), p, p, p, p) {
		require.Equal(t, want, sums)
	}
	for _, pool := range w.report.Memory.Pools {
		require.Positive(t, pool.HighWater, "pool %s", pool.Name)
	}
}

func TestFailureOfADeviceIsAJobs(t *testing.T) {
	newWorkshop(t) // calls are counted from when the failures were last changed
	w := newWorkshop(t, standin.Fail("pg_msm_start:3:later"))
	p := payload(t, "bn254", "failing")
	results := w.run(summing("backend: cuda, slice: 20, async: true, pending: 2", ""), p, p)
	var failed []error
	for _, result := range results {
		if result.Err != nil {
			failed = append(failed, result.Err)
		}
	}
	require.Len(t, failed, 1)
	var failure *cudabind.Error
	require.ErrorAs(t, failed[0], &failure)
	require.Equal(t, "cudaErrorIllegalAddress", failure.Name)
	require.ErrorContains(t, failed[0], "msm_")
}
