package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// machineDocument is what doctor finds. Sizes are bytes.
type machineDocument struct {
	Version string           `json:"version"`
	Cores   int              `json:"cores"`
	Memory  budget.Limit     `json:"memory"`
	Engines []engineDocument `json:"engines"`
	GPU     gpuDocument      `json:"gpu"`
}

// gpuDocument is what there is of the CUDA kernel library and of devices.
type gpuDocument struct {
	Library string   `json:"library,omitempty"`
	Devices []string `json:"devices"`
	Problem string   `json:"problem,omitempty"`
}

type engineDocument struct {
	Name      string `json:"name"`
	Curve     string `json:"curve"`
	Available bool   `json:"available"`
	Why       string `json:"why,omitempty"`
	Auto      bool   `json:"auto"`
}

func (a *App) doctor() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Tell what this machine offers: memory, cores, engines", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			d, err := a.examine()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.Stdout, d)
			}
			return a.printMachine(d)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

func (a *App) examine() (machineDocument, error) {
	d := machineDocument{Version: version(), Cores: runtime.GOMAXPROCS(0)}
	var err error
	if d.Memory, err = a.memory(); err != nil {
		return d, err
	}
	bench, err := newWorkbench()
	if err != nil {
		return d, err
	}
	registry := bench.engines.Registry()
	for _, id := range curve.All() {
		found := false
		for _, name := range registry.Names() {
			e := engineDocument{Name: name, Curve: id.String()}
			e.Available, e.Why = registry.Available(name, id)
			if e.Available {
				e.Why, e.Auto, found = "", !found, true
			}
			d.Engines = append(d.Engines, e)
		}
	}
	d.GPU = examineGPU(cudabind.Probe())
	return d, bench.close()
}

func examineGPU(report cudabind.Report) gpuDocument {
	d := gpuDocument{Devices: []string{}}
	if report.Library != nil {
		d.Library = report.Library.Path
	}
	machine := cuda.NewMachine()
	defer machine.Close() // of one that does not work, which has been said
	for i, device := range report.Devices {
		d.Devices = append(d.Devices, fmt.Sprintf("%d: %s, %s, %s", i, device.Name, budget.FormatBytes(int64(device.TotalBytes)), tryGPU(machine, i)))
	}
	if report.Problem != nil {
		d.Problem = report.Problem.Error()
	}
	return d
}

// tryGPU says how much memory a GPU has free, if it does the little that is asked of it.
func tryGPU(machine *cuda.Machine, number int) string {
	d, err := machine.Device(number)
	if err == nil {
		err = d.Try()
	}
	var free uint64
	if err == nil {
		free, _, err = d.Memory()
	}
	if err != nil {
		return fmt.Sprintf("which does not work; --devices leaves it out: %v", err)
	}
	return budget.FormatBytes(int64(free)) + " of it free"
}

func (a *App) printMachine(d machineDocument) error {
	fmt.Fprintf(a.Stdout, "version  %s\ncores    %d\nmemory   %s; %s can still be used\n", d.Version, d.Cores, d.Memory.Reason,
		budget.FormatBytes(d.Memory.Free))
	if d.Memory.Scarcest != "" {
		fmt.Fprintf(a.Stdout, "         least is free under %s\n", d.Memory.Scarcest)
	}
	for _, note := range d.Memory.Notes {
		fmt.Fprintf(a.Stdout, "         %s\n", note)
	}
	for _, device := range d.GPU.Devices {
		fmt.Fprintf(a.Stdout, "gpu      %s\n", device)
	}
	switch {
	case d.GPU.Problem != "":
		fmt.Fprintf(a.Stdout, "gpu      none: %s\n", d.GPU.Problem)
		if d.GPU.Library != "" {
			fmt.Fprintf(a.Stdout, "         kernels %s; check and simulate tell what GPUs would do\n", d.GPU.Library)
		}
	case len(d.GPU.Devices) > 0:
		fmt.Fprintf(a.Stdout, "         kernels %s; backend: auto takes the GPU in pipelines with pools of its memory\n", d.GPU.Library)
	}
	fmt.Fprintln(a.Stdout)
	t := &render.Table{Columns: []render.Column{{Title: "curve"}, {Title: "engine"}, {Title: "here"}}}
	for _, e := range d.Engines {
		t.Add(e.Curve, e.Name, engineState(e))
	}
	return t.Write(a.Stdout)
}

func engineState(e engineDocument) string {
	switch {
	case e.Auto:
		return "works, and backend: auto takes it"
	case e.Available:
		return "works"
	}
	return "no: " + e.Why
}
