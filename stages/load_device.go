package stages

import (
	"context"
	"errors"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// loadDevice is groth16.load_device: a part of the key, where kernels can use it.
func loadDevice(engines *Engines) *stage.Kind {
	l := &deviceLoader{engines}
	return &stage.Kind{
		Name: kindLoadDevice,
		Doc: "Puts a part of a key into a device's memory and keeps it there: the points of a query, the constraints, or the " +
			"roots of unity that transforms take. Items of one circuit share it.",
		Options: []stage.Option{
			{Name: "part", Type: stage.String, Required: true, Enum: partNames(), Doc: "what to load"},
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
			return launcher(func(ctx context.Context, t *stage.Task) (wait, error) {
				return l.launch(ctx, o, t)
			}), engines.available()
		},
	}
}

type deviceLoader struct{ engines *Engines }

func (l *deviceLoader) ports(o stage.Options) (inputs, outputs []stage.Port, err error) {
	part, err := partOf(o)
	if err != nil {
		return nil, nil, err
	}
	return nil, []stage.Port{{Name: "part", Type: part.portType(o), Class: ClassDeviceKey, Doc: "the part"}}, nil
}

func (l *deviceLoader) footprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	part, err := partOf(o)
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
		Traffic: copied(f.copied),
	}, nil
}

func (l *deviceLoader) launch(ctx context.Context, o stage.Options, t *stage.Task) (wait, error) {
	part, err := partOf(o)
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

// closeKey ends the use of a key, which must not have changed meanwhile.
func closeKey(key *zkey.Key) error {
	if key == nil {
		return nil
	}
	return errors.Join(key.Intact(), key.Close())
}
