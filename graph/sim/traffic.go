package sim

import (
	"fmt"
	"math"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// What bodies move over buses their stages say (stage.Footprint), how long they took the run has told, and what a bus
// carries was measured beside. So a body loads a bus with bytes a second, evenly over its time.

// addBuses adds the buses of the recorded machine to the profile's resources. A name by which a pipeline counts something
// on devices stays what it is.
func (p *Profile) addBuses(recordings []Recording) {
	for _, r := range recordings {
		for bus, rate := range r.Buses {
			resource := Resource{Doc: "bytes a second between cores and memory", Capacity: math.Round(rate), Measured: true}
			if bus == stage.DeviceBus {
				resource.Doc, resource.Per = "bytes a second between host and device", "device"
			}
			known, found := p.Resources[string(bus)]
			if !found || known.Measured {
				resource.Capacity = max(known.Capacity, resource.Capacity)
				p.Resources[string(bus)] = resource
			}
		}
	}
}

// addTraffic adds what stages load buses with: the bytes of a body of each size, for the seconds that it takes alone.
func (p *Profile) addTraffic(of string, recordings []Recording) error {
	all, err := p.trafficOf(of, recordings)
	for name, t := range all {
		loads := p.Stages[name][0].Loads
		for bus, bytes := range t.bytes {
			if p.Resources[bus].Measured && bytes > 0 && t.seconds > 0 && loads != nil {
				loads[bus] = math.Round(bytes / t.seconds)
			}
		}
	}
	return err
}

// trafficOf gives the traffic of each stage's bodies, by the stage's name.
func (p *Profile) trafficOf(of string, recordings []Recording) (map[string]*traffic, error) {
	all, known := map[string]*traffic{}, map[bodiesOf]bool{}
	for _, r := range recordings {
		for _, s := range r.Timeline.Spans {
			facts := r.Facts(s.Job, s.Item)
			key := bodiesOf{r.stageOf(s), facts[of]}
			if s.Failed || known[key] {
				continue
			}
			known[key] = true
			if all[key.stage] == nil {
				all[key.stage] = &traffic{bytes: map[string]float64{}}
			}
			if err := all[key.stage].add(&r, s.Stage, facts, &p.Stages[key.stage][0]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// traffic is what bodies of one stage and several sizes move, one of each, and the seconds that they take.
type traffic struct {
	bytes   map[string]float64 // by bus
	seconds float64
}

// add adds a body of one size.
func (t *traffic) add(r *Recording, number int, facts stage.Facts, cost *Cost) error {
	shape, err := r.Program.Shape(&stage.Item{Job: "recorded", Facts: facts})
	if err != nil {
		return fmt.Errorf("what the bodies of a run moved: %w", err)
	}
	seconds, err := cost.secondsFor(facts)
	if err != nil {
		return err
	}
	t.seconds += seconds
	for bus, bytes := range shape.Traffic[number] {
		t.bytes[string(bus)] += float64(bytes)
	}
	return nil
}
