package stages_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/cuda"
)

// A buffer in memory that its stage cannot use is refused when the pipeline is loaded, with the stage that minds.
func TestBuffersLieInMemoryThatTheirStagesCanUse(t *testing.T) {
	for _, c := range []struct{ pipeline, class, pool, says string }{
		{"gpu-resident", "device_key", "host", "output load_a.part takes device memory"},
		{"gpu-resident", "device_witness", "host", "output upload.witness takes device memory"},
		{"gpu-resident", "device_h", "pinned", "output quotient.h takes device memory"},
		{"gpu-resident", "device_scratch", "host", `scratch "device_scratch" of stage "quotient" takes device memory`},
		{"gpu-resident", "pinned", "device", `scratch "pinned" of stage "load_a" takes pinned memory`},
		{"gpu-resident", "pinned", "host", `scratch "pinned" of stage "upload" takes pinned memory`},
		{"gpu-resident", "witness", "device", "output witness.witness takes host or pinned memory"},
		{"gpu-resident", "key", "device", "output load.key takes host or pinned memory"},
		{"gpu-split", "abc", "device", "output synthesize.abc takes host or pinned memory"},
		{"groth16", "scratch", "device", `scratch "scratch" of stage "ntt" takes host or pinned memory`},
		{"groth16", "h", "device", "output ntt.h takes host or pinned memory"},
	} {
		t.Run(c.pipeline+"/"+c.class+" in "+c.pool, func(t *testing.T) {
			source, ok := pipelines.Read(c.pipeline)
			require.True(t, ok)
			line := regexp.MustCompile(`(?m)^  ` + c.class + `: \{ pool: [a-z]+`)
			require.Regexp(t, line, string(source))
			moved := line.ReplaceAllString(string(source), "  "+c.class+": { pool: "+c.pool)
			_, err := workshopOn(t, cuda.NewMachine()).load(moved)
			require.ErrorContains(t, err, "E409")
			require.ErrorContains(t, err, c.says)
		})
	}
}
