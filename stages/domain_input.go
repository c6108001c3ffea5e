package stages

import (
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
)

// domainOption is how a stage that transforms vectors on a device comes by the roots of unity.
func domainOption() stage.Option {
	return stage.Option{
		Name: "domain", Type: stage.String, Default: "scratch", Enum: []string{"scratch", device},
		Doc: "where a GPU finds the roots of unity: scratch leaves room to compute them for each item, unless the input " +
			"domain is connected; device takes them from that input, and leaves no room",
	}
}

// domainInput is the input that takes them from a stage of their own.
func domainInput(o stage.Options) stage.Port {
	return stage.Port{
		Name: "domain", Type: typeDomain, Optional: !domainGiven(o), Doc: "the roots of unity (groth16.load_device, part domain)",
	}
}

// domainGiven says whether a stage has no room for roots of unity of its own.
func domainGiven(o stage.Options) bool { return o.String("domain") == device }

// domainOfTask gives the domain that a task is given, nil where it has to make its own.
func domainOfTask(t *stage.Task) (*cuda.Domain, error) {
	if !t.Connected("domain") {
		return nil, nil
	}
	return stage.In[*cuda.Domain](t, "domain")
}
