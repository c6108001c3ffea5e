package cuda

import (
	"context"
	"errors"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// summing is a sum under way. Slices arrive on one stream and are summed on another; the CPU adds up their sums while
// later ones are under way.
type summing struct {
	Sum
	layout sumLayout
	from   Operands
	config cudabind.MSMConfig
	device *Device

	points, scalars []*cudabind.Buffer // buffers for what arrives; nil where the operand is on the device
	scratch         *cudabind.Buffer
	results         [][]byte
	staging         []byte

	compute *cudabind.Stream
	copies  *transfer         // on the compute stream where there is but one slice
	arrived *cudabind.Event   // the last slice that was queued has arrived
	summed  []*cudabind.Event // by place of the result
	added   int               // slices in total
	total   []byte
}

// carve cuts the scratch.
func (r *summing) carve(scratch Scratch) error {
	if r.layout.terms == 0 {
		return nil
	}
	cut, l := carver{from: scratch.Device}, r.layout
	for range l.buffers {
		if l.points > 0 {
			r.points = append(r.points, cut.take(int(l.points)))
		}
		if l.scalars > 0 {
			r.scalars = append(r.scalars, cut.take(int(l.scalars)))
		}
	}
	r.scratch = cut.take(int(l.scratch))
	r.staging = scratch.Pinned[:l.staging]
	results := scratch.Pinned[aligned(l.staging):]
	for i := range l.results {
		r.results = append(r.results, results[int64(i)*l.result:][:l.result])
	}
	return cut.err
}

// queue queues all slices. When it has ended, nothing is under way but on the compute stream.
func (r *summing) queue(ctx context.Context, compute *cudabind.Stream, threads int) (err error) {
	copies, err := r.begin(compute)
	if err != nil {
		return err
	}
	r.copies = &transfer{stream: copies, staging: r.staging, threads: threads}
	defer func() { err = andThen(err, r.end()) }()
	for i := range r.layout.slices {
		if err := r.queueSlice(ctx, i); err != nil {
			return err
		}
	}
	if r.layout.queuesAtOnce() {
		return nil
	}
	return r.addUpTo(r.layout.slices - 1)
}

// begin makes what several slices are kept in order by: a stream beside the compute stream, and events.
func (r *summing) begin(compute *cudabind.Stream) (copies *cudabind.Stream, err error) {
	r.compute = compute
	if r.layout.slices <= 1 {
		return compute, nil
	}
	r.arrived, err = compute.Device().NewEvent()
	for range r.layout.results {
		event, problem := compute.Device().NewEvent()
		if problem == nil {
			r.summed = append(r.summed, event)
		}
		err = errors.Join(err, problem)
	}
	if err == nil {
		copies, err = r.device.borrow()
	}
	if err != nil {
		r.closeEvents()
	}
	return copies, err
}

// end waits for the copies, and closes the events: what is queued before them goes on.
func (r *summing) end() error {
	var err error
	if r.copies.stream != r.compute {
		err = r.device.retire(r.copies.stream)
	}
	r.copies.close()
	r.closeEvents()
	return err
}

func (r *summing) closeEvents() {
	for _, event := range append(r.summed, r.arrived) {
		if event != nil {
			event.Close() // fails only where the device already has
		}
	}
	r.arrived, r.summed = nil, nil
}

// queueSlice queues the i-th slice behind its predecessors. Where the result's place is taken, it adds that result first:
// the slices after it keep the device busy meanwhile.
func (r *summing) queueSlice(ctx context.Context, i int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	points, scalars, err := r.arrive(ctx, i)
	if err != nil {
		return err
	}
	if err := r.addUpTo(i + 1 - r.layout.results); err != nil {
		return err
	}
	_, count := r.layout.slice(i)
	result := i % r.layout.results
	if err := r.compute.MSMStart(r.config, count, points, scalars, r.scratch, r.results[result]); err != nil {
		return err
	}
	if r.summed == nil {
		return nil
	}
	return r.compute.Record(r.summed[result])
}

// addUpTo adds the sums of the first n slices to the total, each as soon as it has come back.
func (r *summing) addUpTo(n int) error {
	for r.added < n {
		if err := r.summed[r.added%r.layout.results].Synchronize(); err != nil {
			return err
		}
		if err := r.addNext(); err != nil {
			return err
		}
	}
	return nil
}

// addNext adds the sum of one more slice, which has come back.
func (r *summing) addNext() error {
	b := r.Bases
	sum := make([]byte, b.Curve.PointSize(b.Group))
	if err := cudabind.MSMFinish(r.config, r.results[r.added%r.layout.results], sum); err != nil {
		return err
	}
	r.added++
	if r.total == nil {
		r.total = sum
		return nil
	}
	suite, err := pairing.Of(b.Curve)
	if err != nil {
		return err
	}
	r.total = suite.Add(b.Group, r.total, sum)
	return nil
}

// finish adds the sums that are left, once the device is through, and writes the point.
func (r *summing) finish(out []byte) error {
	for r.added < r.layout.slices {
		if err := r.addNext(); err != nil {
			return err
		}
	}
	clear(out)
	copy(out, r.total)
	return nil
}
