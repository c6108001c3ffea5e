package sim

import (
	"slices"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// What a pipeline counts per device (resources: { gpu: { count: 2, per: device } }) lets so many bodies at a device, whose
// time they share: two take twice as long each. So what is learned has a resource of that name for every device, which
// each of the bodies would use up alone.
const deviceTime = 1

// addDeviceTime adds what the recorded pipelines count per device to the profile's resources.
func (p *Profile) addDeviceTime(recordings []Recording) {
	for _, r := range recordings {
		for _, resource := range r.Program.Spec.Resources {
			if resource.PerDevice {
				p.Resources[resource.Name] = Resource{Doc: "the time of a device", Capacity: deviceTime, Per: "device"}
			}
		}
	}
}

// usesOnDevice names what the bodies of each stage share on their device, by the stage's name.
func usesOnDevice(recordings []Recording) map[string][]string {
	uses := map[string][]string{}
	for _, r := range recordings {
		for _, s := range r.Program.Spec.Stages {
			for _, use := range s.Uses {
				resource := r.Program.Spec.Resources[use.Resource]
				if resource.PerDevice && !slices.Contains(uses[s.Name], resource.Name) {
					uses[s.Name] = append(uses[s.Name], resource.Name)
				}
			}
		}
	}
	return uses
}

// A lane is a resource of one device, as the pipeline and the device count them.
type lane struct{ resource, device int }

// lanes are the resources of its device that a span's body held.
func (r *Recording) lanes(span int) (all []lane) {
	s := r.Timeline.Spans[span]
	for _, use := range r.Program.Spec.Stages[s.Stage].Uses {
		if r.Program.Spec.Resources[use.Resource].PerDevice {
			all = append(all, lane{use.Resource, s.Device})
		}
	}
	return all
}

// alone gives the time that each span would have taken with the machine to itself: at every moment the bodies under way
// share the cores, and on each device its time, as Resource.served says.
func (r *Recording) alone(cores int, loads loads) []time.Duration {
	names := loads.names()
	amounts := loads.vector(names)
	shared, device := Resource{Capacity: float64(cores)}, Resource{Capacity: deviceTime}
	took := make([]float64, len(r.Timeline.Spans))
	for _, m := range r.moments(names) {
		bodies := map[lane]float64{}
		for _, i := range m.spans {
			for _, held := range r.lanes(i) {
				bodies[held] += deviceTime
			}
		}
		onCores := shared.served(m.demand(amounts))
		for _, i := range m.spans {
			speed := onCores
			for _, held := range r.lanes(i) {
				speed = min(speed, device.served(bodies[held]))
			}
			took[i] += speed * float64(m.to-m.from)
		}
	}
	all := make([]time.Duration, len(took))
	for i := range took {
		all[i] = time.Duration(took[i])
	}
	return all
}

// cold says of each span whether its body worked with a device that its stage knew nothing of yet: one that began before
// the stage's first on that device ended. It may have opened the device and made streams there, which no later one does.
// What makes cache entries is told by itself (loadOf).
func (r *Recording) cold() []bool {
	type key struct{ stage, device int }
	warm := map[key]time.Duration{} // when the first body of each ended
	for _, s := range r.Timeline.Spans {
		k := key{s.Stage, s.Device}
		if end, known := warm[k]; !known || s.End < end {
			warm[k] = s.End
		}
	}
	cold := make([]bool, len(r.Timeline.Spans))
	for i, s := range r.Timeline.Spans {
		cold[i] = r.onDevice(s.Stage) && !r.makesEntries(s.Stage) && s.Start < warm[key{s.Stage, s.Device}]
	}
	return cold
}

// onDevice says whether a stage's bodies work with the memory or the time of a device.
func (r *Recording) onDevice(stage int) bool {
	p, s := r.Program.Spec, r.Program.Spec.Stages[stage]
	inDevice := func(class int) bool { return class >= 0 && p.Pools[p.Classes[class].Pool].Memory == budget.Device }
	for _, class := range s.ScratchClass {
		if inDevice(class) {
			return true
		}
	}
	return slices.ContainsFunc(s.Uses, func(u spec.Use) bool { return p.Resources[u.Resource].PerDevice }) ||
		slices.ContainsFunc(s.Outputs, func(o spec.Output) bool { return inDevice(o.Class) })
}
