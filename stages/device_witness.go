package stages

import "github.com/proofgraph/proofgraph/cudabind"

type DeviceWitness struct {
	Values *cudabind.Buffer
	Dense  int
}
