package stages

import (
	"context"
	"strconv"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// DeviceBases are the points of a query on a device: the value of a port of bases.
type DeviceBases struct {
	Bases  cuda.Bases
	Memory *cudabind.Buffer // the port's lease
}

// basesPart is the points of a query, with as many multiples of each as the option says.
type basesPart struct{ query groth16.Query }

// optionMultiples is the option of load_device that bases alone understand, and of the sums over them.
const optionMultiples = "multiples"

func multiplesOption(doc string) stage.Option {
	return stage.Option{Name: optionMultiples, Type: stage.Int, Default: "1", Min: 1, Max: 64, Doc: doc}
}

func (p basesPart) portType(o stage.Options) stage.Type {
	return typeBases(p.query.String(), multiples(o))
}

func (p basesPart) footprint(o stage.Options, item stage.Item) (partFootprint, error) {
	h, err := header(item.Facts)
	if err != nil {
		return partFootprint{}, err
	}
	b, err := basesOf(p.query, h, int(o.Int(optionMultiples)))
	if err != nil {
		return partFootprint{}, err
	}
	entry := keyEntry("bases:"+p.query.String()+":"+multiples(o), item)
	return partFootprint{bytes: b.Bytes(), copied: pointBytes(p.query, h), scratch: b.LoadNeed(cuda.OnHost), entry: entry}, nil
}

func (basesPart) open(_ context.Context, path string, _ int) (*zkey.Key, error) {
	return zkey.OpenPoints(path)
}

func (p basesPart) load(l partLoad) (any, *cuda.Pending, error) {
	b, err := basesOf(p.query, l.key.Header, int(l.options.Int(optionMultiples)))
	if err != nil {
		return nil, nil, err
	}
	points := cuda.Vector{Host: p.query.Bases(l.key)}
	pending, err := l.device.LoadBases(b, l.to, points, l.scratch, l.threads)
	return &DeviceBases{b, l.to}, pending, err
}

func multiples(o stage.Options) string { return strconv.FormatInt(max(o.Int(optionMultiples), 1), 10) }

// queryNames are the names of the queries, in their order.
func queryNames() (names []string) {
	for _, q := range groth16.Queries() {
		names = append(names, q.String())
	}
	return names
}

// basesOf describes the points of a query with multiples of each.
func basesOf(q groth16.Query, h zkey.Header, multiples int) (cuda.Bases, error) {
	return cuda.NewBases(h.Curve, q.Group(), q.Terms(h), max(multiples, 1))
}
