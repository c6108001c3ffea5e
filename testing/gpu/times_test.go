//go:build cgo && linux

package gpu_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

// TestTimes prints what the kernels take, medians, when PROOFGRAPH_GPU_TIMES names what to time: a comma-separated
// list of "what:size-size", where what is ntt, quotient, evaluate, msm_<group> or witness_<group> (say
// "ntt:16-24,msm_bls12-381_g1:16-24") and sizes are logarithms. A results column is compared with known answers.
func TestTimes(t *testing.T) {
	list := os.Getenv("PROOFGRAPH_GPU_TIMES")
	if list == "" {
		t.Skip("PROOFGRAPH_GPU_TIMES names nothing to time")
	}
	fmt.Printf("%-24s %5s %10s %10s %10s  %s\n", "what", "log n", "device ms", "finish ms", "whole ms", "notes")
	for entry := range strings.SplitSeq(list, ",") {
		what, from, to := parseEntry(t, entry)
		for logN := from; logN <= to; logN += step(from, to) {
			t.Run(fmt.Sprintf("%s/2^%d", what, logN), func(t *testing.T) { timeOne(t, what, logN) })
		}
	}
}

func step(from, to int) int {
	if from%2 == to%2 {
		return 2
	}
	return 1
}

func parseEntry(t *testing.T, entry string) (what string, from, to int) {
	what, sizes, found := strings.Cut(entry, ":")
	require.True(t, found, "%q is not what:size-size", entry)
	low, high, found := strings.Cut(sizes, "-")
	if !found {
		high = low
	}
	from, err := strconv.Atoi(low)
	require.NoError(t, err)
	to, err = strconv.Atoi(high)
	require.NoError(t, err)
	return what, from, to
}

func timeOne(t *testing.T, what string, logN int) {
	switch what {
	case "ntt":
		timeNTT(t, bn254(), logN)
		timeNTT(t, bls12381(), logN)
		return
	case "quotient":
		timeQuotient(t, bn254(), logN)
		timeQuotient(t, bls12381(), logN)
		return
	case "evaluate":
		timeEvaluate(t, bn254(), logN)
		timeEvaluate(t, bls12381(), logN)
		return
	}
	kind, name, _ := strings.Cut(what, "_")
	for _, g := range groups() {
		if g.name == name {
			timeMSM(t, g, logN, kind)
		}
	}
}

func line(what string, logN int, device, finish, whole time.Duration, notes string) {
	ms := func(d time.Duration) string {
		if d == 0 {
			return "-"
		}
		return fmt.Sprintf("%.3f", d.Seconds()*1e3)
	}
	fmt.Printf("%-24s %5d %10s %10s %10s  %s\n", what, logN, ms(device), ms(finish), ms(whole), notes)
}

// timed is the median device time of work, after one run to warm up.
func (b *bench) timed(runs int, work func()) time.Duration {
	b.t.Helper()
	from, err := b.device.NewEvent()
	require.NoError(b.t, err)
	to, err := b.device.NewEvent()
	require.NoError(b.t, err)
	defer from.Close()
	defer to.Close()
	times := make([]time.Duration, 0, runs)
	for i := range runs + 1 {
		require.NoError(b.t, b.stream.Record(from))
		work()
		require.NoError(b.t, b.stream.Record(to))
		b.wait()
		took, err := to.Since(from)
		require.NoError(b.t, err)
		if i > 0 {
			times = append(times, took)
		}
	}
	return median(times)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func runsFor(logN int) int {
	if logN >= 22 {
		return 5
	}
	return 15
}

func timeNTT[E comparable, P arithmetic[E]](t *testing.T, f field[E, P], logN int) {
	b := open(t)
	table := b.nttTable(f.curve, logN, asBytes(f.root(logN)))
	powers := b.powers(f.curve, logN, asBytes(f.generator), asBytes(f.number(1)))
	data := b.upload(bytesOf(f.random(fresh(t), 1<<logN)))
	for _, c := range []struct {
		name   string
		order  cudabind.Order
		powers *cudabind.Buffer
	}{
		{"natural", cudabind.Natural, nil},
		{"to reversed", cudabind.ToReversed, nil},
		{"from reversed", cudabind.FromReversed, nil},
		{"coset, from reversed", cudabind.FromReversed, powers},
	} {
		device := b.timed(runsFor(logN), func() {
			require.NoError(t, b.stream.NTT(f.curve, logN, table, cudabind.Forward, c.order, c.powers, data))
		})
		line("ntt "+f.name, logN, device, 0, 0, c.name)
	}
}

func timeQuotient[E comparable, P arithmetic[E]](t *testing.T, f field[E, P], logN int) {
	b, source := open(t), fresh(t)
	table := b.nttTable(f.curve, logN, asBytes(f.root(logN)))
	forth := b.powers(f.curve, logN, asBytes(f.root(logN+1)), asBytes(f.number(1)))
	data := bytesOf(f.random(source, 1<<logN))
	x, y, z := b.upload(data), b.upload(data), b.upload(data)
	device := b.timed(runsFor(logN), func() {
		require.NoError(t, b.stream.Quotient(f.curve, logN, table, forth, nil, true, x, y, z))
	})
	line("quotient "+f.name, logN, device, 0, 0, "odd coset")
}

func timeMSM(t *testing.T, g group, logN int, kind string) {
	b, source := open(t), fresh(t)
	n, full := 1<<logN, 1<<logN
	points, logs := b.bases(g, source, n)
	values := g.canonicalOf(g.random(source, n))
	if kind == "witness" {
		values, full = witnessLike(g, source, n, 2), n/32 // windows for the scalars that have many digits
	}
	scalars, err := cudabind.AllocPinned(len(values))
	require.NoError(t, err)
	defer cudabind.FreePinned(scalars)
	copy(scalars, values)
	want := g.expected(logs, values)
	for _, bits := range windowChoices() {
		config := cudabind.MSMConfig{Group: g.group, WindowBits: bits}
		if kind == "table" {
			config.Copies = 20
		}
		config, err := config.Configure(full)
		require.NoError(t, err)
		bases := points
		if kind == "table" {
			bases = b.table(config, n, points)
		}
		b.timeConfig(kind+" "+g.name, config, logN, bases, scalars, want)
	}
}

// windowChoices are the window widths to try beside the library's own choice (0).
func windowChoices() []int {
	choices := []int{0}
	for word := range strings.FieldsSeq(os.Getenv("PROOFGRAPH_GPU_WINDOWS")) {
		if bits, err := strconv.Atoi(word); err == nil {
			choices = append(choices, bits)
		}
	}
	return choices
}

func (b *bench) timeConfig(name string, config cudabind.MSMConfig, logN int, points *cudabind.Buffer, scalars, want []byte) {
	t, n := b.t, 1<<logN
	scratch, err := b.device.Alloc(config.ScratchBytes(n))
	require.NoError(t, err)
	defer scratch.Free()
	parts, err := cudabind.AllocPinned(config.ResultBytes())
	require.NoError(t, err)
	defer cudabind.FreePinned(parts)
	on := b.upload(scalars)
	start := func() { require.NoError(t, b.stream.MSMStart(config, n, points, on, scratch, parts)) }
	device := b.timed(runsFor(logN), start)
	point := make([]byte, config.Group.PointBytes())
	var finishes, wholes []time.Duration
	for range runsFor(logN) {
		begin := time.Now()
		require.NoError(t, b.stream.Upload(on, scalars))
		start()
		b.wait()
		joined := time.Now()
		require.NoError(t, cudabind.MSMFinish(config, parts, point))
		finishes = append(finishes, time.Since(joined))
		wholes = append(wholes, time.Since(begin))
	}
	require.Equal(t, want, point)
	notes := fmt.Sprintf("c=%d copies %d scratch %d MiB", config.WindowBits, config.Copies, config.ScratchBytes(n)>>20)
	line(name, logN, device, median(finishes), median(wholes), notes)
}
