package stages

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/proofgraph/proofgraph/proving/witness"
)

// Generators compiles witness generators and keeps some: a circuit's module is compiled once, however many inputs come. The
// memory of one in use is charged to the stage that uses it; that of idle ones is not, and so it is bounded.
type Generators struct {
	mu   sync.Mutex
	all  map[digest]*Generator
	idle []*Generator // the longest unused first
}

type digest = [sha256.Size]byte

// mostIdle bounds the heap that idle generators may take, all together. It is a part of what a pool's margin is for.
const mostIdle = 96 << 20

// NewGenerators makes an empty collection.
func NewGenerators() *Generators { return &Generators{all: map[digest]*Generator{}} }

// A Generator is a compiled module in use. Close it.
type Generator struct {
	*witness.Calculator
	in     *Generators
	digest digest
	users  int
	ready  chan struct{} // closed when it is compiled, or cannot be
	err    error
}

// Open gives the generator of a .wasm file, which is read and, unless it is at hand, compiled. need is what StatModule told of
// the file, and what was charged for it; a file that needs anything else by now is refused.
func (g *Generators) Open(ctx context.Context, path string, need witness.Need) (*Generator, error) {
	wasm, err := readFile(path, need.MostBytes())
	if err != nil {
		return nil, err
	}
	switch now, err := witness.Inspect(wasm); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case now != need:
		return nil, fmt.Errorf("%s is not the module that it was when its job was made", path)
	}
	generator, first := g.find(sha256.Sum256(wasm))
	if first {
		generator.compile(ctx, wasm)
	}
	select {
	case <-generator.ready:
		err = generator.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), generator.Close())
	}
	return generator, nil
}

// errNotCompiled is what others learn who waited for a module whose compiling broke down.
var errNotCompiled = errors.New("the module could not be compiled")

// compile compiles the module, for all who wait for it: that the first one's job ends is no reason to stop.
func (c *Generator) compile(ctx context.Context, wasm []byte) {
	defer close(c.ready)
	c.err = errNotCompiled
	c.Calculator, c.err = witness.Compile(context.WithoutCancel(ctx), wasm, witness.Options{})
}

// find gives a generator to one more user, and whether that is the first one, who has to compile it.
func (g *Generators) find(d digest) (generator *Generator, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	generator = g.all[d]
	if first = generator == nil; first {
		generator = &Generator{in: g, digest: d, ready: make(chan struct{})}
		g.all[d] = generator
	}
	if generator.users++; generator.users == 1 {
		g.idle = without(g.idle, generator)
	}
	return generator, first
}

// Close ends one use.
func (c *Generator) Close() error {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	if c.users--; c.users > 0 {
		return nil
	}
	if c.Calculator == nil { // it could not be compiled, and may be tried again
		delete(c.in.all, c.digest)
		return nil
	}
	c.in.idle = append(c.in.idle, c)
	return c.in.trim(mostIdle)
}

// trim frees the longest unused idle generators until those that are left take no more than so many bytes.
func (g *Generators) trim(most int64) (err error) {
	var total int64
	for _, c := range g.idle {
		total += c.Need().Heap
	}
	for total > most {
		c := g.idle[0]
		g.idle = g.idle[1:]
		delete(g.all, c.digest)
		total -= c.Need().Heap
		err = errors.Join(err, c.Calculator.Close())
	}
	return err
}

// Close frees all compiled code. No calculation may be under way.
func (g *Generators) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.trim(0)
}

func without(list []*Generator, one *Generator) []*Generator {
	return slices.DeleteFunc(list, func(g *Generator) bool { return g == one })
}
