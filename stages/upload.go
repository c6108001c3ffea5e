package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// A DeviceWitness is the value of a witness port on a device.
type DeviceWitness struct {
	Curve  curve.ID
	Values *cudabind.Buffer // canonical scalars, in the port's lease
	// Dense is about how many of the scalars are neither 0 nor 1, see cuda.Dense.
	Dense int
}

// upload is groth16.upload: the witness goes to the device.
func upload(engines *Engines) *stage.Kind {
	return &stage.Kind{
		Name: kindUpload,
		Doc: "Copies the witness to the device that its item is on: straight from pinned memory, through pinned scratch from " +
			"any other.",
		Inputs: []stage.Port{{Name: "witness", Type: typeWitness(host), Doc: "the witness"}},
		Outputs: []stage.Port{
			{Name: "witness", Type: typeWitness(device), Class: ClassDeviceWitness, Doc: "the same on the device"},
		},
		Scratch: []string{ClassPinned},
		Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
			bytes := witnessBytes(item.Facts)
			return stage.Footprint{
				Outputs: map[string]int64{"witness": bytes},
				Scratch: map[string]int64{ClassPinned: cuda.UploadNeed(bytes, cuda.OnHost).Pinned},
				Traffic: copied(bytes),
			}, engines.sized()
		},
		New: func(stage.Options) (stage.Body, error) {
			return launcher(func(_ context.Context, t *stage.Task) (wait, error) {
				return launchUpload(engines, t)
			}), engines.available()
		},
	}
}

func launchUpload(engines *Engines, t *stage.Task) (wait, error) {
	w, err := stage.In[*Witness](t, "witness")
	if err != nil {
		return nil, err
	}
	d, err := engines.device(t)
	if err != nil {
		return nil, err
	}
	staging := t.Scratch(ClassPinned)
	if pinned(t.InLease("witness")) {
		staging = nil
	}
	to := deviceMemory(d, t.OutLease("witness"))
	p, err := d.Upload(to, w.Values, staging, t.Threads)
	if err != nil {
		return nil, err
	}
	return then(p, nil, func() error {
		return t.Set("witness", &DeviceWitness{Curve: w.Curve, Values: to, Dense: cuda.Dense(w.Values)})
	}), nil
}
