package cuda

import (
	"context"
	"errors"

	"github.com/proofgraph/proofgraph/cudabind"
)

// Pending is a step under way on a device. Wait is called exactly once.
type Pending struct {
	device *Device
	stream *cudabind.Stream
	// drive, if there is one, is the part of the step that keeps the CPU busy too: it queues what could not be queued at
	// once, such as copies through a staging buffer. finish is the part that follows the device's: adding up windows.
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

// Wait ends when the device is through with the step, whether or not ctx ends before: until then it uses the step's
// memory. What has not been queued yet when ctx ends is left out, and the error is then ctx's.
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

// retire waits for a stream and keeps it for the next step; one that failed is not used again. A wait that fails may not
// have waited, so there is a second: on a device that has broken down it fails at once.
func (d *Device) retire(s *cudabind.Stream) error {
	err := s.Synchronize()
	if err == nil {
		d.giveBack(s)
		return nil
	}
	return andThen(err, errors.Join(s.Synchronize(), s.Close()))
}

// andThen gives both errors, or the first alone where the device has only told the same failure again.
func andThen(err, later error) error {
	var first, again *cudabind.Error
	if errors.As(err, &first) && errors.As(later, &again) && first.Code == again.Code {
		return err
	}
	return errors.Join(err, later)
}
