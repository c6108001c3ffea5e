package ifma

import (
	"bytes"
	"math/big"
	"math/rand"
	"sync"
	"testing"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"
)

// reference is gnark-crypto's side of a group, in bytes: what the kernels are held to.
type reference struct {
	name    string
	curve   Curve
	group   Group
	order   *big.Int
	scalars func(values []*big.Int) []byte                   // Montgomery form
	msm     func(points, scalars []byte, threads int) []byte // scalars in Montgomery form
	some    func(n int) []byte                               // n points, distinct and with no short relations
	negate  func(points []byte) []byte
}

// element, groupAffine and groupJacobian are what the references need of gnark-crypto's types.
type element[E any] interface {
	*E
	SetBigInt(*big.Int) *E
}

type groupAffine[A, J, E any] interface {
	*A
	MultiExp(points []A, scalars []E, config ecc.MultiExpConfig) (*A, error)
	Neg(*A) *A
	FromJacobian(*J) *A
}

type groupJacobian[A, J any] interface {
	*J
	DoubleAssign() *J
	AddMixed(*A) *J
	FromAffine(*A) *J
}

func newReference[A, J, E any, PA groupAffine[A, J, E], PJ groupJacobian[A, J], PE element[E]](
	name string, c Curve, g Group, order *big.Int, generator A,
) reference {
	return reference{
		name: name, curve: c, group: g, order: order,
		scalars: func(values []*big.Int) []byte {
			out := make([]E, len(values))
			for i, v := range values {
				PE(&out[i]).SetBigInt(v)
			}
			return asBytes(out)
		},
		msm: func(points, scalars []byte, threads int) []byte {
			sum := make([]A, 1)
			if len(points) > 0 {
				if _, err := PA(&sum[0]).MultiExp(asSlice[A](points), asSlice[E](scalars), ecc.MultiExpConfig{NbTasks: threads}); err != nil {
					panic(err)
				}
			}
			return asBytes(sum)
		},
		some: func(n int) []byte {
			points := make([]A, n)
			var sum J
			PJ(&sum).FromAffine(&generator)
			for i := range points {
				PA(&points[i]).FromJacobian(&sum)
				PJ(PJ(&sum).DoubleAssign()).AddMixed(&generator)
			}
			return asBytes(points)
		},
		negate: func(points []byte) []byte {
			out := make([]A, len(points)/int(unsafe.Sizeof(*new(A))))
			for i, p := range asSlice[A](points) {
				PA(&out[i]).Neg(&p)
			}
			return asBytes(out)
		},
	}
}

// pool is a reference's first few points, made once.
func (r reference) pool(n int) []byte {
	size := PointBytes(r.curve, r.group)
	points := pools.get(r.name, n*size, func() []byte { return r.some(n) })
	return bytes.Clone(points)
}

// opposites are the negatives of the pool.
func (r reference) opposites(n int) []byte {
	size := PointBytes(r.curve, r.group)
	return pools.get(r.name+"/negated", n*size, func() []byte { return r.negate(r.pool(n)) })
}

// pools keeps what takes long to make.
var pools = poolSet{made: map[string][]byte{}}

type poolSet struct {
	sync.Mutex
	made map[string][]byte
}

func (p *poolSet) get(name string, size int, make func() []byte) []byte {
	p.Lock()
	known := p.made[name]
	p.Unlock()
	if len(known) < size {
		known = make()
		p.Lock()
		p.made[name] = known
		p.Unlock()
	}
	return known[:size:size]
}

// references are all groups of all curves.
func references() []reference {
	_, _, bn1, bn2 := bn254.Generators()
	_, _, bls1, bls2 := bls12381.Generators()
	bn, bls := bnfr.Modulus(), blsfr.Modulus()
	return []reference{
		newReference[bn254.G1Affine, bn254.G1Jac, bnfr.Element]("curve=bn254/group=g1", BN254, G1, bn, bn1),
		newReference[bn254.G2Affine, bn254.G2Jac, bnfr.Element]("curve=bn254/group=g2", BN254, G2, bn, bn2),
		newReference[bls12381.G1Affine, bls12381.G1Jac, blsfr.Element]("curve=bls12381/group=g1", BLS12381, G1, bls, bls1),
		newReference[bls12381.G2Affine, bls12381.G2Jac, blsfr.Element]("curve=bls12381/group=g2", BLS12381, G2, bls, bls2),
	}
}

func asBytes[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

func asSlice[T any](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(*new(T))))
}

// canonical is values as 32 bytes each, little-endian.
func canonical(values []*big.Int) []byte {
	out := make([]byte, ScalarBytes*len(values))
	for i, v := range values {
		v.FillBytes(out[ScalarBytes*i : ScalarBytes*(i+1)])
		reverse(out[ScalarBytes*i : ScalarBytes*(i+1)])
	}
	return out
}

func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// randomScalars are n numbers below order.
func randomScalars(random *rand.Rand, order *big.Int, n int) []*big.Int {
	values := make([]*big.Int, n)
	for i := range values {
		values[i] = new(big.Int).Rand(random, order)
	}
	return values
}

// guard surrounds scratch with bytes that must survive.
const guard = 64

// kernelMSM runs MSM with poisoned scratch, exactly as long as promised, and checks that nothing around it was written.
func kernelMSM(t testing.TB, r reference, points, scalars []byte, form ScalarForm, threads int) []byte {
	t.Helper()
	size := ScratchBytes(r.curve, r.group, len(scalars)/ScalarBytes, threads)
	memory := make([]byte, size+2*guard)
	for i := range memory {
		memory[i] = 0xA5
	}
	out := make([]byte, PointBytes(r.curve, r.group))
	require.NoError(t, MSM(t.Context(), r.curve, r.group, out, points, scalars, form, memory[guard:guard+size:guard+size], threads))
	for i := range guard {
		require.EqualValues(t, 0xA5, memory[i], "byte before scratch")
		require.EqualValues(t, 0xA5, memory[guard+size+i], "byte after scratch")
	}
	return out
}
