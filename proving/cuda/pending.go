package cuda

import (
	"context"

	"github.com/proofgraph/proofgraph/cudabind"
)

// Pending is a step under way on a device. Wait must be called exactly once: it returns the step's stream too.
type Pending struct {
	device *Device
	stream *cudabind.Stream
	// drive, if there is one, is the part of the step that keeps the CPU busy too: it queues what could not be queued at
	// once, such as copies through staging. finish, if there is one, follows the device's part: it adds up windows.
	drive  func(context.Context) error
	finish func() error
}

// launch queues a step on a stream of its own. If queue fails, what it had queued is waited for, so that nothing uses
// the step's memory afterwards.
func (d *Device) launch(queue func(*cudabind.Stream) error) (*Pending, error) {
	s, err := d.borrow()
	if err != nil {
		return nil, err
	}
	p := &Pending{device: d, stream: s}
	if err := queue(s); err != nil {
		return nil, andThen(err, p.drain())
	}
	return p, nil
}

// perform launches work: now, where nothing in it keeps the CPU waiting, or else as far as Wait drives it.
func (d *Device) perform(now bool, work func(context.Context, *cudabind.Stream) error) (*Pending, error) {
	if now {
		return d.launch(func(s *cudabind.Stream) error { return work(context.Background(), s) })
	}
	p, err := d.launch(func(*cudabind.Stream) error { return nil })
	if err != nil {
		return nil, err
	}
	p.drive = func(ctx context.Context) error { return work(ctx, p.stream) }
	return p, nil
}

// Wait returns when the device is through with the step, whether it succeeded, failed or ctx ended before; nothing uses
// the step's memory any more then, and only where the error is nil are its results there. What has not been queued yet when
// ctx ends is left out, and the error is then ctx's cause.
func (p *Pending) Wait(ctx context.Context) error {
	var err error
	if p.drive != nil {
		err = p.drive(ctx)
	}
	err = andThen(err, p.drain())
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil && p.finish != nil {
		err = p.finish()
	}
	return err
}

// drain waits for the step's stream.
func (p *Pending) drain() error { return p.device.retire(p.stream) }
