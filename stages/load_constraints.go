package stages

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// constraintsPart is the coefficients of A and B.
type constraintsPart struct{}

func (constraintsPart) portType(stage.Options) stage.Type { return typeConstraints }

func (constraintsPart) footprint(o stage.Options, item stage.Item) (partFootprint, error) {
	s, err := systemOf(o, item.Facts)
	if err != nil {
		return partFootprint{}, err
	}
	entry := keyEntry(fmt.Sprintf("constraints:%d", s.Distinct), item)
	return partFootprint{bytes: s.Bytes(), copied: s.Bytes(), scratch: s.LoadNeed(), entry: entry}, nil
}

func (constraintsPart) open(ctx context.Context, path string, threads int) (*zkey.Key, error) {
	return zkey.Open(ctx, path, threads)
}

func (constraintsPart) load(l partLoad) (any, *cuda.Pending, error) {
	s, err := systemOf(l.options, l.item.Facts)
	if err != nil {
		return nil, nil, err
	}
	return l.device.LoadConstraints(s, l.key.Records, l.to, l.scratch, l.threads)
}

// optionDistinct is the option of load_device that constraints alone understand.
const optionDistinct = "distinct"

// distinctOption bounds the coefficients of a key, so that the bytes of constraints are known before the key is read.
func distinctOption() stage.Option {
	return stage.Option{
		Name: optionDistinct, Type: stage.Int, Default: "0", Max: 1 << 24,
		Doc: "of constraints: the most different coefficients that a key may have. Each is kept once then, and a term takes " +
			"8 bytes instead of 36; a key with more is refused. 0 keeps one for each term",
	}
}

// systemOf gives the size of an item's constraint system.
func systemOf(o stage.Options, f stage.Facts) (cuda.System, error) {
	h, err := header(f)
	if err != nil {
		return cuda.System{}, err
	}
	records, known := f[FactRecords]
	if !known {
		return cuda.System{}, fmt.Errorf("constraints on a device need the fact %s of an item", FactRecords)
	}
	size, err := cuda.NewDomainSize(h.Curve, h.DomainSize)
	return cuda.System{DomainSize: size, Wires: h.NVars, Records: int(records), Distinct: int(o.Int(optionDistinct))}, err
}
