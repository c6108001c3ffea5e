package stages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/program"
)

// proving is a pipeline that proves with all of the heavy steps on a device.
func proving() string {
	text := strings.ReplaceAll(head, "  synthesize: { kind: groth16.synthesize }\n", "") + domainStage + `
  upload: { kind: groth16.upload }
  constraints: { kind: groth16.load_device, part: constraints, distinct: 20 }
  quotient: { kind: groth16.quotient, domain: device, async: true, pending: 2 }
  assemble: { kind: groth16.assemble }
  verify: { kind: groth16.verify }
  write: { kind: groth16.write }
`
	edges := "edges:\n"
	for _, e := range [][2]string{
		{"witness.witness", "upload.witness"}, {"upload.witness", "quotient.witness"}, {"constraints.part", "quotient.constraints"},
		{"domain.part", "quotient.domain"}, {"load.key", "assemble.key"}, {"load.key", "verify.key"},
	} {
		edges += edge(e[0], e[1])
	}
	for _, e := range [][2]string{
		{"witness.public", "verify.public"}, {"assemble.proof", "verify.proof"}, {"verify.proven", "write.proven"},
	} {
		edges += smallEdge(e[0], e[1])
	}
	for _, q := range []string{"a", "b_g1", "b_g2", "l", "h"} {
		text += fmt.Sprintf("  bases_%s: { kind: groth16.load_device, part: %s, multiples: 2 }\n", q, q)
		text += fmt.Sprintf("  msm_%s: { kind: groth16.msm, query: %s, multiples: 2, bases: device, scalars: device, async: true, pending: 2 }\n", q, q)
		scalars := [2]string{"upload.witness", "witness"}
		if q == "h" {
			scalars = [2]string{"quotient.h", "h"}
		}
		edges += edge("bases_"+q+".part", "msm_"+q+".bases") + edge(scalars[0], "msm_"+q+"."+scalars[1])
		edges += smallEdge("msm_"+q+".sum", "assemble."+q)
	}
	return text + edges
}

func TestProofsOnDevices(t *testing.T) {
	for _, curve := range curves {
		for devices := 1; devices <= 2; devices++ {
			t.Run(fmt.Sprintf("%s/%d", curve, devices), func(t *testing.T) {
				w := newWorkshop(t, standin.Devices(devices))
				w.options = []program.Option{program.Devices(devices)}
				first, second := payload(t, curve, "first"), payload(t, curve, "second")
				results := w.run(proving(), first, second, square(t, 1))
				requireNoErrors(t, results)
				require.Len(t, results, 3)
				requireGolden(t, curve, first)
				requireGolden(t, curve, second)
			})
		}
	}
}
