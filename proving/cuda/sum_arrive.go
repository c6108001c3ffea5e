package cuda

import (
	"context"

	"github.com/proofgraph/proofgraph/cudabind"
)

// arrive gives the points and scalars of the i-th slice on the device, and sees to it that the compute stream waits for
// what comes from the host.
func (r *summing) arrive(ctx context.Context, i int) (points, scalars *cudabind.Buffer, err error) {
	if err := r.awaitBuffers(i); err != nil {
		return nil, nil, err
	}
	if points, err = r.onDevice(ctx, r.from.Bases, r.points, i, int(r.Bases.pointBytes(1))*r.Bases.Multiples); err != nil {
		return nil, nil, err
	}
	if scalars, err = r.onDevice(ctx, r.from.Scalars, r.scalars, i, cudabind.ScalarBytes); err != nil {
		return nil, nil, err
	}
	if r.arrived == nil {
		return points, scalars, nil
	}
	if err := r.copies.stream.Record(r.arrived); err != nil {
		return nil, nil, err
	}
	return points, scalars, r.compute.Wait(r.arrived)
}

// awaitBuffers makes copies wait until the slice whose buffers the i-th takes over is summed.
func (r *summing) awaitBuffers(i int) error {
	before := i - r.layout.buffers
	if r.arrived == nil || before < 0 {
		return nil
	}
	return r.copies.stream.Wait(r.summed[before%r.layout.results])
}

// onDevice gives the i-th slice of an operand of terms of the given size: a view of it where it lies on the device, else
// the buffer that it is copied to.
func (r *summing) onDevice(
	ctx context.Context, v Vector, buffers []*cudabind.Buffer, i, size int,
) (*cudabind.Buffer, error) {
	first, count := r.layout.slice(i)
	if v.Device != nil {
		view, _ := v.Device.Slice(first*size, count*size)
		return view, nil
	}
	to := buffers[i%len(buffers)]
	return to, r.copies.upload(ctx, to, v.Host[first*size:(first+count)*size], v.Pinned)
}
