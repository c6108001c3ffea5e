package gnark

import (
	"context"
	"math/bits"

	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// A transform of n elements is log n stages of butterflies. Stage s cuts the vector into 2^s blocks and joins the
// halves of each with one twiddle factor, T[block]. Stages run in two shapes: the last ones inside leaves that fit
// a cache, the earlier ones a few at a time on columns, so that a large vector is passed over few times.
const (
	leafSize    = 1 << 13 // elements; 256 KiB
	columnDepth = 3       // stages per pass over columns: 8 rows of a tile are joined at once
	columnWidth = 128     // elements of a row in one piece: 8 rows are 32 KiB
)

func (e *implementation[E, P]) Inverse(ctx context.Context, v, _ []byte, threads int) error {
	a, d, err := e.domain(v)
	if err != nil {
		return err
	}
	t := e.transform(a, &d.inverse, threads)
	if err := t.naturalToReversed(ctx); err != nil {
		return err
	}
	return e.scaleAll(ctx, a, d.half[bits.TrailingZeros(uint(len(a)))], threads)
}

func (e *implementation[E, P]) Forward(ctx context.Context, v, _ []byte, threads int) error {
	a, d, err := e.domain(v)
	if err != nil {
		return err
	}
	t := e.transform(a, &d.forward, threads)
	return t.reversedToNatural(ctx)
}

func (e *implementation[E, P]) ShiftToOdd(ctx context.Context, v []byte, threads int) error {
	a, d, err := e.domain(v)
	if err != nil {
		return err
	}
	return e.shift(ctx, a, d, d.half[0], threads)
}

func (e *implementation[E, P]) ToCoset(ctx context.Context, v, _ []byte, threads int) error {
	a, d, err := e.domain(v)
	if err != nil {
		return err
	}
	inverse, forward := e.transform(a, &d.inverse, threads), e.transform(a, &d.forward, threads)
	if err := inverse.naturalToReversed(ctx); err != nil {
		return err
	}
	if err := e.shift(ctx, a, d, d.half[bits.TrailingZeros(uint(len(a)))], threads); err != nil {
		return err
	}
	return forward.reversedToNatural(ctx)
}

func (e *implementation[E, P]) DomainNeed(n int) engine.Need {
	return engine.Need{Heap: twiddleBytes(n)}
}

func (e *implementation[E, P]) domain(v []byte) ([]E, *domain[E], error) {
	a, err := elements[E]("vector", v)
	if err != nil {
		return nil, nil, err
	}
	d, err := e.domains.get(len(a))
	return a, d, err
}

func (e *implementation[E, P]) scaleAll(ctx context.Context, a []E, by E, threads int) error {
	return parallel.Ranges(ctx, len(a), tile, threads, func(from, to int) error {
		e.vec.scale(a[from:to], a[from:to], &by)
		return nil
	})
}

// shift multiplies the coefficient at bit-reversed place i by g^rev(i), which is T[i], and by a constant.
func (e *implementation[E, P]) shift(ctx context.Context, a []E, d *domain[E], by E, threads int) error {
	return parallel.Ranges(ctx, len(a), tile, threads, func(from, to int) error {
		var factor E
		for ; from < to; from += tile {
			part := a[from:min(from+tile, to)]
			P(&factor).Mul(&d.forward.high[from/tile], &by)
			e.vec.mul(part, part, d.forward.low[:len(part)])
			e.vec.scale(part, part, &factor)
		}
		return nil
	})
}

// transform is one pass through all stages over one vector.
type transform[E any, P interface {
	*E
	Mul(x, y *E) *E
}] struct {
	a       []E
	t       *twiddles[E]
	vec     *vectors[E]
	threads int
}

func (e *implementation[E, P]) transform(a []E, t *twiddles[E], threads int) *transform[E, P] {
	return &transform[E, P]{a: a, t: t, vec: &e.vec, threads: threads}
}

// stages is log n; topStages those too wide for a leaf.
func (f *transform[E, P]) stages() int    { return bits.TrailingZeros(uint(len(f.a))) }
func (f *transform[E, P]) topStages() int { return max(f.stages()-bits.TrailingZeros(leafSize), 0) }

// naturalToReversed evaluates at the powers of the root whose twiddles are used, by Cooley and Tukey's butterflies.
func (f *transform[E, P]) naturalToReversed(ctx context.Context) error {
	top := f.topStages()
	for s := 0; s < top; s += columnDepth {
		if err := f.columns(ctx, s, min(columnDepth, top-s), f.joinRows); err != nil {
			return err
		}
	}
	return f.leaves(ctx, func(w *workspace[E], from, to int) {
		for s := top; s < f.stages(); s++ {
			f.splitStage(w, s, from, to)
		}
	})
}

// reversedToNatural is its transpose, by Gentleman and Sande's butterflies, the stages the other way round.
func (f *transform[E, P]) reversedToNatural(ctx context.Context) error {
	top := f.topStages()
	err := f.leaves(ctx, func(w *workspace[E], from, to int) {
		for s := f.stages() - 1; s >= top; s-- {
			f.mergeStage(w, s, from, to)
		}
	})
	for s := top; err == nil && s > 0; {
		depth := (s-1)%columnDepth + 1
		s -= depth
		err = f.columns(ctx, s, depth, f.mergeRows)
	}
	return err
}

// workspace is a goroutine's few kilobytes: gathered operands and the twiddle factor at hand.
type workspace[E any] struct {
	x, y, t, u [columnWidth]E
	twiddle    E
	unit       bool // the factor is 1, as that of every first block is
}

// leaves calls work on every leaf, from several goroutines.
func (f *transform[E, P]) leaves(ctx context.Context, work func(w *workspace[E], from, to int)) error {
	size := min(leafSize, len(f.a))
	return parallel.Ranges(ctx, len(f.a), size, f.threads, func(from, to int) error {
		w := new(workspace[E])
		for ; from < to && ctx.Err() == nil; from += size {
			work(w, from, from+size)
		}
		return ctx.Err()
	})
}

// columns runs depth stages from stage s on. Each of the 2^s blocks is a matrix of 2^depth rows, and butterflies join
// whole rows: work gets one block's rows cut to a narrow column.
func (f *transform[E, P]) columns(ctx context.Context, s, depth int,
	work func(w *workspace[E], rows [][]E, block int),
) error {
	blockSize := len(f.a) >> s
	rowSize := blockSize >> depth
	perBlock := rowSize / columnWidth
	return parallel.Ranges(ctx, perBlock<<s, 1, f.threads, func(from, to int) error {
		w, rows := new(workspace[E]), make([][]E, 1<<depth)
		for ; from < to; from++ {
			block, column := from/perBlock, from%perBlock
			for r := range rows {
				start := block*blockSize + r*rowSize + column*columnWidth
				rows[r] = f.a[start : start+columnWidth]
			}
			work(w, rows, block)
		}
		return ctx.Err()
	})
}

func (f *transform[E, P]) joinRows(w *workspace[E], rows [][]E, block int) {
	for half := len(rows) / 2; half > 0; half /= 2 {
		for first := 0; first < len(rows); first += 2 * half {
			f.twiddle(w, block+first/(2*half))
			for r := first; r < first+half; r++ {
				f.split(w, rows[r], rows[r+half])
			}
		}
		block *= 2
	}
}

func (f *transform[E, P]) mergeRows(w *workspace[E], rows [][]E, block int) {
	for half := 1; half < len(rows); half *= 2 {
		base := block * len(rows) / (2 * half)
		for first := 0; first < len(rows); first += 2 * half {
			f.twiddle(w, base+first/(2*half))
			for r := first; r < first+half; r++ {
				f.merge(w, rows[r], rows[r+half])
			}
		}
	}
}

// splitStage runs stage s on the part [from, to), which is a whole number of its blocks.
func (f *transform[E, P]) splitStage(w *workspace[E], s, from, to int) {
	half := len(f.a) >> (s + 1)
	if half < narrow {
		f.narrowStage(w, half, from, to, f.splitNarrow)
		return
	}
	for start := from; start < to; start += 2 * half {
		f.twiddle(w, start/(2*half))
		f.eachPiece(w, start, half, f.split)
	}
}

func (f *transform[E, P]) mergeStage(w *workspace[E], s, from, to int) {
	half := len(f.a) >> (s + 1)
	if half < narrow {
		f.narrowStage(w, half, from, to, f.mergeNarrow)
		return
	}
	for start := from; start < to; start += 2 * half {
		f.twiddle(w, start/(2*half))
		f.eachPiece(w, start, half, f.merge)
	}
}

// eachPiece cuts the two halves of a block into pieces that a workspace holds.
func (f *transform[E, P]) eachPiece(w *workspace[E], start, half int, work func(w *workspace[E], x, y []E)) {
	width := min(half, columnWidth)
	for i := start; i < start+half; i += width {
		work(w, f.a[i:i+width], f.a[i+half:i+half+width])
	}
}

// split is (x, y) → (x + t·y, x − t·y) for the twiddle factor t at hand.
func (f *transform[E, P]) split(w *workspace[E], x, y []E) {
	product := w.t[:len(x)]
	f.scale(w, product, y)
	f.vec.sub(y, x, product)
	f.vec.add(x, x, product)
}

// merge is (x, y) → (x + y, t·(x − y)) for the twiddle factor t at hand.
func (f *transform[E, P]) merge(w *workspace[E], x, y []E) {
	difference := w.t[:len(x)]
	f.vec.sub(difference, x, y)
	f.vec.add(x, x, y)
	f.scale(w, y, difference)
}

// scale is dst = t·a for the twiddle factor t at hand.
func (f *transform[E, P]) scale(w *workspace[E], dst, a []E) {
	if w.unit {
		copy(dst, a)
		return
	}
	f.vec.scale(dst, a, &w.twiddle)
}

// twiddle sets the factor at hand to T[k].
func (f *transform[E, P]) twiddle(w *workspace[E], k int) {
	w.unit = k == 0
	P(&w.twiddle).Mul(&f.t.high[k/tile], &f.t.low[k%tile])
}

// narrow is the width below which halves of blocks are gathered from several blocks, since vector instructions take
// eight elements at once.
const narrow = 8

// narrowStage gathers the halves of as many blocks as a workspace holds, joins them at once with a vector of twiddle
// factors, and puts them back.
func (f *transform[E, P]) narrowStage(w *workspace[E], half, from, to int,
	join func(w *workspace[E], x, y, t []E),
) {
	for start := from; start < to; start += 2 * columnWidth {
		n := min(columnWidth, (to-start)/2)
		x, y, part := w.x[:n], w.y[:n], f.a[start:start+2*n]
		eachPair(n, half, func(i, j int) { x[i], y[i] = part[j], part[j+half] })
		f.narrowTwiddles(w, w.t[:n], start/(2*half), half)
		join(w, x, y, w.t[:n])
		eachPair(n, half, func(i, j int) { part[j], part[j+half] = x[i], y[i] })
	}
}

// eachPair calls work for n pairs of elements half apart, with the number of the pair and the place of its first.
func eachPair(n, half int, work func(i, j int)) {
	for i := 0; i < n; i += half {
		for k := range half {
			work(i+k, 2*i+k)
		}
	}
}

// narrowTwiddles writes T[block], T[block+1] ... each half times. The blocks of one call share an entry of the high
// table, since there are at most columnWidth of them and they begin at a multiple of their number.
func (f *transform[E, P]) narrowTwiddles(w *workspace[E], t []E, block, half int) {
	distinct := f.t.low[block%tile:][:len(t)/half]
	if block >= tile {
		f.vec.scale(w.u[:len(distinct)], distinct, &f.t.high[block/tile])
		distinct = w.u[:len(distinct)]
	}
	for i := range t {
		t[i] = distinct[i/half]
	}
}

func (f *transform[E, P]) splitNarrow(_ *workspace[E], x, y, t []E) {
	f.vec.mul(t, y, t)
	f.vec.sub(y, x, t)
	f.vec.add(x, x, t)
}

func (f *transform[E, P]) mergeNarrow(w *workspace[E], x, y, t []E) {
	difference := w.u[:len(x)]
	f.vec.sub(difference, x, y)
	f.vec.add(x, x, y)
	f.vec.mul(y, difference, t)
}
