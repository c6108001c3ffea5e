package cuda

import (
	"errors"
	"fmt"
	"sync"

	"github.com/proofgraph/proofgraph/cudabind"
)

// ErrNoDevice is wrapped when a device is asked for that the machine does not have.
var ErrNoDevice = errors.New("no such GPU")

// Machine is the GPUs that a program uses, by numbers of its own: 0 to Count-1. It looks for them when it is first asked,
// and opens each when that is asked for: on a machine with GPUs either takes a while. It may be used from many goroutines.
type Machine struct {
	find     sync.Once
	asked    []int // CUDA's numbers; empty for all
	ordinals []int // CUDA's numbers, by the machine's
	problem  error // why there is none
	assumed  bool  // none of them need be there

	mu     sync.Mutex
	opened []*Device // nil until asked for
}

// NewMachine is the GPUs of the given CUDA numbers, in that order; none named are all that there are. Close ends it.
func NewMachine(ordinals ...int) *Machine { return &Machine{asked: ordinals} }

// AssumeMachine is a machine with so many GPUs that need not be there. What steps take on it is known, as on any; its
// devices cannot be opened.
func AssumeMachine(count int) *Machine {
	m := &Machine{assumed: true}
	m.find.Do(func() { m.ordinals = all(count) })
	return m
}

// Sizes says why it is not known what steps take, nil where it is. The kernel library knows, and needs no GPU for that.
func (m *Machine) Sizes() error {
	_, err := cudabind.Open()
	return err
}

func (m *Machine) look() {
	m.find.Do(func() {
		report := cudabind.Probe()
		m.problem = report.Problem
		if m.problem == nil {
			m.ordinals, m.problem = choose(m.asked, len(report.Devices))
		}
		m.opened = make([]*Device, len(m.ordinals))
	})
}

// choose gives CUDA's numbers of the devices to use out of count.
func choose(asked []int, count int) ([]int, error) {
	if count == 0 {
		return nil, errors.New("this machine has no CUDA device")
	}
	if len(asked) == 0 {
		return all(count), nil
	}
	seen := map[int]bool{}
	for _, n := range asked {
		if n < 0 || n >= count {
			return nil, fmt.Errorf("%w: number %d, where there are %d, from 0", ErrNoDevice, n, count)
		}
		if seen[n] {
			return nil, fmt.Errorf("%w: number %d for a second time", ErrNoDevice, n)
		}
		seen[n] = true
	}
	return asked, nil
}

func all(count int) []int {
	numbers := make([]int, count)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// Count is the number of devices.
func (m *Machine) Count() int {
	m.look()
	return len(m.ordinals)
}

// Number is CUDA's number of a device from 0 to Count-1.
func (m *Machine) Number(device int) int {
	m.look()
	return m.ordinals[device]
}

// Problem says why there are no devices, nil where there are. Numbers that the machine does not have are ErrNoDevice.
func (m *Machine) Problem() error {
	m.look()
	return m.problem
}

// Device gives a device, opened: the same one each time, until Close. A number that is not from 0 to Count-1 is
// ErrNoDevice.
func (m *Machine) Device(number int) (*Device, error) {
	m.look()
	if m.assumed {
		return nil, fmt.Errorf("%w: GPU %d is only assumed", ErrNoDevice, number)
	}
	if number < 0 || number >= len(m.ordinals) {
		return nil, fmt.Errorf("%w: number %d of %d", ErrNoDevice, number, len(m.ordinals))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.opened[number]; d != nil {
		return d, nil
	}
	d, err := open(m.ordinals[number])
	if err != nil {
		return nil, err
	}
	m.opened[number] = d
	return d, nil
}

// Close ends what the devices keep for reuse. No step may be pending.
func (m *Machine) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	for i, d := range m.opened {
		if d != nil {
			err = errors.Join(err, d.close())
			m.opened[i] = nil
		}
	}
	return err
}
