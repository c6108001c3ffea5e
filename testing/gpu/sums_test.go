//go:build cgo && linux

package gpu_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// TestStreamedSum sums bases that lie on the device and bases that come from the host, and requires one result. When
// PROOFGRAPH_GPU_SUMS names groups and sizes, as "bls12-381_g1:20-24" or, for scalars of which 98 % are 0 and 1,
// "witness_bls12-381_g1:20-24", separated by commas, it prints what each way takes.
func TestStreamedSum(t *testing.T) {
	list := cmp.Or(os.Getenv(sumsVariable), "bn254_g1:10,witness_bls12-381_g2:9")
	for entry := range strings.SplitSeq(list, ",") {
		what, from, to := parseEntry(t, entry)
		for logN := from; logN <= to; logN += step(from, to) {
			t.Run(fmt.Sprintf("%s/2^%d", what, logN), func(t *testing.T) { compareSums(t, what, logN) })
		}
	}
}

const sumsVariable = "PROOFGRAPH_GPU_SUMS"

// operands are one sum's, everywhere that they can lie.
type operands struct {
	*bench
	sum                         cuda.Sum
	device                      *cuda.Device
	points, scalars             *cudabind.Buffer
	pinnedPoints, pinnedScalars []byte
	mappedPoints, mappedScalars []byte // pageable
	dense                       int
	name                        string
	want                        []byte
}

func compareSums(t *testing.T, what string, logN int) {
	name, witness := strings.CutPrefix(what, "witness_")
	for _, g := range groups() {
		if g.name == name {
			o := newOperands(t, g, logN, witness)
			o.name = fmt.Sprintf("%s 2^%d", what, logN)
			o.compare()
		}
	}
}

func newOperands(t *testing.T, g group, logN int, witness bool) *operands {
	b, source, n := open(t), fresh(t), 1<<logN
	own := min(n, 1<<18) // different points, over and over
	points, logs := b.bases(g, source, own)
	values := g.canonicalOf(g.random(source, n))
	if witness {
		values = witnessLike(g, source, n, 2)
	}
	machine := cuda.Find()
	t.Cleanup(func() { require.NoError(t, machine.Close()) })
	device, err := machine.Device(0)
	require.NoError(t, err)
	id, in := g.where()
	bases, err := cuda.NewBases(id, in, n, 1)
	require.NoError(t, err)
	o := &operands{bench: b, device: device, dense: cuda.Dense(values)}
	o.sum = cuda.Sum{Bases: bases, Sparse: witness}
	o.mappedPoints, o.mappedScalars = repeat(b.download(points), n/own), values
	o.pinnedPoints, o.pinnedScalars = b.pin(o.mappedPoints), b.pin(values)
	o.points, o.scalars = b.upload(o.pinnedPoints), b.upload(o.pinnedScalars)
	b.wait()
	if n <= 1<<20 {
		o.want = g.expected(repeat(logs, n/own), values)
	}
	return o
}

func (g group) where() (curve.ID, curve.Group) {
	id, in := curve.BN254, curve.G1
	if g.curve == cudabind.BLS12381 {
		id = curve.BLS12381
	}
	if g.group == cudabind.BN254G2 || g.group == cudabind.BLS12381G2 {
		in = curve.G2
	}
	return id, in
}

// pin is a page-locked copy, freed with the test.
func (b *bench) pin(data []byte) []byte {
	b.t.Helper()
	memory, err := cudabind.AllocPinned(max(len(data), 1))
	require.NoError(b.t, err)
	b.t.Cleanup(func() { require.NoError(b.t, cudabind.FreePinned(memory)) })
	copy(memory, data)
	return memory[:len(data)]
}

// compare sums in every way.
func (o *operands) compare() {
	onDevice := cuda.Operands{Bases: cuda.Vector{Device: o.points}, Scalars: cuda.Vector{Device: o.scalars}, Dense: o.dense}
	o.time("resident", onDevice, 0, 1)
	pinned := cuda.Vector{Host: o.pinnedScalars, Pinned: true}
	o.time("resident, scalars pinned", cuda.Operands{Bases: onDevice.Bases, Scalars: pinned, Dense: o.dense}, 0, 1)
	mapped := cuda.Operands{Bases: onDevice.Bases, Scalars: cuda.Vector{Host: o.mappedScalars}, Dense: o.dense}
	o.time("resident, scalars pageable", mapped, 0, runtime.GOMAXPROCS(0))
	o.time("resident, slices", onDevice, o.sum.Bases.Count/4, 1)
	fromPinned := cuda.Operands{Bases: cuda.Vector{Host: o.pinnedPoints, Pinned: true}, Scalars: pinned, Dense: o.dense}
	mapped.Bases = cuda.Vector{Host: o.mappedPoints}
	for _, slice := range []int{0, 1 << 20, 1 << 21, 1 << 22} {
		if slice == 0 || slice < o.sum.Bases.Count {
			o.time("streamed, pinned", fromPinned, slice, 1)
			o.time("streamed, pageable", mapped, slice, runtime.GOMAXPROCS(0))
		}
	}
	o.time("streamed, pageable", mapped, 0, 1)
}

// time sums a few times with the same scratch and prints the least and the median of what it took.
func (o *operands) time(how string, from cuda.Operands, slice, threads int) {
	t, s := o.t, o.sum
	s.Slice = slice
	need, err := s.Need(from.Bases.Place(), from.Scalars.Place())
	require.NoError(t, err)
	device, err := o.device.Alloc(int(max(need.Device, 1)))
	require.NoError(t, err)
	defer func() { require.NoError(t, device.Free()) }()
	pinned, err := cudabind.AllocPinned(int(max(need.Pinned, 1)))
	require.NoError(t, err)
	defer func() { require.NoError(t, cudabind.FreePinned(pinned)) }()
	require.NoError(t, o.stream.Fill(device, poison))
	o.wait()
	runs, asked := 1, os.Getenv(sumsVariable) != ""
	if asked {
		runs = 5
	}
	var times []time.Duration
	for range runs {
		out := make([]byte, s.Bases.Curve.PointSize(s.Bases.Group))
		begin := time.Now()
		p, err := o.device.Sum(s, from, out, cuda.Scratch{Device: device, Pinned: pinned}, threads)
		require.NoError(t, err)
		require.NoError(t, p.Wait(context.Background()))
		times = append(times, time.Since(begin))
		if o.want == nil {
			o.want = out
		}
		require.Equal(t, o.want, out, how)
	}
	if !asked {
		return
	}
	middle := median(times)
	fmt.Printf("%-28s %-28s slice %8d threads %2d  least %9.3f ms  median %9.3f ms  device %5d MiB  pinned %3d MiB\n", o.name, how,
		slice, threads, times[0].Seconds()*1e3, middle.Seconds()*1e3, need.Device>>20, need.Pinned>>20)
}
