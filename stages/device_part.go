package stages

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// A devicePart is a part of a key, or something made for it, that is kept on a device from proof to proof.
type devicePart interface {
	// portType is the type of the loaded part.
	portType(stage.Options) stage.Type
	// footprint says what the part of an item's key takes. It is asked only where the kernel library is there.
	footprint(stage.Options, stage.Item) (partFootprint, error)
	// open opens what the part needs of the key, nil where it needs none.
	open(ctx context.Context, path string, threads int) (*zkey.Key, error)
	// load begins to fill the output's memory, and says what value describes it from then on.
	load(partLoad) (value any, p *cuda.Pending, err error)
}

// partFootprint is what a part takes, bytes of the device, how many of them come from the host, and which entry of the
// cache it is.
type partFootprint struct {
	bytes   int64
	copied  int64
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

// The parts beside the bases, which are called as their queries are.
const (
	partConstraints = "constraints"
	partDomain      = "domain"
)

func partNames() []string { return append(queryNames(), partConstraints, partDomain) }

// partOf gives the part that a stage's options name.
func partOf(o stage.Options) (devicePart, error) {
	name := o.String("part")
	q, err := groth16.ParseQuery(name)
	switch {
	case o.Int(optionDistinct) > 0 && name != partConstraints:
		return nil, fmt.Errorf("%s: only constraints have coefficients, and part %q is none", optionDistinct, name)
	case err == nil:
		return basesPart{q}, nil
	case o.Int(optionMultiples) > 1:
		return nil, fmt.Errorf("%s: only bases have multiples, and part %q is none", optionMultiples, name)
	case name == partConstraints:
		return constraintsPart{}, nil
	case name == partDomain:
		return domainPart{}, nil
	}
	return nil, fmt.Errorf("there is no part %q of a key", name)
}

// keyEntry names the cache entry of a part of the item's key.
func keyEntry(part string, item stage.Item) string { return part + ":" + keyDigest(item) }
