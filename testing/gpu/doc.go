// Package gpu holds tests alone: they prove the CUDA kernels right on fresh random data and, on request, time them.
// Outputs are poisoned before every run; references are gnark-crypto's. Without a GPU every test is skipped; run.sh
// builds the library and runs them all on a GPU machine.
package gpu
