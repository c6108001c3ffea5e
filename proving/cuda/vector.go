package cuda

import (
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// Place is where an operand lies: what it costs to bring it to the device follows from that.
type Place uint8

// The places.
const (
	OnDevice Place = iota
	InPinned       // page-locked memory of the host: it crosses the bus as it lies
	OnHost         // any other memory of the host, a mapped file too: it crosses through staging
)

// Vector is an operand where it lies: on the device, or else in memory of the host, at any alignment. It owns neither.
type Vector struct {
	Device *cudabind.Buffer // nil: on the host
	Host   []byte
	Pinned bool // Host is page-locked
}

// Place is where the vector lies.
func (v Vector) Place() Place {
	switch {
	case v.Device != nil:
		return OnDevice
	case v.Pinned:
		return InPinned
	}
	return OnHost
}

// bytes is the vector's size.
func (v Vector) bytes() int64 {
	if v.Device != nil {
		return int64(v.Device.Bytes())
	}
	return int64(len(v.Host))
}

func (v Vector) check(what string, bytes int64) error {
	if v.bytes() < bytes {
		return fmt.Errorf("%w: %s take %d bytes and there are %d", engine.ErrOperand, what, bytes, v.bytes())
	}
	return nil
}
