package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/stages"
)

// gpuFlags are those of commands that tell what GPUs would do, which need not be there.
type gpuFlags struct {
	memory string
	count  int
}

func (f *gpuFlags) add(flags *pflag.FlagSet, unless string) {
	flags.StringVar(&f.memory, "device-memory", "", "the `bytes` of each GPU's memory (139GiB); default: "+unless)
	flags.Func("device-count", "how many `GPUs` there are; default: "+unless, f.setCount)
}

func (f *gpuFlags) setCount(text string) (err error) {
	if f.count, err = strconv.Atoi(text); err != nil || f.count < 1 {
		return errors.New("write how many GPUs there are, from 1 on")
	}
	return nil
}

// given says whether the flags speak of GPUs.
func (f *gpuFlags) given() bool { return f.memory != "" || f.count != 0 }

// unknownMemory stands for memory of which nobody has said how much it is: more than any proof takes. Shares of it are
// above knownMemory, which is more than any machine has.
const (
	unknownMemory = 1 << 60
	knownMemory   = 1 << 50
)

// bytes is the memory of each GPU, unknownMemory where nothing is said.
func (f *gpuFlags) bytes() (int64, error) {
	if f.memory == "" {
		return unknownMemory, nil
	}
	bytes, err := budget.ParseBytes(f.memory)
	if err != nil || bytes <= 0 || bytes >= knownMemory {
		return 0, usageError{fmt.Errorf("--device-memory %s: write a size such as 24GiB", f.memory)}
	}
	return bytes, nil
}

// onto gives a profile's machine the GPUs that the flags speak of.
func (f *gpuFlags) onto(m *sim.Machine) error {
	bytes, err := f.bytes()
	if err != nil || !f.given() {
		return err
	}
	memory := map[string]sim.Physical{}
	for pool, physical := range m.Memory {
		memory[pool] = physical
	}
	if f.memory != "" {
		for d := range m.Devices {
			delete(memory, fmt.Sprintf("%s%d", devicePool, d))
		}
		memory[devicePool] = sim.Physical{Total: sim.Size(bytes)}
	}
	pin(memory)
	m.Memory = memory
	m.Devices = f.countOr(max(m.Devices, 1))
	return nil
}

// pin makes a part of a host's memory pinned, as runs do, where a profile says nothing of it.
func pin(memory map[string]sim.Physical) {
	host, known := memory[hostPool]
	if _, pinned := memory[pinnedPool]; pinned || !known {
		return
	}
	part := (host.Total - host.Others) / pinnedShare
	host.Others += part
	memory[hostPool], memory[pinnedPool] = host, sim.Physical{Total: part}
}

func (f *gpuFlags) countOr(otherwise int) int {
	if f.count > 0 {
		return f.count
	}
	return otherwise
}

// What pipelines call their pools, where a machine's memory is told by the pool.
const (
	hostPool   = "host"
	pinnedPool = "pinned"
	devicePool = "device"
)

// assumedGPUs are GPUs that need not be there.
type assumedGPUs struct {
	count int
	bytes int64 // of each
}

// newAssumingWorkbench gives a workbench for machines with GPUs that need not be there: pipelines can be sized and
// simulated with it, and not run.
func newAssumingWorkbench(gpus assumedGPUs) (*workbench, error) {
	engines, err := stages.NewEngines(stages.WithMachine(cuda.AssumeMachine(gpus.count)))
	if err != nil {
		return nil, err
	}
	bench, err := workbenchOf(engines)
	if err != nil {
		return nil, err
	}
	bench.assumed = &gpus
	return bench, nil
}

// deviceLimits gives the bytes of a pipeline's pools of device memory, on the GPUs that there are or on those assumed. What
// is to be told of GPUs that do not work is.
func (w *workbench) deviceLimits(p *spec.Pipeline, told io.Writer) (map[string]int64, error) {
	if w.assumed == nil {
		return w.limitsHere(p, told)
	}
	limits := map[string]int64{}
	for _, pool := range p.Pools {
		if pool.Memory == budget.Device {
			limits[pool.Name] = max(w.assumed.bytes-pool.Margin, 0)
		}
	}
	return limits, nil
}
