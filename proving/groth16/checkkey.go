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

// CheckKey reads every point of a proving key and says whether it is a point of its group (range, curve and subgroup),
// and whether β and δ agree in both groups. It costs more than a proof, which is why provers leave it to the
// verification of their proofs. progress, which may be nil, is told how many of all points are done; it is called from
// several goroutines.
func CheckKey(ctx context.Context, key *zkey.Key, threads int, progress func(done, all int)) error {
	suite, err := pairing.Of(key.Curve)
	if err != nil {
		return err
	}
	if _, err := ExportVerifyingKey(key); err != nil {
		return fmt.Errorf("%w: %w", ErrProvingKey, err)
	}
	if err := checkTwins(suite, key); err != nil {
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

// checkTwins says whether β and δ are the same in both groups. Were δ not, proofs would not be blinded.
func checkTwins(suite *pairing.Suite, key *zkey.Key) error {
	for _, twin := range []struct {
		name   string
		p1, p2 []byte
	}{{"beta", key.Beta1, key.Beta2}, {"delta", key.Delta1, key.Delta2}} {
		if err := suite.CheckPoint(curve.G1, twin.p1); err != nil {
			return fmt.Errorf("%s in G1: %w", twin.name, err)
		}
		same, err := suite.ProductIsOne(
			[][]byte{twin.p1, suite.Negate(curve.G1, suite.Generator(curve.G1))},
			[][]byte{suite.Generator(curve.G2), twin.p2})
		if err != nil {
			return fmt.Errorf("%s: %w", twin.name, err)
		}
		if !same {
			return fmt.Errorf("%s is not the same in both groups", twin.name)
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
