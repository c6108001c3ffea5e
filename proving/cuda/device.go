package cuda

import (
	"errors"
	"fmt"
	"sync"

	"github.com/proofgraph/proofgraph/cudabind"
)

// Device is one GPU. Its methods may be called from many goroutines at once, one step each; streams, which are slow to
// make, are kept for the next step.
type Device struct {
	*cudabind.Device

	mu   sync.Mutex
	idle []*cudabind.Stream
}

func open(ordinal int) (*Device, error) {
	library, err := cudabind.Open()
	if err != nil {
		return nil, err
	}
	opened, err := library.Device(ordinal)
	if err != nil {
		return nil, fmt.Errorf("open GPU %d: %w", ordinal, err)
	}
	return &Device{Device: opened}, nil
}

// borrow gives a stream with nothing queued, which goes back through retire.
func (d *Device) borrow() (*cudabind.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.idle); n > 0 {
		s := d.idle[n-1]
		d.idle = d.idle[:n-1]
		return s, nil
	}
	return d.NewStream()
}

// retire waits for a stream and keeps it for the next step; one that failed is not used again. A wait that fails may not
// have waited, so there is a second: on a device that has broken down it fails at once.
func (d *Device) retire(s *cudabind.Stream) error {
	if err := s.Synchronize(); err != nil {
		return andThen(err, errors.Join(s.Synchronize(), s.Close()))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.idle = append(d.idle, s)
	return nil
}

// andThen gives both errors, or the first alone where the device has only told the same failure again.
func andThen(err, later error) error {
	var first, again *cudabind.Error
	if errors.As(err, &first) && errors.As(later, &again) && first.Code == again.Code {
		return err
	}
	return errors.Join(err, later)
}

func (d *Device) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	for _, s := range d.idle {
		err = errors.Join(err, s.Close())
	}
	d.idle = nil
	return err
}
