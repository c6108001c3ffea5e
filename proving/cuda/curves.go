package cuda

import (
	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// curveOf gives cudabind's name of a curve.
func curveOf(id curve.ID) cudabind.Curve {
	return map[curve.ID]cudabind.Curve{curve.BN254: cudabind.BN254, curve.BLS12381: cudabind.BLS12381}[id]
}

// groupOf gives cudabind's name of a group of points.
func groupOf(id curve.ID, g curve.Group) cudabind.Group {
	switch {
	case id == curve.BN254 && g == curve.G1:
		return cudabind.BN254G1
	case id == curve.BN254:
		return cudabind.BN254G2
	case g == curve.G1:
		return cudabind.BLS12381G1
	}
	return cudabind.BLS12381G2
}
