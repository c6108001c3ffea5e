package stages

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// loadKey is groth16.load_key: the SRS of a circuit.
func loadKey() *stage.Kind {
	return &stage.Kind{
		Name: "groth16.load_key",
		Doc: "Opens a proving key and checks all of it but its points. Mapped, its points are used where they lie in " +
			"the file, and the kernel may drop and reread its pages; in memory, the file is read into a lease of its pool.",
		Options: []stage.Option{{
			Name: "in", Type: stage.String, Default: "mapped", Enum: []string{"mapped", "memory"},
			Doc: "where the key's points lie: mapped from the file, or copied to memory",
		}},
		Outputs: []stage.Port{keyPort("mapped")},
		PortsFor: func(o stage.Options) ([]stage.Port, []stage.Port, error) {
			return nil, []stage.Port{keyPort(o.String("in"))}, nil
		},
		Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
			return stage.Footprint{
				Outputs: map[string]int64{"key": item.Facts[FactKey]}, CacheKeys: map[string]string{"key": keyDigest(item)},
			}, nil
		},
		New: func(o stage.Options) (stage.Body, error) {
			if o.String("in") == "memory" {
				return stage.BodyFunc(readKey), nil
			}
			return stage.BodyFunc(mapKey), nil
		},
	}
}

func keyPort(in string) stage.Port {
	return stage.Port{
		Name: "key", Type: typeKey, Class: ClassKey, Charged: in == "mapped", Doc: "the key; items of one circuit share it",
	}
}

func mapKey(ctx context.Context, t *stage.Task) error {
	p, err := payload(t)
	if err != nil {
		return err
	}
	key, err := zkey.Open(ctx, p.Key.Path, t.Threads)
	if err != nil {
		return err
	}
	return setKey(t, p, key)
}

func readKey(ctx context.Context, t *stage.Task) error {
	p, err := payload(t)
	if err != nil {
		return err
	}
	memory := t.OutBytes("key")
	if err := fill(memory, p.Key.Path); err != nil {
		return err
	}
	key, err := zkey.Parse(ctx, memory, t.Threads)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Key.Path, err)
	}
	return setKey(t, p, key)
}

// fill reads a file that is exactly as long as the memory.
func fill(memory []byte, path string) error {
	file, size, err := binfile.OpenRegular(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if size != int64(len(memory)) {
		return fmt.Errorf("%s had %d bytes when its job was made, and has %d", path, len(memory), size)
	}
	if _, err := io.ReadFull(file, memory); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// setKey hands the key on if the file is the one that the item's sizes and the name of the cache entry were computed from.
func setKey(t *stage.Task, p *Payload, key *zkey.Key) error {
	if err := p.Key.confirm(key.Header); err != nil {
		return errors.Join(err, key.Close())
	}
	return t.Set("key", key)
}
