package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

const machineOfFour = "machine: { cores: 4 }\nresources: { cores: { capacity: 4 } }\n"

func TestMergedProfilesKnowWhatEachKnew(t *testing.T) {
	small := profileOf(t, "profile: small\nfacts: { domain: 8 }\n"+machineOfFour+`stages:
  sum: { of: domain, at: { 8: 1 }, threads: 2, spread: 0.1, loads: { cores: 1 } }
  only: 7
`)
	large := profileOf(t, "profile: large\n"+machineOfFour+"stages: { sum: { of: domain, at: { 32: 3 }, threads: 2, spread: 0.3, loads: { cores: 2 } } }")
	again := profileOf(t, "profile: large\n"+machineOfFour+"stages: { sum: { of: domain, at: { 32: 5 }, threads: 2, spread: 0.1, loads: { cores: 2 } } }\nkinds: { k: 1 }")
	p, err := Merge(small, large, again)
	require.NoError(t, err)
	assert.Equal(t, "small + large", p.Name)
	assert.Equal(t, int64(8), p.Facts["domain"])
	assert.Equal(t, map[int64]float64{8: 1, 32: 4}, p.Stages["sum"][0].At, "of two that know a size, the middle")
	assert.Equal(t, 0.1, p.Stages["sum"][0].Spread)
	assert.InDelta(t, (1*1+3*2+5*2)/9.0, p.Stages["sum"][0].Loads["cores"], 1e-3, "weighted with the seconds")
	assert.Equal(t, 7.0, p.Stages["only"][0].Seconds)
	assert.Equal(t, 1.0, p.Kinds["k"][0].Seconds)

	alone, err := Merge(small)
	require.NoError(t, err)
	assert.Same(t, small, alone)
}

func TestProfilesThatDoNotGoTogether(t *testing.T) {
	base := "profile: p\n" + machineOfFour + "stages: { sum: { of: domain, at: { 8: 1 }, threads: 2, loads: { cores: 1 } } }"
	cases := map[string]struct{ other, want string }{
		"another machine":     {"profile: q\nmachine: { cores: 8 }\nresources: { cores: { capacity: 4 } }", "p and q are of different machines"},
		"other resources":     {"profile: q\nmachine: { cores: 4 }\nresources: { cores: { capacity: 3 } }", "different machines"},
		"any threads and two": {"profile: q\n" + machineOfFour + "stages: { sum: { of: domain, at: { 8: 1 } } }", "a number of threads of its own"},
		"another fact":        {"profile: q\n" + machineOfFour + "stages: { sum: { of: wires, at: { 8: 1 }, threads: 2 } }", `by "wires"`},
		"written by hand":     {"profile: q\n" + machineOfFour + "stages: { sum: { phases: [{ seconds: 1 }], threads: 2 } }", "costs with phases"},
		"a constant instead":  {"profile: q\n" + machineOfFour + "stages: { sum: { seconds: 1, threads: 2 } }", `by ""`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Merge(profileOf(t, base), profileOf(t, c.other))
			assert.ErrorContains(t, err, c.want)
		})
	}
	_, err := Merge()
	assert.Error(t, err)
}

// What was recorded with one thread a body and what was with several stand side by side, and a simulation takes the nearest.
func TestMergedProfilesKnowSeveralNumbersOfThreads(t *testing.T) {
	with := func(threads, seconds, cores string) *Profile {
		return profileOf(t, "profile: p\n"+machineOfFour+"stages: { sum: { of: domain, at: { 8: "+seconds+" }, threads: "+threads+", loads: { cores: "+cores+" } } }")
	}
	p, err := Merge(with("2", "3", "2"), with("1", "5", "1"), with("2", "5", "2"))
	require.NoError(t, err)
	require.Len(t, p.Stages["sum"], 2)
	for threads, want := range map[int]float64{1: 5, 2: 4, 3: 4 * 2 / 3.0, 4: 2} {
		assert.InDelta(t, want, p.Stages["sum"].onThreads(threads).At[8], 1e-9, "%d threads", threads)
	}
	text, err := yaml.Marshal(p)
	require.NoError(t, err)
	again := profileOf(t, string(text))
	assert.Equal(t, p.Stages, again.Stages, "written as a list and read again")
}

// What was recorded with GPUs and what was recorded without goes together: the machine has them.
func TestMergeWithGPUs(t *testing.T) {
	cpu := profileOf(t, "profile: cpu\n"+machineOfFour+"stages: { verify: 1 }")
	gpu := profileOf(t, `
profile: gpu
machine: { cores: 4, devices: 2, memory: { host: { total: 8GiB }, device: { total: 24GiB } } }
resources: { cores: { capacity: 4 }, gpu: { capacity: 1, per: device } }
stages: { sum: { seconds: 1, loads: { gpu: 1 } } }
`)
	for _, both := range [][]*Profile{{cpu, gpu}, {gpu, cpu}} {
		p, err := Merge(both...)
		require.NoError(t, err)
		assert.Equal(t, gpu.Machine, p.Machine)
		assert.Equal(t, gpu.Resources, p.Resources)
		assert.Len(t, p.Stages, 2)
	}
	assert.NotContains(t, cpu.Resources, "gpu", "the profiles themselves stay")
	gpu.Machine.Devices = 1
	other := *gpu
	other.Machine.Devices = 2
	_, err := Merge(gpu, &other)
	assert.ErrorContains(t, err, "different machines")
}
