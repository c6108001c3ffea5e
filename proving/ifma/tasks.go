package ifma

import (
	"context"
	"fmt"
	"sync/atomic"
)

// WorkBytes is the scratch that Digits.MSM needs for n points on `threads` threads, exactly: a bit a point, and a workspace for
// each thread (see docs/notes/ifma.md for its parts).
func WorkBytes(c Curve, g Group, n, threads int) int {
	return infinityBytes(n) + threads*workspaceBytes(c, g, n, bucketsOf(windowBits(n))) + alignment*(threads+1)
}

// infinityBytes is a bit a point in whole words.
func infinityBytes(n int) int { return (n + 63) / 64 * 8 }

// task is a part of an MSM that one thread does in one call: the sum over some buckets of a window, or of some units.
type task struct {
	weight int // the power of two that the first result is of
	sums   int // results, of consecutive weights
	window windowPart
	units  []uint32 // not nil for a sum of units
}

// unitsGrain is how many units are worth a task of their own.
const unitsGrain = 8192

// tasks lists the parts of the MSM.
func (d *Digits) tasks(threads int) []task {
	var tasks []task
	size := max(unitsGrain, (len(d.units)+threads-1)/threads)
	for from := 0; from < len(d.units); from += size {
		tasks = append(tasks, task{sums: 1, units: d.units[from:min(from+size, len(d.units))]})
	}
	if len(d.general) == 0 {
		return tasks
	}
	for _, part := range d.shape.parts(threads) {
		tasks = append(tasks, task{weight: part.window * d.shape.bits, sums: d.shape.bits, window: part})
	}
	return tasks
}

// run is one MSM under way.
type run struct {
	digits     *Digits
	group      Group
	points     []byte
	infinity   []uint64 // a bit a point, or nil where none is at infinity
	workspaces [][]byte
	cancelled  int32 // read by the kernels between chunks
}

// MSM writes the sum of the digits' scalars times points to out as an affine point. See the function MSM; scratch is WorkBytes
// long. Several may run at once on the same digits.
func (d *Digits) MSM(ctx context.Context, g Group, out, points, scratch []byte, threads int) error {
	if err := check(d.curve, g, d.n, threads); err != nil {
		return err
	}
	size := PointBytes(d.curve, g)
	switch need := WorkBytes(d.curve, g, d.n, threads); {
	case len(points) != d.n*size:
		return fmt.Errorf("ifma: %d bytes of points for %d scalars, need %d", len(points), d.n, d.n*size)
	case len(out) != size:
		return fmt.Errorf("ifma: out is %d bytes, need %d", len(out), size)
	case len(scratch) < need:
		return fmt.Errorf("ifma: scratch of %d bytes, need %d", len(scratch), need)
	}
	r := &run{digits: d, group: g, points: points}
	stop := context.AfterFunc(ctx, func() { atomic.StoreInt32(&r.cancelled, 1) })
	defer stop()
	return r.do(ctx, out, scratch, threads)
}

func (r *run) do(ctx context.Context, out, scratch []byte, threads int) error {
	if err := r.prepare(ctx, scratch, threads); err != nil {
		return err
	}
	tasks := r.digits.tasks(threads)
	sums := make([][]byte, len(tasks))
	size := PointBytes(r.digits.curve, r.group)
	err := inParallel(ctx, threads, len(tasks), func(thread, i int) {
		sums[i] = newPoints(tasks[i].sums * size)
		r.sum(tasks[i], sums[i], r.workspaces[thread])
	})
	if err != nil {
		return err
	}
	return combine(r.digits.curve, r.group, tasks, sums, out)
}

// prepare lays out the scratch and looks for points at infinity, which no window need then take up.
func (r *run) prepare(ctx context.Context, scratch []byte, threads int) error {
	n := r.digits.n
	infinity, rest := carve[uint64](scratch, infinityBytes(n)/8)
	size := workspaceBytes(r.digits.curve, r.group, n, bucketsOf(windowBits(n)))
	for range threads {
		var workspace []byte
		workspace, rest = carve[byte](rest, size)
		r.workspaces = append(r.workspaces, workspace)
	}
	slices := slicesOf(n, threads)
	var found atomic.Int64
	err := inParallel(ctx, threads, len(slices), func(_, i int) {
		found.Add(int64(findInfinity(r.digits.curve, r.group, r.points, slices[i], infinity)))
	})
	if found.Load() > 0 {
		r.infinity = infinity
	}
	return err
}
