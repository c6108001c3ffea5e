package stages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/stages"
)

// A quotientPath is how a pipeline comes by h, of which it gives the sum.
type quotientPath struct {
	stages string
	edges  [][2]string
	sum    string // options of the sum
}

func (p quotientPath) source() string {
	text, edges := head, "edges:\n"
	for _, e := range append(p.edges, [2]string{"load.key", "msm_h.key"}) {
		edges += edge(e[0], e[1])
	}
	if !strings.Contains(edges, "synthesize") {
		text = strings.ReplaceAll(text, "  synthesize: { kind: groth16.synthesize }\n", "")
	}
	return text + p.stages + fmt.Sprintf("  msm_h: { kind: groth16.msm, query: h, %s }\n", p.sum) + edges
}

var rowsOnHost = [][2]string{
	{"load.key", "synthesize.key"}, {"witness.witness", "synthesize.witness"}, {"synthesize.abc", "ntt.abc"}, {"ntt.h", "msm_h.h"},
}

const domainStage = "  domain: { kind: groth16.load_device, part: domain }\n"

// transformed has the rows on the host.
func transformed(ntt, sum string) quotientPath {
	p := quotientPath{stages: "  ntt: { kind: groth16.ntt, " + ntt + " }\n", edges: rowsOnHost, sum: sum}
	if strings.Contains(ntt, "domain: device") {
		p.stages += domainStage
		p.edges = append([][2]string{{"domain.part", "ntt.domain"}}, p.edges...)
	}
	return p
}

// resident has all on the device.
func resident(constraints, quotient string, withDomain bool) quotientPath {
	p := quotientPath{
		stages: "  upload: { kind: groth16.upload }\n" +
			"  constraints: { kind: groth16.load_device, part: constraints, " + constraints + " }\n" +
			"  quotient: { kind: groth16.quotient, " + quotient + " }\n",
		edges: [][2]string{
			{"witness.witness", "upload.witness"}, {"constraints.part", "quotient.constraints"},
			{"upload.witness", "quotient.witness"}, {"quotient.h", "msm_h.h"},
		},
		sum: "backend: cuda, scalars: device",
	}
	if withDomain {
		p.stages += domainStage
		p.edges = append(p.edges, [2]string{"domain.part", "quotient.domain"})
	}
	return p
}

// sumsOfH runs a pipeline and gives the sum of query h for each payload.
func (w *workshop) sumsOfH(source string, payloads ...*stages.Payload) (sums []any) {
	for _, result := range w.run(source, payloads...) {
		require.NoError(w.t, result.Err)
		sums = append(sums, result.Values[0]["msm_h.sum"])
	}
	require.Len(w.t, sums, len(payloads))
	return sums
}

var onCPU = transformed("backend: gnark", "backend: gnark").source()

func TestQuotientsOnADeviceAreThoseOfTheCPU(t *testing.T) {
	pinned := strings.NewReplacer("abc: { pool: host", "abc: { pool: pinned", "  h: { pool: host", "  h: { pool: pinned")
	paths := map[string]string{
		"there and back":       transformed("backend: cuda", "backend: gnark").source(),
		"auto":                 transformed("backend: auto", "backend: auto").source(),
		"with roots":           transformed("backend: cuda, domain: device", "backend: gnark").source(),
		"staying there":        transformed("backend: cuda, to: device, async: true, pending: 2", "scalars: device").source(),
		"staying, with roots":  transformed("backend: cuda, to: device, domain: device", "scalars: device").source(),
		"pinned rows, staying": pinned.Replace(transformed("backend: cuda, to: device", "scalars: device").source()),
		"resident":             resident("distinct: 0", "threads: 1", false).source(),
		"resident, roots":      resident("distinct: 20", "async: true, pending: 3", true).source(),
		"resident, only roots": resident("distinct: 0", "domain: device", true).source(),
		"pinned witness": strings.ReplaceAll(resident("threads: 1", "threads: 1", true).source(),
			"  witness: { pool: host", "  witness: { pool: pinned"),
	}
	for _, id := range curve.All() {
		for _, p := range []*stages.Payload{payload(t, id.String(), "h"), square(t, id)} {
			want := newWorkshop(t).sumsOfH(onCPU, p)
			for name, source := range paths {
				t.Run(fmt.Sprintf("%s/2^%d/%s", id, p.Key.Header.DomainSize, name), func(t *testing.T) {
					require.Equal(t, want, newWorkshop(t).sumsOfH(source, p))
				})
			}
		}
	}
}

// Items of two circuits are placed on one of two devices; what is kept there is found again, and given up for others.
func TestQuotientsOfTwoCircuitsOnTwoDevices(t *testing.T) {
	w := newWorkshop(t, standin.Devices(2))
	a, b := payload(t, "bn254", "a"), square(t, curve.BLS12381)
	want := w.sumsOfH(onCPU, a, b, a, b, b, a)
	w.options = []program.Option{program.Devices(2)}
	source := resident("distinct: 0", "async: true, pending: 2", true).source()
	require.Equal(t, want, w.sumsOfH(source, a, b, a, b, b, a))
}

// Pools that are just large enough are enough: footprints name every byte.
func TestQuotientInTheLeastMemory(t *testing.T) {
	for _, id := range curve.All() {
		p := payload(t, id.String(), "least")
		want := newWorkshop(t).sumsOfH(onCPU, p)
		for _, path := range []quotientPath{
			resident("distinct: 20", "domain: device", true), resident("distinct: 0", "domain: scratch", false),
			transformed("backend: cuda, to: device", "scalars: device"), transformed("backend: cuda", "backend: gnark"),
		} {
			w := newWorkshop(t)
			prog := w.program(path.source())
			shape, err := prog.Shape(itemOf(p))
			require.NoError(t, err)
			for i, least := range prog.Least(shape) {
				w.limits[prog.Pools[i].Name] = least
			}
			require.Equal(t, want, w.sumsOfH(path.source(), p))
		}
	}
}

func TestFailingQuotientGivesAllMemoryBack(t *testing.T) {
	p := payload(t, "bn254", "failing")
	for call, source := range map[string]string{
		"pg_evaluate:1":             resident("distinct: 0", "threads: 1", false).source(),
		"pg_quotient:1:later":       resident("distinct: 0", "async: true, pending: 2", true).source(),
		"pg_copy_to_device:2":       resident("distinct: 0", "threads: 1", true).source(),
		"pg_powers_build:1:later":   resident("distinct: 0", "threads: 1", true).source(),
		"pg_copy_to_device:3:later": transformed("backend: cuda, to: device", "scalars: device").source(),
		"pg_copy_to_host:1":         transformed("backend: cuda", "backend: gnark").source(),
	} {
		t.Run(call, func(t *testing.T) {
			results := newWorkshop(t, standin.Fail(call)).run(source, p)
			require.Len(t, results, 1)
			require.ErrorContains(t, results[0].Err, "cudaErrorIllegalAddress")
		})
	}
}

func TestKeyWithMoreCoefficientsThanThePipelineAllows(t *testing.T) {
	results := newWorkshop(t).run(resident("distinct: 1", "threads: 1", true).source(), payload(t, "bn254", "many"))
	require.ErrorIs(t, results[0].Err, cuda.ErrCoefficients)
}

func TestWhatADeviceCannotDo(t *testing.T) {
	w := newWorkshop(t)
	_, err := w.load(transformed("backend: cuda, to: device", "backend: gnark").source())
	require.ErrorContains(t, err, "on=", "h lies elsewhere")
	_, err = w.load(head + "  d: { kind: groth16.load_device, part: domain, distinct: 2 }\nedges: []\n")
	require.ErrorContains(t, err, "only constraints have coefficients")
	_, err = w.load(resident("distinct: 0", "domain: device", false).source())
	require.ErrorContains(t, err, "domain")
	undeclared := strings.ReplaceAll(transformed("backend: cuda", "backend: gnark").source(), "  pinned: { pool: pinned }\n", "")
	for source, says := range map[string]string{
		transformed("backend: gnark, to: device", "scalars: device").source(): "cannot lie on a device",
		undeclared: "does not declare",
	} {
		_, err := run.New(t.Context(), w.program(source), nil, run.Options{})
		require.ErrorContains(t, err, says)
	}
}

// Without a GPU, auto is the CPU. What must use one can be sized all the same, and says why it cannot work.
func TestWithoutAGPU(t *testing.T) {
	p := payload(t, "bn254", "none")
	auto := transformed("backend: auto", "backend: auto").source()
	want := newWorkshop(t).sumsOfH(onCPU, p)
	standin.Use(t, standin.Devices(0))
	w := workshopOn(t, cuda.NewMachine())
	w.limits = map[string]int64{"host": 64 << 20}
	for _, path := range []quotientPath{
		resident("distinct: 0", "threads: 1", true), transformed("backend: cuda", "backend: gnark"),
	} {
		prog := w.program(path.source())
		shape, err := prog.Shape(itemOf(p))
		require.NoError(t, err)
		require.Positive(t, prog.Least(shape)[1])
		_, err = run.New(t.Context(), prog, nil, run.Options{})
		require.ErrorIs(t, err, engine.ErrUnavailable)
		require.ErrorContains(t, err, "cudaErrorNoDevice")
	}
	shape, err := w.program(auto).Shape(itemOf(p))
	require.NoError(t, err)
	require.NotNil(t, shape)
	require.Equal(t, want, w.sumsOfH(auto, p))
}

// On GPUs that are only assumed a proof takes what it takes on real ones, with auto too; none of them can be used.
func TestAssumedGPUs(t *testing.T) {
	p, sources := payload(t, "bn254", "assumed"), []string{
		resident("distinct: 20", "domain: device", true).source(), transformed("backend: auto", "backend: auto").source(),
	}
	needs := func(w *workshop, source string) []int64 {
		prog := w.program(source)
		shape, err := prog.Shape(itemOf(p))
		require.NoError(t, err)
		return prog.Least(shape)
	}
	for _, source := range sources {
		found, assumed := newWorkshop(t), workshopOn(t, cuda.AssumeMachine(2))
		require.Equal(t, 2, assumed.engines.Devices())
		require.Equal(t, needs(found, source), needs(assumed, source))
		require.Positive(t, needs(assumed, source)[1])
	}
	_, err := cuda.AssumeMachine(2).Device(1)
	require.ErrorIs(t, err, cuda.ErrNoDevice)
}

func itemOf(p *stages.Payload) *stage.Item { return &stage.Item{Facts: p.Facts(), Payload: p} }
