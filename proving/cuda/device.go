package cuda

import (
	"errors"
	"fmt"
	"sync"

	"github.com/proofgraph/proofgraph/cudabind"
)

// Device is one GPU. It keeps streams, which are slow to make, for the next step.
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

// borrow gives a stream with nothing queued, to be given back once it is drained.
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

func (d *Device) giveBack(s *cudabind.Stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.idle = append(d.idle, s)
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
