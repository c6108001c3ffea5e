package gnark

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// tile is how many elements are worked on before the next: with three operands it stays in the first-level cache.
const tile = 256

func elements[E any](what string, b []byte) ([]E, error) {
	v, err := view.Of[E](b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", engine.ErrOperand, what, err)
	}
	return v, nil
}

// operands views several vectors that must be equally long.
func operands[E any](bytes ...[]byte) ([][]E, error) {
	views := make([][]E, len(bytes))
	for i, b := range bytes {
		if len(b) != len(bytes[0]) {
			return nil, fmt.Errorf("%w: vectors of %d and %d bytes", engine.ErrOperand, len(bytes[0]), len(b))
		}
		v, err := elements[E]("vector", b)
		if err != nil {
			return nil, err
		}
		views[i] = v
	}
	return views, nil
}

func (e *implementation[E, P]) Mul(ctx context.Context, dst, a, b []byte, threads int) error {
	return eachTile(ctx, threads, func(v [][]E) { e.vec.mul(v[0], v[1], v[2]) }, dst, a, b)
}

func (e *implementation[E, P]) Sub(ctx context.Context, dst, a, b []byte, threads int) error {
	return eachTile(ctx, threads, func(v [][]E) { e.vec.sub(v[0], v[1], v[2]) }, dst, a, b)
}

func (e *implementation[E, P]) MulSub(ctx context.Context, dst, a, b, c []byte, threads int) error {
	return eachTile(ctx, threads, func(v [][]E) {
		var product [tile]E
		t := product[:len(v[0])]
		e.vec.mul(t, v[1], v[2])
		e.vec.sub(v[0], t, v[3])
	}, dst, a, b, c)
}

func (e *implementation[E, P]) ToCanonical(ctx context.Context, dst, src []byte, threads int) error {
	one := rawOne[E]() // x·R times 1, reduced by R, is x
	return eachTile(ctx, threads, func(v [][]E) { e.vec.scale(v[0], v[1], &one) }, dst, src)
}

func (e *implementation[E, P]) ToMontgomery(ctx context.Context, dst, src []byte, threads int) error {
	square := montgomerySquare[E](e.id) // x times R², reduced by R, is x·R
	return eachTile(ctx, threads, func(v [][]E) { e.vec.scale(v[0], v[1], &square) }, dst, src)
}

// eachTile calls work on corresponding tiles of equally long vectors, from several goroutines.
func eachTile[E any](ctx context.Context, threads int, work func([][]E), bytes ...[]byte) error {
	whole, err := operands[E](bytes...)
	if err != nil {
		return err
	}
	return parallel.Ranges(ctx, len(whole[0]), tile, threads, func(from, to int) error {
		part := make([][]E, len(whole))
		for ; from < to; from += tile {
			for i, v := range whole {
				part[i] = v[from:min(from+tile, to)]
			}
			work(part)
		}
		return ctx.Err()
	})
}

// rawOne is the element whose words are the integer 1, not its Montgomery form.
func rawOne[E any]() (one E) {
	view.One(&one)[0] = 1
	return one
}

// montgomerySquare is the element whose words are R² = 2^512 mod r.
func montgomerySquare[E any](id curve.ID) (square E) {
	curve.PutLittleEndian(view.One(&square), power512(id))
	return square
}
