package transform

import (
	"context"
	"slices"

	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// A transform of n elements is log n stages of butterflies: stage s cuts the vector into 2^s blocks and joins the halves of each
// with the twiddle factor T[block]. Stages are joined a few at a time, in passes. Those over wide blocks go through the whole
// vector; when blocks are so small that they stay in a core's cache, all other passes are done on each of these, the leaves,
// before the next.
const (
	maxLeafLog   = 14 // 512 KiB
	leavesLog    = 3  // leaves there should be when there are several threads
	narrowStages = 3  // of the last blocks, which have eight elements
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
	field        *field
	domain       *domain
	factor       []byte
	v            []byte
	log          int    // of the vector's length
	leafLog      int    // of a leaf's
	wide, narrow []pass // over the vector, and in a leaf
	threads      int
}

// plan cuts the stages into passes.
func (t *transform) plan() {
	limit := maxLeafLog
	if t.threads > 1 {
		limit = min(limit, max(t.log-leavesLog, groupLog))
	}
	t.narrow = passes(t.log, narrowStages)
	for len(t.narrow) > 0 && t.narrow[0].logBlock > limit {
		t.wide, t.narrow = append(t.wide, t.narrow[0]), t.narrow[1:]
	}
	t.leafLog = limit
	if len(t.narrow) > 0 {
		t.leafLog = t.narrow[0].logBlock
	}
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
	for _, p := range t.wide {
		if err := t.through(ctx, p, t.domain.inverse, false, false); err != nil {
			return err
		}
	}
	return nil
}

func (t *transform) mergeWide(ctx context.Context) error {
	for i, p := range slices.Backward(t.wide) {
		if err := t.through(ctx, p, t.domain.forward, true, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// through does a pass over the whole vector.
func (t *transform) through(ctx context.Context, p pass, table []byte, merge, final bool) error {
	return parallel.Ranges(ctx, p.tiles(t.log), 1, t.threads, func(from, to int) error {
		for ; from < to && ctx.Err() == nil; from += tileGrain {
			columnsKernel(t.field, table, t.v, p, from, min(from+tileGrain, to), merge, final)
		}
		return ctx.Err()
	})
}

// leaves does the steps in every leaf, with the stages from a leaf's width down before and after.
func (t *transform) leaves(ctx context.Context, steps int) error {
	if steps&stepMerge == 0 {
		steps |= stepFinal
	}
	return parallel.Ranges(ctx, 1<<(t.log-t.leafLog), 1, t.threads, func(from, to int) error {
		for ; from < to && ctx.Err() == nil; from++ {
			t.leaf(from, steps)
		}
		return ctx.Err()
	})
}

func (t *transform) leaf(leaf, steps int) {
	if steps&stepSplit != 0 {
		for _, p := range t.narrow {
			n := p.tiles(t.leafLog)
			columnsKernel(t.field, t.domain.inverse, t.v, p, leaf*n, (leaf+1)*n, false, false)
		}
	}
	groups := 1 << (t.leafLog - groupLog)
	leavesKernel(t.field, t.domain, t.factor, t.v, leaf*groups, (leaf+1)*groups, steps)
	if steps&stepMerge != 0 {
		for i, p := range slices.Backward(t.narrow) {
			n := p.tiles(t.leafLog)
			columnsKernel(t.field, t.domain.forward, t.v, p, leaf*n, (leaf+1)*n, true, i == 0 && len(t.wide) == 0)
		}
	}
}
