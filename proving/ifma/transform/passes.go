package transform

import (
	"context"

	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// A transform of n elements is log n stages of butterflies: stage s cuts the vector into 2^s blocks and joins the halves of each
// with the twiddle factor T[block]. Wide stages are passed through the whole vector, a few at a time; when blocks are so
// small that they stay in a core's cache, all other stages are run on each of these, the leaves, before the next.
const (
	maxLeafLog   = 13 // 256 KiB
	minLeafLog   = 6  // one group
	leavesLog    = 3  // leaves there should be when there are several threads
	narrowStages = 3  // of a leaf's last blocks, which have eight elements
	groupLog     = 6  // elements that the kernel for narrow stages takes at once
	lanesLog     = 3  // columns of a tile
)

// The steps of the kernel for narrow stages: see kernel.h.
const (
	stepSplit = 1 << iota
	stepScaled
	stepShift
	stepMerge
	stepFinal
)

// transform is one transform under way.
type transform struct {
	field   *field
	domain  *domain
	factor  []byte
	v       []byte
	log     int // of the vector's length
	leafLog int // of a leaf's
	threads int
}

// leafLog is the size of the leaves of a vector.
func leafLog(log, threads int) int {
	if threads > 1 {
		return min(maxLeafLog, max(log-leavesLog, minLeafLog))
	}
	return min(maxLeafLog, log)
}

// pass is a few stages that are joined in one go through memory, from blocks of 2^logBlock elements on.
type pass struct{ logBlock, depth int }

// passes lists those that bring blocks of 2^from elements down to 2^to, about equally deep.
func passes(from, to int) []pass {
	var list []pass
	for count := (from - to + maxDepth - 1) / maxDepth; count > 0; count-- {
		depth := (from - to + count - 1) / count
		list = append(list, pass{from, depth})
		from -= depth
	}
	return list
}

// tiles is how many tiles a pass has in 2^log elements.
func (p pass) tiles(log int) int { return 1 << (log - p.depth - lanesLog) }

// tileGrain is how many tiles are done before the context is looked at.
const tileGrain = 512

func (t *transform) splitWide(ctx context.Context) error {
	for _, p := range passes(t.log, t.leafLog) {
		if err := t.wide(ctx, p, t.domain.inverse, false, false); err != nil {
			return err
		}
	}
	return nil
}

func (t *transform) mergeWide(ctx context.Context) error {
	list := passes(t.log, t.leafLog)
	for i := len(list) - 1; i >= 0; i-- {
		if err := t.wide(ctx, list[i], t.domain.forward, true, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// wide does a pass over the whole vector.
func (t *transform) wide(ctx context.Context, p pass, table []byte, merge, final bool) error {
	return parallel.Ranges(ctx, p.tiles(t.log), 1, t.threads, func(from, to int) error {
		for ; from < to && ctx.Err() == nil; from += tileGrain {
			columnsKernel(t.field, table, t.v, p, from, min(from+tileGrain, to), merge, final)
		}
		return ctx.Err()
	})
}

// leaves does the steps in every leaf, with the stages from a leaf's width down before and after.
func (t *transform) leaves(ctx context.Context, steps int) error {
	return parallel.Ranges(ctx, 1<<(t.log-t.leafLog), 1, t.threads, func(from, to int) error {
		for ; from < to && ctx.Err() == nil; from++ {
			t.leaf(from, steps)
		}
		return ctx.Err()
	})
}

func (t *transform) leaf(leaf, steps int) {
	list := passes(t.leafLog, narrowStages)
	if steps&stepSplit != 0 {
		for _, p := range list {
			n := p.tiles(t.leafLog)
			columnsKernel(t.field, t.domain.inverse, t.v, p, leaf*n, (leaf+1)*n, false, false)
		}
	}
	if steps&stepMerge == 0 {
		steps |= stepFinal
	}
	groups := 1 << (t.leafLog - groupLog)
	leavesKernel(t.field, t.domain, t.factor, t.v, leaf*groups, (leaf+1)*groups, steps)
	if steps&stepMerge != 0 {
		for i := len(list) - 1; i >= 0; i-- {
			n := list[i].tiles(t.leafLog)
			columnsKernel(t.field, t.domain.forward, t.v, list[i], leaf*n, (leaf+1)*n, true, i == 0 && t.leafLog == t.log)
		}
	}
}
