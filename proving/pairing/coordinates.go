package pairing

import (
	"fmt"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// Coordinates are the affine coordinates of a point as integers: x, y in G1; x0, x1, y0, y1 in G2, where an element
// of the extension is x0 + x1·u. Infinity, which has none, is all zero.
func (s *Suite) Coordinates(p []byte) []*big.Int { return s.leaveMontgomery(p) }

// Point is the point with the given coordinates, checked as by CheckPoint. All zero is infinity.
func (s *Suite) Point(g curve.Group, coordinates []*big.Int) ([]byte, error) {
	p := make([]byte, s.id.PointSize(g))
	size := s.id.BaseSize()
	if len(coordinates) != len(p)/size {
		return nil, fmt.Errorf("a %s point has %d coordinates, not %d", g, len(p)/size, len(coordinates))
	}
	q := s.id.BaseModulus()
	for i, c := range coordinates {
		if c.Sign() < 0 || c.Cmp(q) >= 0 {
			return nil, ErrRange
		}
		m := new(big.Int).Lsh(c, uint(8*size))
		curve.PutLittleEndian(p[i*size:][:size], m.Mod(m, q))
	}
	if err := s.CheckPoint(g, p); err != nil {
		return nil, err
	}
	return p, nil
}

// Pair is the reduced pairing e(p, q): twelve coordinates over the base field, in the order of the tower
// Fq12 = Fq6[w]/(w²−v), Fq6 = Fq2[v], Fq2 = Fq[u], lowest degree first. The final exponent is the multiple of
// (q¹²−1)/r that gnark-crypto and snarkjs both use because it is fast.
func (s *Suite) Pair(p, q []byte) ([]*big.Int, error) {
	gt, err := s.pair(p, q)
	if err != nil {
		return nil, fmt.Errorf("pairing: %w", err)
	}
	return s.leaveMontgomery(gt), nil
}

func (s *Suite) leaveMontgomery(b []byte) []*big.Int {
	q, size := s.id.BaseModulus(), s.id.BaseSize()
	radix := new(big.Int).Lsh(big.NewInt(1), uint(8*size))
	inverse := radix.ModInverse(radix, q)
	list := make([]*big.Int, len(b)/size)
	for i := range list {
		x := curve.FromLittleEndian(b[i*size:][:size])
		list[i] = x.Mod(x.Mul(x, inverse), q)
	}
	return list
}
