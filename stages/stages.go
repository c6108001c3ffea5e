// Package stages holds the stage kinds of the Groth16 prover, each in the file of its name: what the kind is called, its
// ports and options, the bytes it needs, and its body, which calls package groth16, or package cuda, on the memory it was
// leased.
//
// Reading order: the payload of an item (payload.go), then the kinds in the order of a proof: load_key, witness,
// synthesize, ntt (or product and subtract, which do its work in two thirds of the memory), msm, assemble, verify, write.
//
// Then GPUs: when a stage computes on one, and in which memory (devices.go); how its body leaves the worker meanwhile
// (launch.go), or is the CPU's after all (either.go); how pools get memory of GPUs (device_memory.go). ntt and msm work on either side: a sum of a GPU is in
// msm_device.go and msm_operands.go, one of the CPU in msm_host.go. The kinds that keep a proof on a device are load_device
// (its parts: device_part.go, load_bases.go, load_constraints.go, load_domain.go), upload and quotient.
package stages

import (
	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Kinds gives all stage kinds of the prover, in the order of a proof. Their bodies use the given engines and
// witness generators.
func Kinds(engines *Engines, generators *Generators) []*stage.Kind {
	kinds := []*stage.Kind{
		loadKey(), witnessKind(generators), synthesize(engines), ntt(engines), product(engines), subtract(engines),
		msm(engines), assemble(), verify(), write(), loadDevice(engines), upload(engines),
		quotient(engines),
	}
	for _, k := range kinds {
		k.Memory = memories
	}
	return kinds
}

// Registry gives a registry of all stage kinds of the prover.
func Registry(engines *Engines, generators *Generators) (*stage.Registry, error) {
	return stage.NewRegistry(Kinds(engines, generators)...)
}

// The classes of the buffers of a proof, as pipelines declare them under `buffers`.
const (
	ClassKey     = "key"
	ClassWitness = "witness"
	ClassRows    = "abc"
	ClassH       = "h"
	ClassScratch = "scratch"
)

// The classes of the buffers of a proof on a device. The pools of the first four have device memory, that of the last
// pinned memory.
const (
	ClassDeviceKey     = "device_key" // bases, constraints and domains
	ClassDeviceWitness = "device_witness"
	ClassDeviceH       = "device_h"
	ClassDeviceScratch = "device_scratch"
	ClassPinned        = "pinned" // what crosses the bus: staging on the way there, results on the way back
)

// memories are those in which buffers of each class may lie: the host cannot touch a device's, and a device reaches no
// other by itself than its own and pinned memory.
var memories = map[string][]budget.Memory{
	ClassKey: ofHost, ClassWitness: ofHost, ClassRows: ofHost, ClassH: ofHost, ClassScratch: ofHost,
	ClassDeviceKey: ofDevice, ClassDeviceWitness: ofDevice, ClassDeviceH: ofDevice, ClassDeviceScratch: ofDevice,
	ClassPinned: {budget.Pinned},
}

var (
	ofHost   = []budget.Memory{budget.Host, budget.Pinned}
	ofDevice = []budget.Memory{budget.Device}
)

// The types of the ports.
var (
	typeKey         = stage.T("key", "curve")
	typePublic      = stage.T("public", "curve")
	typeConstraints = stage.T("constraints", "curve", "on="+device)
	typeDomain      = stage.T("domain", "curve", "on="+device)
	typeProof       = stage.T("proof", "curve")
	typeProven      = stage.T("verified_proof", "curve")
	typeFiles       = stage.T("files")
)

// Where a witness or h lies.
const (
	host   = "host"
	device = "device"
)

func typeWitness(on string) stage.Type { return stage.T("witness", "curve", "on="+on) }

// typeH is that of h, whose scalars are in Montgomery form wherever they lie.
func typeH(on string) stage.Type {
	return stage.T("vector", "curve", "form=montgomery", "domain=coset", "on="+on)
}

// typeBases is that of the points of a query with so many multiples of each.
func typeBases(query, multiples string) stage.Type {
	return stage.T("bases", "curve", "query="+query, "on="+device, "multiples="+multiples)
}

// typeRows is that of rows of A·w, B·w and C·w: which of them lie in the buffer.
func typeRows(vectors string) stage.Type {
	return stage.T("rows", "curve", "form=montgomery", "vectors="+vectors)
}

// typeSum is that of the sum of a query.
func typeSum(query string) stage.Type { return stage.T("point", "curve", "query="+query) }
