package groth16

import (
	"context"
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// Query is one of the five multi-scalar multiplications of a proof.
type Query uint8

// The queries. All but QueryH are weighted by the witness.
const (
	QueryA Query = iota
	QueryB1
	QueryB2
	QueryL
	QueryH
)

var queryNames = [...]string{QueryA: "a", QueryB1: "b_g1", QueryB2: "b_g2", QueryL: "l", QueryH: "h"}

// ErrUnknownQuery is wrapped when a name is that of no query.
var ErrUnknownQuery = errors.New("unknown query")

// Queries lists all queries.
func Queries() []Query { return []Query{QueryA, QueryB1, QueryB2, QueryL, QueryH} }

// ParseQuery finds a query by its name: a, b_g1, b_g2, l or h.
func ParseQuery(name string) (Query, error) {
	for _, q := range Queries() {
		if q.String() == name {
			return q, nil
		}
	}
	return 0, fmt.Errorf("%w %q (a, b_g1, b_g2, l or h)", ErrUnknownQuery, name)
}

// String is the query's name.
func (q Query) String() string { return queryNames[q] }

// Group is where the query's points are: G2 for b_g2, G1 for the others.
func (q Query) Group() curve.Group {
	if q == QueryB2 {
		return curve.G2
	}
	return curve.G1
}

// Form is how the query's scalars lie: h is Montgomery, a witness canonical.
func (q Query) Form() engine.Form {
	if q == QueryH {
		return engine.Montgomery
	}
	return engine.Canonical
}

// Terms is how many terms the query's sum has.
func (q Query) Terms(h zkey.Header) int {
	switch q {
	case QueryL:
		return h.NVars - h.NPublic - 1
	case QueryH:
		return h.DomainSize
	}
	return h.NVars
}

// Bases are all points of the query, where they lie in the key.
func (q Query) Bases(key *zkey.Key) []byte {
	return [...][]byte{QueryA: key.A, QueryB1: key.B1, QueryB2: key.B2, QueryL: key.C, QueryH: key.H}[q]
}

// Points are the points of a slice of the query, where they lie in the key.
func (q Query) Points(key *zkey.Key, s Slice) []byte {
	size := key.Curve.PointSize(q.Group())
	return q.Bases(key)[s.First*size : (s.First+s.Count)*size]
}

// FirstScalar is the place in the witness or in h, in elements, of the query's first scalar.
func (q Query) FirstScalar(h zkey.Header) int {
	if q == QueryL {
		return h.NPublic + 1
	}
	return 0
}

// Slice is Count terms of a query from First on.
type Slice struct{ First, Count int }

// Whole is all terms of a query.
func (q Query) Whole(h zkey.Header) Slice { return Slice{0, q.Terms(h)} }

// Slices cuts a query into pieces of at most size terms. There is always at least one, if an empty one.
func (q Query) Slices(h zkey.Header, size int) []Slice {
	n := q.Terms(h)
	slices := []Slice{{0, min(max(size, 1), n)}}
	for first := slices[0].Count; first < n; first += size {
		slices = append(slices, Slice{first, min(size, n-first)})
	}
	return slices
}

// Sum writes into out, an affine point of the query's group, the sum over a slice of the query. vector is the whole
// witness or, for QueryH, the whole of h. Sums over slices that cover the query add to its sum, see Add.
// scratch is what SumNeed says.
func Sum(ctx context.Context, e engine.Engine, key *zkey.Key, q Query, s Slice, out, vector, scratch []byte,
	threads int,
) error {
	first := q.FirstScalar(key.Header)
	if e.Curve() != key.Curve {
		return fmt.Errorf("%w: the engine is for %s and the key over %s", engine.ErrOperand, e.Curve(), key.Curve)
	}
	if s.First < 0 || s.Count < 0 || s.First+s.Count > q.Terms(key.Header) {
		return fmt.Errorf("%w: terms %d to %d of query %s, which has %d", engine.ErrOperand,
			s.First, s.First+s.Count, q, q.Terms(key.Header))
	}
	if want := (first + q.Terms(key.Header)) * curve.ScalarSize; len(vector) != want {
		return fmt.Errorf("%w: %d bytes of scalars for query %s, which takes %d", engine.ErrOperand, len(vector), q, want)
	}
	scalars := vector[(first+s.First)*curve.ScalarSize:][:s.Count*curve.ScalarSize]
	if err := e.MSM(ctx, q.Group(), out, q.Points(key, s), scalars, q.Form(), scratch, threads); err != nil {
		return fmt.Errorf("query %s: %w", q, err)
	}
	return nil
}

// SumNeed says what Sum takes for a slice of count terms.
func SumNeed(e engine.Engine, q Query, count, threads int) engine.Need {
	return e.MSMNeed(q.Group(), count, threads)
}
