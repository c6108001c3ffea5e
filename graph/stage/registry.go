package stage

import (
	"fmt"
	"maps"
	"slices"
)

// A Registry holds the kinds that pipelines may name. It is filled before pipelines are loaded and only read after.
type Registry struct {
	kinds map[string]*Kind
}

// NewRegistry makes a registry of the given kinds; a kind without a name or a second one of the same name is an error.
func NewRegistry(kinds ...*Kind) (*Registry, error) {
	r := &Registry{kinds: make(map[string]*Kind, len(kinds))}
	for _, k := range kinds {
		if k.Name == "" || k.New == nil {
			return nil, fmt.Errorf("stage kind %q needs a name and a constructor", k.Name)
		}
		if r.kinds[k.Name] != nil {
			return nil, fmt.Errorf("stage kind %q is registered twice", k.Name)
		}
		r.kinds[k.Name] = k
	}
	return r, nil
}

// Find gives the kind of that name, or nil.
func (r *Registry) Find(name string) *Kind { return r.kinds[name] }

// Names lists the registered kinds in alphabetical order.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.kinds)) }
