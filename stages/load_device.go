package stages

import (
	"context"
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// A devicePart is a part of a key, or something made for it, that is kept on a device from proof to proof.
type devicePart interface {
	// port is the type of the loaded part.
	port(stage.Options) stage.Type
	// footprint says what the part of an item's key takes. It is asked only where the kernel library is there.
	footprint(stage.Options, stage.Item) (partFootprint, error)
	// open opens what the part needs of the key, nil where it needs none.
	open(ctx context.Context, path string, threads int) (*zkey.Key, error)
	// load begins to fill the output's memory, and says what value describes it from then on.
	load(partLoad) (value any, p *cuda.Pending, err error)
}

// partFootprint is what a part takes, bytes of the device, and which entry of the cache it is.
type partFootprint struct {
	bytes   int64
	scratch cuda.Need
	entry   string
}

// partLoad is what a part is loaded with. All memory is as the part's footprint said.
type partLoad struct {
	options stage.Options
	item    stage.Item
	key     *zkey.Key // as open gave it; it ends when the step that load began has been waited for
	device  *cuda.Device
	to      *cudabind.Buffer
	scratch cuda.Scratch
	threads int
}

// deviceParts are the parts by the names that a pipeline gives them.
var deviceParts = map[string]devicePart{"constraints": constraintsPart{}, "domain": domainPart{}}

func partNames() []string { return []string{"constraints", "domain"} }

// loadDevice is groth16.load_device: a part of the key, where kernels can use it.
func loadDevice(engines *Engines) *stage.Kind {
	l := &deviceLoader{engines}
	return &stage.Kind{
		Name: "groth16.load_device",
		Doc: "Puts a part of a key into the memory of a device and keeps it there: the points of a query, the constraints, " +
			"or the roots of unity that transforms take. Items of one circuit share it.",
		Options: []stage.Option{
			{Name: "part", Type: stage.String, Required: true, Enum: append(queryNames(), partNames()...), Doc: "what to load"},
			multiplesOption("of bases: multiples of each point that are computed and kept, which makes sums faster; 1 keeps the " +
				"points alone"),
			distinctOption(),
		},
		Outputs: []stage.Port{{
			Name: "part", Type: stage.T("?part", "curve", "on="+device), Class: ClassDeviceKey, Doc: "the part, for the stages that take it",
		}},
		PortsFor:  l.ports,
		Scratch:   []string{ClassDeviceScratch, ClassPinned},
		Footprint: l.footprint,
		New: func(o stage.Options) (stage.Body, error) {
			return launcher(func(ctx context.Context, t *stage.Task) (func(context.Context) error, error) {
				return l.launch(ctx, o, t)
			}), engines.available()
		},
	}
}

type deviceLoader struct{ engines *Engines }

func (l *deviceLoader) part(o stage.Options) (devicePart, error) {
	if q, err := groth16.ParseQuery(o.String("part")); err == nil {
		return basesPart{q}, nil
	}
	if o.Int(optionMultiples) > 1 {
		return nil, fmt.Errorf("%s: only bases have multiples, and part %q is none", optionMultiples, o.String("part"))
	}
	if o.Int(optionDistinct) > 0 && o.String("part") != "constraints" {
		return nil, fmt.Errorf("%s: only constraints have coefficients, and part %q is none", optionDistinct, o.String("part"))
	}
	if part := deviceParts[o.String("part")]; part != nil {
		return part, nil
	}
	return nil, fmt.Errorf("there is no part %q of a key", o.String("part"))
}

func (l *deviceLoader) ports(o stage.Options) (inputs, outputs []stage.Port, err error) {
	part, err := l.part(o)
	if err != nil {
		return nil, nil, err
	}
	return nil, []stage.Port{{Name: "part", Type: part.port(o), Class: ClassDeviceKey, Doc: "the part"}}, nil
}

func (l *deviceLoader) footprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	part, err := l.part(o)
	if err == nil {
		err = l.engines.sized()
	}
	if err != nil {
		return stage.Footprint{}, err
	}
	f, err := part.footprint(o, item)
	if err != nil {
		return stage.Footprint{}, err
	}
	return stage.Footprint{
		Outputs: map[string]int64{"part": f.bytes}, CacheKeys: map[string]string{"part": f.entry}, Scratch: scratchOf(f.scratch),
	}, nil
}

func (l *deviceLoader) launch(ctx context.Context, o stage.Options, t *stage.Task) (func(context.Context) error, error) {
	part, err := l.part(o)
	if err != nil {
		return nil, err
	}
	d, err := l.engines.device(t)
	if err != nil {
		return nil, err
	}
	key, err := openConfirmed(ctx, part, t)
	if err != nil {
		return nil, err
	}
	value, pending, err := part.load(partLoad{
		options: o, item: *t.Item, key: key, device: d, to: deviceMemory(d, t.OutLease("part")),
		scratch: deviceScratch(d, t), threads: t.Threads,
	})
	if err != nil {
		return nil, errors.Join(err, closeKey(key))
	}
	return then(pending, func() error { return closeKey(key) }, func() error { return t.Set("part", value) }), nil
}

// openConfirmed opens what a part needs of the key that the item's sizes were computed from, and no other.
func openConfirmed(ctx context.Context, part devicePart, t *stage.Task) (*zkey.Key, error) {
	p, err := payload(t)
	if err != nil {
		return nil, err
	}
	key, err := part.open(ctx, p.Key.Path, t.Threads)
	if key == nil || err != nil {
		return nil, err
	}
	if err := p.Key.confirm(key.Header); err != nil {
		return nil, errors.Join(err, key.Close())
	}
	return key, nil
}

func closeKey(key *zkey.Key) error {
	if key == nil {
		return nil
	}
	return key.Close()
}

// keyEntry names the cache entry of a part of the item's key.
func keyEntry(what string, item stage.Item) string {
	digest := "key"
	if p, ok := item.Payload.(*Payload); ok {
		digest = p.Key.Digest
	}
	return what + ":" + digest
}
