package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// reside reports a buffer that the pipeline lays where the stage kind cannot work with it. kinds is the class as the kind
// names it, class the index of the pipeline's, what the buffer that an error speaks of.
func (l *loader) reside(at node, s *Stage, what, kinds string, class int) {
	serve := s.Kind.Memory[kinds]
	if class < 0 || len(serve) == 0 || l.p.Classes[class].Pool < 0 {
		return
	}
	pool := l.p.Pools[l.p.Classes[class].Pool]
	if slices.Contains(serve, pool.Memory) {
		return
	}
	at.fail(CodeMemory, l.poolsOf(serve), "%s takes %s memory, but its class %q lies in pool %q, which is of %s memory",
		what, orWords(serve), l.p.Classes[class].Name, pool.Name, pool.Memory)
}

func orWords(memories []budget.Memory) string {
	names := make([]string, len(memories))
	for i, m := range memories {
		names[i] = m.String()
	}
	return strings.Join(names, " or ")
}

// poolsOf names the pools that would do.
func (l *loader) poolsOf(serve []budget.Memory) string {
	var names []string
	for _, p := range l.p.Pools {
		if slices.Contains(serve, p.Memory) {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("declare a pool with memory: %s", serve[0])
	}
	return "the pools that would do: " + strings.Join(names, ", ")
}
