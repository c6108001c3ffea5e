package groth16

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// ErrProvingKey is wrapped when a proving key holds something that is no point.
var ErrProvingKey = errors.New("bad proving key")

// pointsAtOnce is how many points are checked between two looks at the context.
const pointsAtOnce = 1024

// CheckKey reads every point of a proving key and says whether it is a point of its group: range, curve and subgroup. It
// costs more than a proof, which is why provers leave it to the verification of their proofs. progress, which may
// be nil, is told how many of all points are done; it is called from several goroutines.
func CheckKey(ctx context.Context, key *zkey.Key, threads int, progress func(done, all int)) error {
	suite, err := pairing.Of(key.Curve)
	if err != nil {
		return err
	}
	if _, err := ExportVerifyingKey(key); err != nil {
		return fmt.Errorf("%w: %w", ErrProvingKey, err)
	}
	singles := []namedPoint{{"beta in G1", curve.G1, key.Beta1}, {"delta in G1", curve.G1, key.Delta1}}
	if err := checkPoints(key.Curve, singles); err != nil {
		return fmt.Errorf("%w: %w", ErrProvingKey, err)
	}
	check := keyCheck{suite: suite, threads: threads, progress: progress}
	for _, q := range Queries() {
		check.all += q.Terms(key.Header)
	}
	for _, q := range Queries() {
		if err := check.query(ctx, q, q.Bases(key)); err != nil {
			return err
		}
	}
	return nil
}

type keyCheck struct {
	suite    *pairing.Suite
	threads  int
	all      int
	done     atomic.Int64
	progress func(done, all int)
}

func (c *keyCheck) query(ctx context.Context, q Query, points []byte) error {
	size := c.suite.Curve().PointSize(q.Group())
	n := len(points) / size
	return parallel.Ranges(ctx, n, pointsAtOnce, c.threads, func(from, to int) error {
		for ; from < to; from += pointsAtOnce {
			if err := ctx.Err(); err != nil {
				return err
			}
			count := min(pointsAtOnce, to-from)
			if bad, err := c.suite.CheckPoints(q.Group(), points[from*size:][:count*size]); err != nil {
				return fmt.Errorf("%w: point %d of query %s: %w", ErrProvingKey, from+bad, q, err)
			}
			c.tell(count)
		}
		return nil
	})
}

func (c *keyCheck) tell(points int) {
	done := c.done.Add(int64(points))
	if c.progress != nil {
		c.progress(int(done), c.all)
	}
}
