package groth16

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha512"
	"fmt"
	"io"
	"math/big"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/fixedbase"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// SetupHeader is the header of the key that Setup makes for a circuit. The domain is the least power of two that
// holds the constraints and one row for the constant and every public wire, as in snarkjs.
func SetupHeader(s *r1cs.System) (zkey.Header, error) {
	h := zkey.Header{Curve: s.Curve, NVars: s.Wires, NPublic: s.NPublic(), DomainSize: 2}
	for h.DomainSize < s.Constraints+h.NPublic+1 {
		h.DomainSize *= 2
	}
	if h.DomainSize >= 1<<h.Curve.TwoAdicity() {
		return h, fmt.Errorf("%w: %d constraints are too many for %s", engine.ErrDomainSize, s.Constraints, h.Curve)
	}
	return h, nil
}

// SetupRecords is the number of coefficient records of that key.
func SetupRecords(s *r1cs.System) int { return s.Terms[0] + s.Terms[1] + s.NPublic() + 1 }

// SetupNeed says what Setup takes: four vectors of scalars, and on the heap the tables of both generators.
func SetupNeed(h zkey.Header, threads int) engine.Need {
	return engine.Need{
		Scratch: int64(3*h.NVars+h.DomainSize) * curve.ScalarSize,
		Heap: fixedbase.Bytes(h.Curve, curve.G1, g1Points(h)) + fixedbase.Bytes(h.Curve, curve.G2, h.NVars) +
			2*int64(chunkSize)*int64(h.Curve.PointSize(curve.G2)+curve.ScalarSize),
	}
}

func g1Points(h zkey.Header) int { return 3*h.NVars + h.DomainSize }

// Setup makes a development key for a circuit and writes it as a .zkey. Whoever runs it could keep the secrets that it
// draws from crypto/rand and forge proofs: such a key is for trying things out. memory has SetupNeed's Scratch bytes.
// progress, which may be nil, is told the share that is done, from 0 to 1.
func Setup(ctx context.Context, s *r1cs.System, to io.Writer, memory []byte, threads int, progress func(float64)) error {
	waste, err := drawSecrets(s.Curve, rand.Reader)
	if err != nil {
		return err
	}
	return setup(ctx, s, to, waste, memory, threads, progress)
}

// secrets is the toxic waste of a key. γ is 1, as in keys of snarkjs.
type secrets struct{ tau, alpha, beta, delta *big.Int }

// drawSecrets draws secrets that are neither zero nor, in practice, roots of unity; Setup checks the latter.
func drawSecrets(id curve.ID, random io.Reader) (s secrets, err error) {
	most := new(big.Int).Sub(id.ScalarModulus(), big.NewInt(1))
	for _, into := range []**big.Int{&s.tau, &s.alpha, &s.beta, &s.delta} {
		n, err := rand.Int(random, most)
		if err != nil {
			return s, fmt.Errorf("draw secrets: %w", err)
		}
		*into = n.Add(n, big.NewInt(1))
	}
	return s, nil
}

// developmentMark stands where the hash of the circuit would be in a key from a ceremony.
var developmentMark = sha512.Sum512([]byte("proofgraph insecure development key"))

// contributionsSize is the length of section 10 of a development key: the mark and the number of contributions, 0.
const contributionsSize = sha512.Size + 4

func writeContributions(to io.Writer) error {
	_, err := to.Write(append(developmentMark[:], 0, 0, 0, 0))
	return err
}

// IsDevelopmentKey says whether a key was made by Setup.
func IsDevelopmentKey(key *zkey.Key) bool {
	return len(key.Contributions) >= len(developmentMark) &&
		[sha512.Size]byte(key.Contributions[:sha512.Size]) == developmentMark
}

func setup(ctx context.Context, s *r1cs.System, to io.Writer, waste secrets, memory []byte, threads int,
	progress func(float64),
) error {
	h, err := SetupHeader(s)
	if err != nil {
		return err
	}
	if need := SetupNeed(h, threads); int64(len(memory)) < need.Scratch {
		return fmt.Errorf("%w: %d bytes of memory for a setup that takes %d", engine.ErrOperand,
			len(memory), need.Scratch)
	}
	m := &maker{system: s, header: h, waste: waste, threads: threads, progress: newProgress(h, progress)}
	if err := m.makeTables(ctx); err != nil {
		return err
	}
	if m.scalars, err = newKeyScalars(ctx, m, memory); err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(to, 1<<20)
	part := func(p zkey.Part, to io.Writer) error { return m.write(ctx, p, to) }
	if err := zkey.Write(buffered, h, m.points(), SetupRecords(s), contributionsSize, part); err != nil {
		return err
	}
	return buffered.Flush()
}

func newKeyScalars(ctx context.Context, m *maker, memory []byte) (keyScalars, error) {
	switch m.header.Curve {
	case curve.BN254:
		return newScalars[bnfr.Element](ctx, m, memory)
	case curve.BLS12381:
		return newScalars[blsfr.Element](ctx, m, memory)
	}
	return nil, fmt.Errorf("%w: %s", curve.ErrUnknown, m.header.Curve)
}

// maker makes one key.
type maker struct {
	system   *r1cs.System
	header   zkey.Header
	waste    secrets
	threads  int
	suite    *pairing.Suite
	tables   [3]fixedbase.Table // by group
	scalars  keyScalars
	progress *progress
}

func (m *maker) makeTables(ctx context.Context) (err error) {
	if m.suite, err = pairing.Of(m.header.Curve); err != nil {
		return err
	}
	for g, n := range map[curve.Group]int{curve.G1: g1Points(m.header), curve.G2: m.header.NVars} {
		m.tables[g], err = fixedbase.New(ctx, m.header.Curve, g, m.suite.Generator(g), n, m.threads)
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) points() zkey.Points {
	times := func(g curve.Group, k *big.Int) []byte { return m.suite.Multiply(g, m.suite.Generator(g), k) }
	return zkey.Points{
		Alpha1: times(curve.G1, m.waste.alpha), Beta1: times(curve.G1, m.waste.beta), Delta1: times(curve.G1, m.waste.delta),
		Beta2: times(curve.G2, m.waste.beta), Gamma2: m.suite.Generator(curve.G2), Delta2: times(curve.G2, m.waste.delta),
	}
}
