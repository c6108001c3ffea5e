package groth16

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/field"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// keyScalars are the logarithms of a key's points. All but record fill dst with canonical scalars from a place on.
type keyScalars interface {
	ic(first int, dst []byte)
	a(first int, dst []byte)
	b(first int, dst []byte)
	c(first int, dst []byte)
	h(first int, dst []byte)
	// record writes a canonical coefficient times 2^512.
	record(dst, coefficient []byte)
}

// errTau is returned when τ lies in the domain, which happens once in 2^200 keys.
var errTau = errors.New("the drawn secret lies in the domain; draw again")

// scalars are those of a key over the field E. For every wire s, with the Lagrange basis L of the domain at τ,
//
//	u = Σ L_i·A[i][s]    v = Σ L_i·B[i][s]    k = β·u + α·v + Σ L_i·C[i][s]
type scalars[E any, P field.Element[E]] struct {
	u, v, k      []E
	nPublic      int
	inverseDelta E
	radix2, one  E // 2^512 and 1 as plain words
	cosetRoot    E // g·ω^i for the next chunk of H starts from here
	omega, tau   E
	hFactor      E // (τ^2n − 1)/(2n·δ)
}

func newScalars[E any, P field.Element[E]](ctx context.Context, m *maker, memory []byte) (keyScalars, error) {
	n := m.header.NVars
	all, err := view.Of[E](memory[:(3*n+m.header.DomainSize)*curve.ScalarSize])
	if err != nil {
		return nil, fmt.Errorf("%w: memory: %w", engine.ErrOperand, err)
	}
	clear(all)
	s := &scalars[E, P]{u: all[:n], v: all[n : 2*n], k: all[2*n : 3*n], nPublic: m.header.NPublic}
	if err := s.setConstants(m); err != nil {
		return nil, err
	}
	lagrange := all[3*n:]
	s.fillLagrange(lagrange)
	return s, s.accumulate(ctx, m, lagrange)
}

// setConstants derives the field elements that the formulas share.
func (s *scalars[E, P]) setConstants(m *maker) error {
	id, n := m.header.Curve, m.header.DomainSize
	one := big.NewInt(1)
	P(&s.tau).SetBigInt(m.waste.tau)
	P(&s.inverseDelta).Inverse(P(&s.inverseDelta).SetBigInt(m.waste.delta))
	P(&s.cosetRoot).SetBigInt(id.RootOfUnity())
	for range id.TwoAdicity() - bits.TrailingZeros(uint(n)) - 1 {
		P(&s.cosetRoot).Square(&s.cosetRoot)
	}
	P(&s.omega).Square(&s.cosetRoot)
	curve.PutLittleEndian(view.One(&s.radix2), new(big.Int).Mod(new(big.Int).Lsh(one, 512), id.ScalarModulus()))
	view.One(&s.one)[0] = 1

	var factor, unit E
	P(&unit).SetOne()
	P(&factor).Exp(s.tau, big.NewInt(int64(2*n)))
	P(&factor).Sub(&factor, &unit)
	if P(&factor).IsZero() {
		return errTau
	}
	var divisor E
	P(&divisor).Inverse(P(&divisor).SetUint64(uint64(2 * n)))
	P(&s.hFactor).Mul(P(&factor).Mul(&factor, &divisor), &s.inverseDelta)
	return nil
}

// fillLagrange sets L_i = (τ^n − 1)/n · ω^i/(τ − ω^i).
func (s *scalars[E, P]) fillLagrange(lagrange []E) {
	n := len(lagrange)
	var factor, unit, divisor E
	P(&unit).SetOne()
	P(&factor).Exp(s.tau, big.NewInt(int64(n)))
	P(&factor).Sub(&factor, &unit)
	P(&divisor).Inverse(P(&divisor).SetUint64(uint64(n)))
	P(&factor).Mul(&factor, &divisor)
	root := unit
	for from := 0; from < n; from += chunkSize {
		root = s.lagrangeChunk(lagrange[from:min(from+chunkSize, n)], root, &factor)
	}
}

// lagrangeChunk sets factor·x/(τ − x) for x = root·ω^i, with one inversion, and returns the root of the next chunk.
func (s *scalars[E, P]) lagrangeChunk(dst []E, root E, factor *E) E {
	x, difference, running := root, *new(E), *factor
	P(&running).SetOne()
	for i := range dst { // dst[i] = Π_{j<i} (τ − x_j)
		dst[i] = running
		P(&difference).Sub(&s.tau, &x)
		P(&running).Mul(&running, &difference)
		P(&x).Mul(&x, &s.omega)
	}
	next := x
	var inverseOmega E
	P(&inverseOmega).Inverse(&s.omega)
	P(&running).Inverse(&running)
	for i := len(dst) - 1; i >= 0; i-- { // running = Π_{j≤i} 1/(τ − x_j)
		P(&x).Mul(&x, &inverseOmega)
		P(&dst[i]).Mul(&dst[i], &running)
		P(&dst[i]).Mul(&dst[i], &x)
		P(&dst[i]).Mul(&dst[i], factor)
		P(&difference).Sub(&s.tau, &x)
		P(&running).Mul(&running, &difference)
	}
	return next
}

// accumulate sums u, v and k over the rows.
func (s *scalars[E, P]) accumulate(ctx context.Context, m *maker, lagrange []E) error {
	var coefficient, term E
	for row, constraint := range m.system.All() {
		if row%(1<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for matrix, sums := range [][]E{s.u, s.v, s.k} {
			for i := range constraint[matrix].Len() {
				wire, bytes := constraint[matrix].Term(i)
				s.load(&coefficient, bytes)
				P(&term).Mul(&coefficient, &lagrange[row])
				P(&sums[wire]).Add(&sums[wire], &term)
			}
		}
	}
	for wire := range m.header.NPublic + 1 {
		P(&s.u[wire]).Add(&s.u[wire], &lagrange[m.system.Constraints+wire])
	}
	var alpha, beta E
	P(&alpha).SetBigInt(m.waste.alpha)
	P(&beta).SetBigInt(m.waste.beta)
	for i := range s.k {
		P(&s.k[i]).Add(&s.k[i], P(&term).Mul(&s.u[i], &beta))
		P(&s.k[i]).Add(&s.k[i], P(&term).Mul(&s.v[i], &alpha))
	}
	return nil
}

// load reads a canonical scalar: its words times 2^512, reduced by 2^256, are its Montgomery form.
func (s *scalars[E, P]) load(dst *E, canonical []byte) {
	copy(view.One(dst), canonical)
	P(dst).Mul(dst, &s.radix2)
}

// store writes an element as a canonical scalar.
func (s *scalars[E, P]) store(dst []byte, e *E) {
	var plain E
	P(&plain).Mul(e, &s.one)
	copy(dst, view.One(&plain))
}

func (s *scalars[E, P]) storeAll(dst []byte, from []E) {
	for i := range len(dst) / curve.ScalarSize {
		s.store(dst[i*curve.ScalarSize:][:curve.ScalarSize], &from[i])
	}
}

func (s *scalars[E, P]) ic(first int, dst []byte) { s.storeAll(dst, s.k[first:]) }
func (s *scalars[E, P]) a(first int, dst []byte)  { s.storeAll(dst, s.u[first:]) }
func (s *scalars[E, P]) b(first int, dst []byte)  { s.storeAll(dst, s.v[first:]) }

// c is k/δ for the private wires.
func (s *scalars[E, P]) c(first int, dst []byte) {
	var quotient E
	for i := range len(dst) / curve.ScalarSize {
		P(&quotient).Mul(&s.k[s.nPublic+1+first+i], &s.inverseDelta)
		s.store(dst[i*curve.ScalarSize:][:curve.ScalarSize], &quotient)
	}
}

// h is the Lagrange basis of the odd coset at τ times the vanishing polynomial, over what that is there and over δ:
// (τ^2n − 1)/(2n·δ) · x/(τ − x) for x = g·ω^i. Chunks are asked for in order.
func (s *scalars[E, P]) h(_ int, dst []byte) {
	chunk := make([]E, len(dst)/curve.ScalarSize)
	s.cosetRoot = s.lagrangeChunk(chunk, s.cosetRoot, &s.hFactor)
	s.storeAll(dst, chunk)
}

// record multiplies the words of a coefficient twice by 2^512 and reduces twice by 2^256.
func (s *scalars[E, P]) record(dst, coefficient []byte) {
	var e E
	s.load(&e, coefficient)
	P(&e).Mul(&e, &s.radix2)
	copy(dst, view.One(&e))
}
