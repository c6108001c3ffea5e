package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// limitsHere gives the bytes of a pipeline's pools on the GPUs of this machine. One that does not work is left out, if
// another does and nobody named it.
func (w *workbench) limitsHere(p *spec.Pipeline, told io.Writer) (map[string]int64, error) {
	limits, problems := w.engines.DeviceLimits(p)
	for _, device := range slices.Sorted(maps.Keys(problems)) {
		if w.named || len(problems) == w.engines.Devices() {
			return nil, problems[device]
		}
		fmt.Fprintf(told, "proofgraph: GPU %d is left out, since it does not work: %v\n", w.engines.DeviceNumber(device), problems[device])
	}
	return limits, nil
}

// tellDevice tells, while the run goes on, of an item that a GPU failed. Where there is no other, the job's error tells all.
func (s *session) tellDevice(f run.DeviceFailure) {
	if !f.Avoided {
		return
	}
	gpu, then := s.bench.engines.DeviceNumber(f.Device), ""
	if f.Again {
		then = f.Job + " begins anew on another GPU, and "
	}
	fmt.Fprintf(s.messages(), "proofgraph: GPU %d failed %s at %s: %v\n  %sGPU %d is avoided for a while\n", gpu, f.Job, f.Stage, f.Err, then, gpu)
}

// deviceDocument is what became of a GPU that failed items.
type deviceDocument struct {
	GPU     int    `json:"gpu"`
	Failed  int64  `json:"failed"` // items, of which so many began anew on another GPU:
	Moved   int64  `json:"moved"`
	Avoided bool   `json:"avoided"` // when the run ended
	Error   string `json:"error"`   // the last one
}

// failedGPUs gives the GPUs that failed items, of several.
func (w *workbench) failedGPUs(r run.Report) []deviceDocument {
	var failed []deviceDocument
	for _, d := range r.Devices {
		if len(r.Devices) > 1 && d.Failed > 0 {
			failed = append(failed, deviceDocument{w.engines.DeviceNumber(d.Device), d.Failed, d.Moved, d.Avoided, d.Last.Error()})
		}
	}
	return failed
}

// summarizeGPUs closes with what became of GPUs that failed items.
func summarizeGPUs(to io.Writer, failed []deviceDocument) {
	for _, d := range failed {
		state := "works again"
		if d.Avoided {
			state = "was avoided at the end"
		}
		fmt.Fprintf(to, "GPU %d failed %d items, of which %d began anew on another, and %s: %s\n", d.GPU, d.Failed, d.Moved, state, d.Error)
	}
}

// withoutLost leaves out of a run's closing error what a broken GPU, of several, did not take back: its memory is gone until
// the process ends, and no reason to call the proofs of the others a failure.
func withoutLost(to io.Writer, r run.Report, err error) error {
	broken := len(r.Devices) > 1 && slices.ContainsFunc(r.Devices, func(d run.DeviceReport) bool { return d.Avoided })
	if err == nil || !broken || !onlyDeviceFaults(err) {
		return err
	}
	fmt.Fprintf(to, "proofgraph: memory of a GPU that failed stays taken until this process ends: %v\n", err)
	return nil
}

// onlyDeviceFaults reports whether all of an error are faults of devices.
func onlyDeviceFaults(err error) bool {
	if joined, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		return !slices.ContainsFunc(joined.Unwrap(), func(e error) bool { return !onlyDeviceFaults(e) })
	}
	return stage.IsDeviceFault(err)
}
