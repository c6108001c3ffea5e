// Package interop holds proofgraph against what no one here wrote: circuits compiled by circom, keys
// and proofs of snarkjs, gnark's verifier, and published artifacts with keys of real ceremonies.
//
// run.sh prepares circuits and keys and runs the tests, which are behind the build tag interop. They
// drive the binary, as a person would. What snarkjs made is the measure: the tests never ask
// proofgraph whether proofgraph was right.
package interop
