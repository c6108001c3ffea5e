// Package cudabind runs proofgraph's CUDA kernels: transforms, rows of constraints, the quotient and multi-scalar
// multiplication over BN254 and BLS12-381.
//
// The kernel library is found and loaded at run time, so one binary serves machines with and without a GPU: Open
// finds it (or says why not), Probe reports for a person. A Device makes Buffers, Streams and Events; a Stream queues
// operations, which return at once; Synchronize, or an Event, waits.
//
// Reading order: Open (library.go, path.go), Device and Buffer (device.go), Stream and Event (stream.go), then what a
// Stream can do: vectors.go, evaluate.go, msm.go, in the words of types.go. kernels/ is the library, standin/ another one
// for tests, on the CPU.
//
// Nothing here allocates memory of a device behind the caller: buffers are made by Device.Alloc and AllocPinned
// alone, and operations say beforehand (the ...Bytes functions) how much table and scratch they need. Freeing is the
// owner's, by Free, once; closing a Stream or Event likewise.
//
// All data is bytes: field elements are little-endian Montgomery form with R = 2^(8 bytes), points affine x, y with
// infinity all zero, as gnark-crypto and snarkjs lay them out; scalars are 32 bytes, canonical unless said otherwise.
package cudabind
