package stages

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/proofgraph/proofgraph/proving/witness"
)

// maxModule bounds the size of a .wasm file.
const maxModule = 1 << 30

// Generators compiles witness generators and keeps them: a circuit's module is compiled once, however many inputs come.
type Generators struct {
	mu       sync.Mutex
	compiled map[[sha256.Size]byte]*witness.Calculator
}

// NewGenerators makes an empty collection.
func NewGenerators() *Generators {
	return &Generators{compiled: map[[sha256.Size]byte]*witness.Calculator{}}
}

// Open gives the generator of a .wasm file, which belongs to the collection.
func (g *Generators) Open(ctx context.Context, path string) (*witness.Calculator, error) {
	wasm, err := readFile(path, maxModule)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	digest := sha256.Sum256(wasm)
	if c := g.compiled[digest]; c != nil {
		return c, nil
	}
	c, err := witness.Compile(ctx, wasm, witness.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	g.compiled[digest] = c
	return c, nil
}

// Close frees all compiled code. No calculation may be under way.
func (g *Generators) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for digest, c := range g.compiled {
		if err := c.Close(); err != nil {
			return err
		}
		delete(g.compiled, digest)
	}
	return nil
}
