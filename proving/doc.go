// Package proving is Groth16 without a pipeline: what the stages of a pipeline call. Read in this order:
//
//	curve      the curves, and how their elements lie in memory
//	engine     whole-vector operations: sums of points, transforms, products; engine/gnark does them everywhere
//	groth16    the steps of a proof, the verifier, development keys
//	pairing    arithmetic of single points
//	fixedbase  many multiples of one point, for making keys
//	format/... the files: zkey, wtns and r1cs are mapped and used where they lie, snarkjson is read and written
//	witness    circom's WebAssembly
//
// No function here allocates a large buffer: callers say where results go, ask beforehand how much scratch a step
// takes, and say how many threads may work.
package proving
