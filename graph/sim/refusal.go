package sim

import (
	"fmt"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// refusalWords says why an item can never fit, and with how much it would.
func (s *simulator) refusalWords(shape *program.Shape, refused *sched.Refusal) string {
	limit, needed := budget.FormatBytes(refused.Limit), budget.FormatBytes(refused.Needed)
	if limit == needed { // they differ by less than is shown
		limit, needed = fmt.Sprintf("%d B", refused.Limit), fmt.Sprintf("%d B", refused.Needed)
	}
	words := fmt.Sprintf("%s has %s and one item needs %s", refused.Where, limit, needed)
	if refused.Limit == 0 && refused.Pool >= 0 {
		words = fmt.Sprintf("%s has no memory on this machine, and one item needs %s", refused.Where, needed)
	}
	return words + "; " + s.wouldDo(shape)
}

// wouldDo says which pools are too small and what they would have to be, or else that it is the edge alone.
func (s *simulator) wouldDo(shape *program.Shape) string {
	var pools []string
	for i, least := range s.prog.Least(shape) {
		if pool := s.prog.Graph.Pools[i]; pool.Limit >= 0 && least > pool.Limit {
			pools = append(pools, fmt.Sprintf("pool %s would do with %s (%d bytes)", pool.Name, budget.FormatBytes(least), least))
		}
	}
	if len(pools) == 0 {
		return "give that edge more bytes"
	}
	return strings.Join(pools, ", ")
}
