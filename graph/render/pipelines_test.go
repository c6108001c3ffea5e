package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

const (
	mib = int64(1) << 20
	gib = int64(1) << 30
)

// A builder makes checked pipelines by hand, since loading is not this package's.
type builder struct{ *spec.Pipeline }

func build(name, doc string) builder {
	return builder{&spec.Pipeline{Name: name, Doc: doc, Pools: []spec.Pool{
		{Name: "host", Limit: spec.Limit{Auto: true}, Margin: 2 * gib},
	}}}
}

func (b builder) class(name string, pool int) builder {
	b.Classes = append(b.Classes, spec.Class{Name: name, Pool: pool, Cached: name == "key"})
	return b
}

func (b builder) stage(name, kind string, settings ...func(*spec.Stage)) builder {
	s := spec.Stage{Name: name, Kind: &stage.Kind{Name: kind, Doc: "Does " + name + "."}, Workers: 1}
	for _, set := range settings {
		set(&s)
	}
	b.Stages = append(b.Stages, s)
	return b
}

// edge joins "from.port" and "to.port"; class "" is a small value.
func (b builder) edge(from, to, typ, class string, capacity int, bytes int64) builder {
	e := spec.Edge{FromName: from, ToName: to, Capacity: capacity, Bytes: spec.Bytes{Fixed: bytes}}
	e.From, e.Output = b.output(from, typ, class)
	name, port, _ := strings.Cut(to, ".")
	e.To = b.find(name)
	target := &b.Stages[e.To]
	e.Input = len(target.Inputs)
	target.Inputs = append(target.Inputs, spec.Input{Port: stage.Port{Name: port}, Edge: len(b.Edges)})
	outputs := b.Stages[e.From].Outputs
	outputs[e.Output].Edges = append(outputs[e.Output].Edges, len(b.Edges))
	b.Edges = append(b.Edges, e)
	return b
}

func (b builder) output(from, typ, class string) (stageIndex, output int) {
	name, port, _ := strings.Cut(from, ".")
	i := b.find(name)
	s := &b.Stages[i]
	output = slices.IndexFunc(s.Outputs, func(o spec.Output) bool { return o.Port.Name == port })
	if output < 0 {
		output = len(s.Outputs)
		index := slices.IndexFunc(b.Classes, func(c spec.Class) bool { return c.Name == class })
		s.Outputs = append(s.Outputs, spec.Output{Port: stage.Port{Name: port}, Type: stage.T(typ), Class: index, Takes: -1})
	}
	return i, output
}

func (b builder) find(name string) int {
	return slices.IndexFunc(b.Stages, func(s spec.Stage) bool { return s.Name == name })
}

func parallel(workers, threads int) func(*spec.Stage) {
	return func(s *spec.Stage) { s.Workers, s.Threads = workers, threads }
}

func pendingBeside(pending int) func(*spec.Stage) {
	return func(s *spec.Stage) { s.Async, s.Pending = true, pending }
}

func released(r spec.Release) func(*spec.Stage) { return func(s *spec.Stage) { s.Release = r } }

func using(resource int) func(*spec.Stage) {
	return func(s *spec.Stage) { s.Uses = append(s.Uses, spec.Use{Resource: resource, Count: 1}) }
}

func chainPipeline() *spec.Pipeline {
	return build("digest", "hashes of large files, a block at a time").class("block", 0).
		stage("read", "file.read").stage("hash", "hash.sha256", parallel(4, 1)).stage("write", "file.write").
		edge("read.block", "hash.block", "block", "block", 4, 64*mib).
		edge("hash.sum", "write.sum", "digest", "", 16, 0).Pipeline
}

func groth16Pipeline() *spec.Pipeline {
	b := build("groth16", "Proofs of one circuit, a partition at a time: the four large multi-scalar multiplications run "+
		"on the device while the one over G2 goes on beside them on the CPU.")
	b.Pools = append(b.Pools, spec.Pool{Name: "device", Limit: spec.Limit{Bytes: 24 * gib}})
	b.Resources = []spec.Resource{{Name: "gpu0", Count: 1}}
	b = b.class("key", 0).class("witness", 0).class("abc", 0).class("quotient", 1).
		stage("load_key", "groth16.load_key").
		stage("witness", "groth16.witness", parallel(2, 1)).
		stage("synthesize", "groth16.synthesize", parallel(2, 8), released(spec.OnConsume)).
		stage("ntt", "groth16.ntt", using(0)).
		stage("msm_h", "groth16.msm", using(0)).stage("msm_a", "groth16.msm", using(0)).
		stage("msm_b_g1", "groth16.msm", using(0)).stage("msm_l", "groth16.msm", using(0)).
		stage("b_g2", "groth16.msm", parallel(1, 16), pendingBeside(4)).
		stage("assemble", "groth16.assemble").stage("verify", "groth16.verify").
		edge("load_key.key", "witness.key", "proving_key", "key", 1, 44*gib).
		edge("witness.witness", "synthesize.witness", "vector", "witness", 2, 4*gib).
		edge("synthesize.abc", "ntt.abc", "vector", "abc", 2, 12*gib).
		edge("ntt.h", "msm_h.scalars", "vector", "quotient", 1, 4*gib)
	for _, to := range []string{"msm_a", "msm_b_g1", "msm_l", "b_g2"} {
		b = b.edge("synthesize.assignment", to+".scalars", "vector", "witness", 2, 6*gib)
	}
	for _, from := range []string{"msm_h", "msm_a", "msm_b_g1", "msm_l", "b_g2"} {
		b = b.edge(from+".sum", "assemble."+from, "point", "", 4, 0)
	}
	return b.edge("assemble.proof", "verify.proof", "proof", "", 8, 0).Pipeline
}

// keyedPipeline is the same with the key going to every stage that multiplies by it.
func keyedPipeline() *spec.Pipeline {
	b := builder{groth16Pipeline()}
	b.Name = "groth16_keyed"
	for _, to := range []string{"msm_h", "msm_a", "msm_b_g1", "msm_l", "b_g2"} {
		b.edge("load_key.key", to+".key", "proving_key", "key", 1, 44*gib)
	}
	return b.Pipeline
}

func diamondPipeline() *spec.Pipeline {
	return build("diamond", "").class("rows", 0).
		stage("split", "rows.split").stage("left", "rows.sort", parallel(2, 2)).
		stage("right", "rows.sort", parallel(2, 2)).stage("merge", "rows.merge", released(spec.OnComplete)).
		edge("split.rows", "left.rows", "rows", "rows", 2, gib).edge("split.rows", "right.rows", "rows", "rows", 2, gib).
		edge("left.sorted", "merge.left", "rows", "rows", 1, gib).edge("right.sorted", "merge.right", "rows", "rows", 1, gib).Pipeline
}

func fanPipeline() *spec.Pipeline {
	b := build("fan", "one source, eight takers of the same buffer").class("page", 0).stage("source", "page.read")
	for i := range 8 {
		name := fmt.Sprintf("take_%d", i)
		b = b.stage(name, "page.scan").edge("source.page", name+".page", "page", "page", 1, 256*mib)
	}
	return b.Pipeline
}

func skippingPipeline() *spec.Pipeline {
	b := build("skips", "edges that pass many stages").class("frame", 0).class("mask", 0).class("depth", 0)
	names := []string{"decode", "scale", "segment", "track", "blend", "encode"}
	for _, name := range names {
		b = b.stage(name, "video."+name, parallel(2, 0))
	}
	for i := range names[1:] {
		b = b.edge(names[i]+".frame", names[i+1]+".frame", "frame", "frame", 3, 128*mib)
	}
	return b.edge("decode.raw", "blend.raw", "frame", "depth", 8, gib).
		edge("segment.mask", "encode.mask", "mask", "mask", 4, 32*mib).
		edge("decode.header", "encode.header", "header", "", 16, 0).
		edge("scale.small", "track.small", "frame", "frame", 2, 16*mib).Pipeline
}

func annotation() *Annotation {
	return &Annotation{
		Edges:  map[int]Measure{2: {Worst: 12 * gib, Peak: 9*gib + 512*mib}},
		Stages: map[int]Measure{2: {Busy: 12400 * time.Millisecond}, 8: {Busy: 9100 * time.Millisecond, Peak: gib}},
		Pools:  map[int]Measure{0: {Worst: 80 * gib, Peak: 61 * gib}},
	}
}

// cases are the pipelines that every writer is shown.
var cases = []struct {
	name     string
	pipeline *spec.Pipeline
	options  Options
}{
	{"chain", chainPipeline(), Options{}},
	{"groth16", groth16Pipeline(), Options{Annotation: annotation()}},
	{"groth16_keyed", keyedPipeline(), Options{}},
	{"diamond", diamondPipeline(), Options{}},
	{"diamond_down", diamondPipeline(), Options{Direction: Down}},
	{"fan", fanPipeline(), Options{}},
	{"skips", skippingPipeline(), Options{}},
	{"skips_right", skippingPipeline(), Options{Direction: Right}},
	{"empty", &spec.Pipeline{Name: "empty"}, Options{}},
}
