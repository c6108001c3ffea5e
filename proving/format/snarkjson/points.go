package snarkjson

import (
	"fmt"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// longestNumber bounds the digits of a number, so that a hostile document costs little to refuse: 2^384 has 116.
const longestNumber = 120

// integer reads a decimal number without a sign.
func (s fq) integer() (*big.Int, error) {
	if len(s) == 0 || len(s) > longestNumber {
		return nil, fmt.Errorf("a number of %d digits", len(s))
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return nil, fmt.Errorf("%q is no decimal number", string(s))
		}
	}
	n, _ := new(big.Int).SetString(string(s), 10)
	return n, nil
}

// pointReader turns coordinates into checked points and keeps the first error.
type pointReader struct {
	suite *pairing.Suite
	err   error
}

func newPointReader(proto, name string) (*pointReader, error) {
	id, err := curveOf(proto, name)
	if err != nil {
		return nil, err
	}
	suite, err := pairing.Of(id)
	return &pointReader{suite: suite}, err
}

func (r *pointReader) g1(name string, p g1Point) []byte {
	return r.point(name, curve.G1, p[:2], p[2:])
}

func (r *pointReader) g2(name string, p g2Point) []byte {
	return r.point(name, curve.G2, []fq{p[0][0], p[0][1], p[1][0], p[1][1]}, p[2][:])
}

// point accepts affine points, whose third coordinate is one, and infinity, which snarkjs writes as 0, 1, 0.
func (r *pointReader) point(name string, g curve.Group, affine, third []fq) []byte {
	if r.err != nil {
		return nil
	}
	p, err := r.parse(g, affine, third)
	if err != nil {
		r.err = fmt.Errorf("%w: %s: %w", ErrMalformed, name, err)
	}
	return p
}

func (r *pointReader) parse(g curve.Group, affine, third []fq) ([]byte, error) {
	if z := third[0]; len(third) == 2 && third[1] != "0" || z != "0" && z != "1" {
		return nil, fmt.Errorf("the third coordinate of a point is 1, or 0 at infinity")
	}
	if third[0] == "0" {
		return make([]byte, r.suite.Curve().PointSize(g)), nil
	}
	coordinates := make([]*big.Int, len(affine))
	for i, c := range affine {
		n, err := c.integer()
		if err != nil {
			return nil, err
		}
		coordinates[i] = n
	}
	p, err := r.suite.Point(g, coordinates)
	if err == nil && pairing.IsInfinity(p) {
		err = pairing.ErrNotCurve
	}
	return p, err
}

// pointWriter turns points into coordinates.
type pointWriter struct{ suite *pairing.Suite }

func newPointWriter(id curve.ID) (pointWriter, error) {
	suite, err := pairing.Of(id)
	return pointWriter{suite}, err
}

func (w pointWriter) g1(p []byte) g1Point {
	if pairing.IsInfinity(p) {
		return g1Point{"0", "1", "0"}
	}
	c := w.decimals(p)
	return g1Point{c[0], c[1], "1"}
}

func (w pointWriter) g2(p []byte) g2Point {
	if pairing.IsInfinity(p) {
		return g2Point{{"0", "0"}, {"1", "0"}, {"0", "0"}}
	}
	c := w.decimals(p)
	return g2Point{{c[0], c[1]}, {c[2], c[3]}, {"1", "0"}}
}

func (w pointWriter) decimals(p []byte) []fq { return toDecimals(w.suite.Coordinates(p)) }

func toDecimals(numbers []*big.Int) []fq {
	list := make([]fq, len(numbers))
	for i, n := range numbers {
		list[i] = fq(n.String())
	}
	return list
}

func (w pointWriter) pairing(p, q []byte) (f fq12, err error) {
	gt, err := w.suite.Pair(p, q)
	if err != nil {
		return f, err
	}
	c := toDecimals(gt)
	for i := range 12 {
		f[i/6][i/2%3][i%2] = c[i]
	}
	return f, nil
}
