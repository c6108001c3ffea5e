package stages

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/probe"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// How much is copied to a device to measure its bus: less than a MiB tells of latency.
const (
	leastCopied = 1 << 20
	mostCopied  = 64 << 20
)

// BusRates measures what the buses that a program's bodies share carry, in bytes a second, with memory leased from its
// tracker while nothing runs. Of a bus for which the pools have no room, or that the program does not use, nothing is said.
func (e *Engines) BusRates(prog *program.Program, tracker *budget.Tracker) (map[stage.Bus]float64, error) {
	rates, enough := map[stage.Bus]float64{}, int64(probe.Enough())
	err := withLease(prog, tracker, budget.Host, enough, enough, func(buffer *budget.Lease, _ int) error {
		rates[stage.MemoryBus] = probe.MemoryRate(buffer.Bytes(), runtime.GOMAXPROCS(0))
		return nil
	})
	if e.available() != nil {
		return rates, err
	}
	return rates, errors.Join(err, withLease(prog, tracker, budget.Pinned, leastCopied, mostCopied, func(from *budget.Lease, _ int) error {
		return withLease(prog, tracker, budget.Device, leastCopied, mostCopied, func(to *budget.Lease, device int) (err error) {
			rates[stage.DeviceBus], err = e.uploadRate(device, to, from)
			return err
		})
	}))
}

// uploadRate measures the bus of a device, with memory there and page-locked memory here.
func (e *Engines) uploadRate(device int, to, from *budget.Lease) (float64, error) {
	d, err := e.machine.Device(device)
	if err != nil {
		return 0, err
	}
	return d.UploadRate(deviceMemory(d, to), from.Bytes())
}

// withLease does something with a lease of the first class in memory of a kind whose pool has room for the least bytes. It
// is told whose device the memory is, -1 for none.
func withLease(prog *program.Program, tracker *budget.Tracker, memory budget.Memory, least, most int64, do func(l *budget.Lease, device int) error) error {
	for class, c := range prog.Classes {
		pool := prog.Pools[c.Pool]
		if pool.Memory != memory || pool.Limit < least { // one without a limit counts what others hold, and promises nothing
			continue
		}
		lease, err := tracker.Lease(class, min(most, pool.Limit), "what measures a bus")
		if err != nil {
			return fmt.Errorf("measure a bus: %w", err)
		}
		return errors.Join(do(lease, pool.Device), lease.Release())
	}
	return nil
}
