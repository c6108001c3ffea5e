package cli

import (
	"encoding/json"
	"io"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/stages"
)

// The documents that --json prints. Times are seconds, sizes bytes.
type (
	resultDocument struct {
		ID       string `json:"id"`
		OK       bool   `json:"ok"`
		Proof    string `json:"proof,omitempty"`
		Public   string `json:"public,omitempty"`
		Calldata string `json:"calldata,omitempty"`
		Error    string `json:"error,omitempty"`
		ExitCode int    `json:"exit_code"`
	}
	// A failureDocument stands for a result that there is not.
	failureDocument struct {
		Error    string `json:"error"`
		ExitCode int    `json:"exit_code"`
	}
	stageDocument struct {
		Name     string             `json:"name"`
		Kind     string             `json:"kind"`
		Finished int64              `json:"finished"`
		Failed   int64              `json:"failed"`
		Busy     float64            `json:"busy"`
		Blocked  map[string]float64 `json:"blocked"`
	}
	edgeDocument struct {
		From      string `json:"from"`
		To        string `json:"to"`
		Passed    int64  `json:"passed"`
		PeakItems int    `json:"peak_items"`
		PeakBytes int64  `json:"peak_bytes"`
	}
	reportDocument struct {
		Results []resultDocument `json:"results,omitempty"`
		Wall    float64          `json:"wall"`
		Stages  []stageDocument  `json:"stages"`
		Edges   []edgeDocument   `json:"edges"`
		Pools   []budget.PoolUse `json:"pools"`
		Devices []deviceDocument `json:"failed_devices,omitempty"`
	}
)

func documentOf(r *run.Result) resultDocument {
	d := resultDocument{ID: r.Job.ID, OK: r.Err == nil, ExitCode: exitCode(r.Err)}
	if r.Err != nil {
		d.Error = inWords(r.Err)
	}
	for _, values := range r.Values {
		for _, value := range values {
			if w, ok := value.(*stages.Written); ok {
				d.Proof, d.Public, d.Calldata = w.Proof, w.Public, w.Calldata
			}
		}
	}
	return d
}

func documentOfReport(bench *workbench, r run.Report, results []resultDocument) reportDocument {
	d := reportDocument{Results: results, Wall: r.Wall.Seconds(), Pools: poolsHere(r), Devices: bench.failedGPUs(r)}
	for _, s := range r.Stages {
		blocked := map[string]float64{}
		for _, b := range s.Blocked {
			name := b.Kind.String()
			if b.On != "" {
				name += " " + b.On
			}
			blocked[name] += b.Time.Seconds()
		}
		d.Stages = append(d.Stages, stageDocument{s.Name, s.Kind, s.Finished, s.Failed, s.Busy.Seconds(), blocked})
	}
	for _, e := range r.Edges {
		d.Edges = append(d.Edges, edgeDocument{e.From, e.To, e.Passed, e.PeakItems, e.PeakBytes})
	}
	return d
}

func printJSON(to io.Writer, document any) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
