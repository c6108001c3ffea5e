package gnark

import (
	"sync"

	"github.com/consensys/gnark-crypto/ecc"

	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// summer makes accumulators of one group.
type summer interface{ accumulator() accumulator }

// accumulator is a point that others are added to. Points and scalars are bytes, aligned, affine and Montgomery.
type accumulator interface {
	addPoints(points []byte) error
	multiExp(points, scalars []byte, config ecc.MultiExpConfig) error
	// join adds another accumulator of the same group; it may be called from several goroutines.
	join(other accumulator)
	// put writes the affine point.
	put(out []byte)
}

// affinePoint is what the sums ask of gnark-crypto's affine points A, with Jacobian points J.
type affinePoint[A, J any] interface {
	*A
	FromJacobian(*J) *A
}

// jacobianPoint is what they ask of its Jacobian points J, with affine points A and scalars S.
type jacobianPoint[A, J, S any] interface {
	*J
	AddMixed(*A) *J
	AddAssign(*J) *J
	FromAffine(*A) *J
	MultiExp(points []A, scalars []S, config ecc.MultiExpConfig) (*J, error)
}

// sums is the group of A and J.
type sums[A, J, S any, PA affinePoint[A, J], PJ jacobianPoint[A, J, S]] struct{}

func newSums[A, J, S any, PA affinePoint[A, J], PJ jacobianPoint[A, J, S]]() summer {
	return sums[A, J, S, PA, PJ]{}
}

func (sums[A, J, S, PA, PJ]) accumulator() accumulator {
	s := new(sum[A, J, S, PA, PJ])
	PJ(&s.point).FromAffine(new(A)) // all zero is infinity
	return s
}

type sum[A, J, S any, PA affinePoint[A, J], PJ jacobianPoint[A, J, S]] struct {
	mu    sync.Mutex
	point J
}

func (s *sum[A, J, S, PA, PJ]) addPoints(points []byte) error {
	all, err := view.Of[A](points)
	for i := range all {
		PJ(&s.point).AddMixed(&all[i])
	}
	return err
}

func (s *sum[A, J, S, PA, PJ]) multiExp(points, scalars []byte, config ecc.MultiExpConfig) error {
	p, err := view.Of[A](points)
	if err != nil {
		return err
	}
	k, err := view.Of[S](scalars)
	if err != nil {
		return err
	}
	_, err = PJ(&s.point).MultiExp(p, k, config)
	return err
}

func (s *sum[A, J, S, PA, PJ]) join(other accumulator) {
	o := other.(*sum[A, J, S, PA, PJ])
	s.mu.Lock()
	defer s.mu.Unlock()
	PJ(&s.point).AddAssign(&o.point)
}

func (s *sum[A, J, S, PA, PJ]) put(out []byte) {
	var a A
	PA(&a).FromJacobian(&s.point)
	copy(out, view.One(&a))
}
