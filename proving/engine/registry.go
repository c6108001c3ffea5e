package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// ErrUnavailable is wrapped when a named engine exists but cannot work on this machine.
var ErrUnavailable = errors.New("engine is not available")

// ErrUnknownEngine is wrapped when no engine has the name.
var ErrUnknownEngine = errors.New("unknown engine")

// Auto is the name that stands for the best available engine.
const Auto = "auto"

// Kind is an engine that may be chosen by name.
type Kind struct {
	Name string
	// Rank orders engines for Auto: the highest available one is taken.
	Rank int
	// Available says whether the engine works on this machine for the curve and, if not, why.
	Available func(curve.ID) (ok bool, why string)
	// New makes an engine for a curve.
	New func(curve.ID) (Engine, error)
}

// Registry holds the engines that a program was given. The zero value is empty and ready.
type Registry struct {
	mu    sync.RWMutex
	kinds []Kind
}

// Add registers a kind. It fails if the name is taken, empty or "auto".
func (r *Registry) Add(k Kind) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k.Name == "" || k.Name == Auto || r.find(k.Name) >= 0 {
		return fmt.Errorf("engine name %q is not free", k.Name)
	}
	r.kinds = append(r.kinds, k)
	slices.SortStableFunc(r.kinds, func(a, b Kind) int { return b.Rank - a.Rank })
	return nil
}

func (r *Registry) find(name string) int {
	return slices.IndexFunc(r.kinds, func(k Kind) bool { return k.Name == name })
}

// Names lists the registered engines, the best first.
func (r *Registry) Names() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	names := make([]string, len(r.kinds))
	for i, k := range r.kinds {
		names[i] = k.Name
	}
	return names
}

// Available says whether the named engine works on this machine for the curve and, if not, why.
func (r *Registry) Available(name string, id curve.ID) (ok bool, why string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if i := r.find(name); i >= 0 {
		return r.kinds[i].Available(id)
	}
	return false, "no engine has this name"
}

// Open makes the named engine for a curve; "auto" or "" is the best one that is available.
func (r *Registry) Open(name string, id curve.ID) (Engine, error) {
	if name == "" || name == Auto {
		return r.best(id)
	}
	r.mu.RLock()
	i := r.find(name)
	r.mu.RUnlock()
	if i < 0 {
		return nil, fmt.Errorf("%w %q (known: %s)", ErrUnknownEngine, name, strings.Join(r.Names(), ", "))
	}
	if ok, why := r.Available(name, id); !ok {
		return nil, fmt.Errorf("%w: %s for %s: %s", ErrUnavailable, name, id, why)
	}
	return r.kinds[i].New(id)
}

func (r *Registry) best(id curve.ID) (Engine, error) {
	for _, name := range r.Names() {
		if ok, _ := r.Available(name, id); ok {
			return r.Open(name, id)
		}
	}
	return nil, fmt.Errorf("%w: none of %d works for %s", ErrUnavailable, len(r.Names()), id)
}
