// Package truth has the test that memory is what the tracker says: real proofs through every bundled pipeline under a
// tight budget, while the process's anonymous resident memory is sampled. `make stress` runs it on larger circuits.
package truth
