package stages

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// domainPart is the roots of unity of a domain and of its odd coset.
type domainPart struct{}

func (domainPart) portType(stage.Options) stage.Type { return typeDomain }

func (domainPart) footprint(_ stage.Options, item stage.Item) (partFootprint, error) {
	d, err := domainOf(item.Facts)
	if err != nil {
		return partFootprint{}, err
	}
	return partFootprint{bytes: d.Bytes(), entry: fmt.Sprintf("domain:%s:%d", d.Curve, d.Log)}, nil
}

func (domainPart) open(context.Context, string, int) (*zkey.Key, error) { return nil, nil }

func (domainPart) load(l partLoad) (any, *cuda.Pending, error) {
	size, err := domainOf(l.item.Facts)
	if err != nil {
		return nil, nil, err
	}
	return l.device.BuildDomain(size, l.to)
}

// domainOf gives the size of an item's domain.
func domainOf(f stage.Facts) (cuda.DomainSize, error) {
	h, err := header(f)
	if err != nil {
		return cuda.DomainSize{}, err
	}
	return cuda.NewDomainSize(h.Curve, h.DomainSize)
}
