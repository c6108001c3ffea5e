package run

import "github.com/proofgraph/proofgraph/graph/sched"

// A DeviceFailure tells of an item that its device has failed: with an error that is a stage.DeviceFault.
type DeviceFailure struct {
	Device int // from 0
	Job    string
	Stage  string
	Err    error
	// Again says that the item begins anew on another device. Otherwise its job has failed.
	Again bool
	// Avoided says that items go to other devices for a while. A single one has none behind which it could rest.
	Avoided bool
}

// deviceFaults is what a device has failed at.
type deviceFaults struct {
	items, moved int64
	last         error
}

// failedByDevice tells the core of a body that its device has failed, and says what is to be told of it: nothing but of the
// first that fails of an item.
func (p *Pipeline) failedByDevice(t *task, err error) *DeviceFailure {
	f, faults := t.flight, &p.faults[t.Device]
	told := f.moving || f.job.Err != nil
	again, decisions := p.core.FailedByDevice(f.id, t.stage)
	f.moving = f.moving || again
	p.failed(t, err, decisions)
	if told {
		return nil
	}
	faults.items++
	faults.last = err
	if again {
		faults.moved++
	}
	return &DeviceFailure{
		Device: t.Device, Job: f.job.Job.ID, Stage: p.program.Spec.Stages[t.stage].Name, Err: err, Again: again,
		Avoided: p.core.Device(t.Device).Avoided,
	}
}

// beginAnew gives an item that was dropped a flight as new as on its first day.
func (p *Pipeline) beginAnew(f *flight) {
	f.job.Values[f.index] = nil
	p.flights[f.id] = p.newFlight(f.id, f.job, f.index, f.shape)
}

// A DeviceReport is one device's: what it works on, and what it has failed at.
type DeviceReport struct {
	Device int
	sched.DeviceCounts
	Failed int64 // items that it failed
	Moved  int64 // those of them that began anew on another device
	Last   error // the last failure, or nil
}

func (p *Pipeline) deviceReport(d int) DeviceReport {
	faults := p.faults[d]
	return DeviceReport{Device: d, DeviceCounts: p.core.Device(d), Failed: faults.items, Moved: faults.moved, Last: faults.last}
}
