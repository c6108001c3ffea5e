// Package gpu holds tests alone: they prove the CUDA kernels right on fresh random data, and whole proofs equal to those of
// the CPU, byte for byte; on request they time both. Outputs are poisoned before every run; references are gnark-crypto's.
// Without a GPU every test is skipped; run.sh builds the library and runs them all on a GPU machine, and `make
// test-standin` runs the small ones on the stand-in.
package gpu
