package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gopkg.in/yaml.v3"
)

func TestWrongProfilesAreErrors(t *testing.T) {
	cases := []struct{ name, yaml, want string }{
		{"unknown key", "profile: p\nstagse: {}", "line 2: unknown key \"stagse\"; there are profile, doc, facts, machine, resources, stages, kinds"},
		{"unknown key of a cost", "profile: p\nstages: { a: { second: 1 } }", "line 2: unknown key \"second\"; there are "},
		{"unknown key of a phase", "profile: p\nstages: { a: { phases: [{ sec: 1 }] } }", "line 2: unknown key \"sec\"; there are name, seconds"},
		{"a list for a number", "profile: p\nmachine: { cores: [2] }", "line 2: a list stands where a whole number belongs"},
		{"text for a mapping", "profile: p\nmachine: fast", "line 2: \"fast\" stands where a mapping of keys to values belongs"},
		{"a pipeline", "pipeline: p\nstages: { a: { kind: model.stage } }", "this is a pipeline, and no profile"},
		{"a tab", "profile: p\n\tdoc: d", "spaces, never with tabs"},
		{"no YAML", "profile: [", "line 1: did not find expected node content"},
		{"cores below zero", "profile: p\nmachine: { cores: -1 }", "-1 cores"},
		{"unknown resource", "profile: p\nstages: { a: { seconds: 1, loads: { bus: 1 } } }", `cost of "a": loads "bus"`},
		{"no capacity", "profile: p\nresources: { bus: {} }", `resource "bus": capacity`},
		{"negative", "profile: p\nstages: { a: -1 }", `cost of "a": -1 seconds`},
		{"not a number", "profile: p\nstages: { a: .nan }", `cost of "a": NaN seconds`},
		{"endless", "profile: p\nstages: { a: .inf }", `cost of "a": +Inf seconds`},
		{"phases and seconds", "profile: p\nstages: { a: { seconds: 1, phases: [{ seconds: 1 }] } }", "has phases, and seconds"},
		{"nothing", "profile: p\nstages: { a: }", `cost of "a": it has none`},
		{"a list of nothing", "profile: p\nstages: { a: [] }", "a list of no costs"},
		{"the same threads twice", "profile: p\nstages: { a: [{ seconds: 1, threads: 2 }, { seconds: 2, threads: 2 }] }", "a number of threads of its own"},
		{"an unknown key in a list", "profile: p\nstages: { a: [{ secs: 1, threads: 2 }] }", "line 2: unknown key \"secs\""},
		{"half a curve", "profile: p\nstages: { a: { of: domain } }", "of and at go together"},
		{"a size without sense", "profile: p\nmachine: { memory: { host: { total: much } } }", `line 2: "much" is not a size`},
		{"others need all", "profile: p\nmachine: { memory: { host: { total: 1GiB, others: 1GiB } } }", "others need all of it"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadProfile("p.yaml", []byte(c.yaml))
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "p.yaml: ")
		})
	}
}

func FuzzReadProfile(f *testing.F) {
	f.Add([]byte("profile: p\nfacts: { domain: 8 }\nresources: { bus: { capacity: 1, falloff: 0.1 } }\nstages: { a: 1.5, b: { phases: [{ seconds: 1, loads: { bus: 1 } }], spread: 0.1 } }"))
	f.Add([]byte("stages: { a: [{ seconds: 1, threads: 1 }, { seconds: 0.6, threads: 2 }], b: 1 }"))
	f.Add([]byte("machine: { devices: 2, memory: { device: { total: 80GiB }, device1: { total: 40GiB } } }\nresources: { gpu: { capacity: 1, per: device } }"))
	f.Add([]byte("kinds: { k: { of: domain, at: { 8: 1, 16: 2 }, launch: 1 } }\nmachine: { cores: 4, memory: { host: { total: 1GiB } } }"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ReadProfile("p.yaml", text)
		if err != nil {
			return
		}
		again, err := yaml.Marshal(p)
		assert.NoError(t, err)
		read, err := ReadProfile("again.yaml", again)
		assert.NoError(t, err)
		once, err := yaml.Marshal(read)
		assert.NoError(t, err)
		assert.Equal(t, string(again), string(once))
	})
}
