package stages

import (
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// Bodies move at least their operands and results; what caches cannot hold goes more often. Each count here says which
// vectors it has.

// rowsTraffic is that of reading the coefficients and the witness, and writing so many vectors of rows.
func rowsTraffic(f stage.Facts, vectors int64) stage.Traffic {
	return stage.Traffic{stage.MemoryBus: f[FactRecords]*zkey.RecordSize + witnessBytes(f) + vectorBytes(f, vectors)}
}

// transformTraffic is that of so many vectors, each read and written by a transform to coefficients and one to the coset,
// and of a last pass over so many vectors that makes one of them.
func transformTraffic(f stage.Facts, vectors, last int64) stage.Traffic {
	return stage.Traffic{stage.MemoryBus: vectorBytes(f, 4*vectors+last+1)}
}

// sumTraffic is that of reading points and scalars of a sum.
func sumTraffic(q groth16.Query, h zkey.Header) stage.Traffic {
	return stage.Traffic{stage.MemoryBus: pointBytes(q, h) + scalarBytes(q, h)}
}

// copied is the traffic of bytes of the host that go to a device, or come from there, by way of page-locked memory: read,
// written and read again on this side.
func copied(bytes int64) stage.Traffic {
	return stage.Traffic{stage.DeviceBus: bytes, stage.MemoryBus: 3 * bytes}
}

// deviceSumTraffic is that of what a sum on a device takes from the host.
func deviceSumTraffic(s deviceSum, o stage.Options) stage.Traffic {
	var bytes int64
	if o.String(optionBases) != device {
		bytes += pointBytes(s.query, s.header)
	}
	if o.String(optionScalars) != device {
		bytes += scalarBytes(s.query, s.header)
	}
	return copied(bytes)
}

func witnessBytes(f stage.Facts) int64 { return f[FactWires] * curve.ScalarSize }

func pointBytes(q groth16.Query, h zkey.Header) int64 {
	return int64(q.Terms(h)) * int64(h.Curve.PointSize(q.Group()))
}

func scalarBytes(q groth16.Query, h zkey.Header) int64 { return int64(q.Terms(h)) * curve.ScalarSize }
