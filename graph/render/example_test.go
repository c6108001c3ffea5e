package render_test

import (
	"fmt"
	"os"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// digest is a pipeline of two stages; programs get theirs from spec.Load.
func digest() *spec.Pipeline {
	return &spec.Pipeline{
		Name: "digest", Doc: "hashes of large files",
		Pools:   []spec.Pool{{Name: "host", Limit: spec.Limit{Auto: true}, Margin: 2 << 30}},
		Classes: []spec.Class{{Name: "block"}},
		Stages: []spec.Stage{
			{Name: "read", Kind: &stage.Kind{Name: "file.read"}, Workers: 1,
				Outputs: []spec.Output{{Port: stage.Port{Name: "block"}, Type: stage.T("bytes"), Edges: []int{0}}}},
			{Name: "hash", Kind: &stage.Kind{Name: "hash.sha256"}, Workers: 4, Threads: 1},
		},
		Edges: []spec.Edge{{From: 0, To: 1, Capacity: 4, Bytes: spec.Bytes{Fixed: 64 << 20}, FromName: "read.block", ToName: "hash.block"}},
	}
}

func ExampleText() {
	if err := render.Text(os.Stdout, digest()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// digest: hashes of large files
	// 1  read            file.read     1 worker
	//      block: bytes  → hash.block  4 items · 64 MiB · host/block
	// 2  hash            hash.sha256   4 workers × 1 thread
	//
	// host: auto − 2 GiB margin · block
}

func ExampleMermaid() {
	peak := &render.Annotation{Edges: map[int]render.Measure{0: {Peak: 48 << 20}}}
	if err := render.Mermaid(os.Stdout, digest(), render.Options{Annotation: peak}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ---
	// title: "digest"
	// ---
	// flowchart TD
	//   s0("read<br/>file.read<br/>1 worker")
	//   s1("hash<br/>hash.sha256<br/>4 workers × 1 thread")
	//   s0 -->|"block#58; bytes<br/>4 items · 64 MiB<br/>peak 48 MiB"| s1
	//   pools[/"host#58; auto − 2 GiB margin · block"/]
	//   linkStyle 0 stroke:#2563eb
}

func ExampleTable() {
	report := render.Table{Columns: []render.Column{{Title: "stage"}, {Title: "busy", Right: true}, {Title: "peak", Right: true}}}
	report.Add("synthesize", "12.4 s", budget.FormatBytes(12<<30))
	report.Add("ntt", "3.1 s", budget.FormatBytes(512<<20))
	report.Foot("all", "15.5 s", budget.FormatBytes(25<<29))
	if err := report.Write(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// stage         busy      peak
	// ────────────────────────────
	// synthesize  12.4 s    12 GiB
	// ntt          3.1 s   512 MiB
	// ────────────────────────────
	// all         15.5 s  12.5 GiB
}

func ExampleTrace() {
	trace := render.NewTrace(os.Stdout)
	_ = trace.Span(render.Span{Process: "hash", Track: "worker 0", Name: "job 7", Start: time.Second, Duration: time.Millisecond})
	_ = trace.Sample(render.Sample{Process: "host", Counter: "bytes", At: time.Second, Values: map[string]int64{"block": 64 << 20}})
	if err := trace.Close(); err != nil { // has the first error of all calls
		fmt.Println(err)
	}
	// Output:
	// [
	// {"name":"process_name","ph":"M","ts":0,"pid":1,"tid":0,"args":{"name":"hash"}},
	// {"name":"process_sort_index","ph":"M","ts":0,"pid":1,"tid":0,"args":{"sort_index":1}},
	// {"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"worker 0"}},
	// {"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":1,"args":{"sort_index":1}},
	// {"name":"job 7","ph":"X","ts":1000000,"dur":1000,"pid":1,"tid":1},
	// {"name":"process_name","ph":"M","ts":0,"pid":2,"tid":0,"args":{"name":"host"}},
	// {"name":"process_sort_index","ph":"M","ts":0,"pid":2,"tid":0,"args":{"sort_index":2}},
	// {"name":"bytes","ph":"C","ts":1000000,"pid":2,"tid":0,"args":{"block":67108864}}
	// ]
}
