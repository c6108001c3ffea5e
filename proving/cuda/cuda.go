// Package cuda does the heavy steps of a Groth16 proof on NVIDIA GPUs, with the kernels of package cudabind. It knows
// nothing of pipelines, and takes no memory of a device or of pinned pages: every step says beforehand what it needs
// (a Need) and is told where to work.
//
// A step is launched: it queues its work on a stream and gives a Pending, which is waited for exactly once. While it is
// pending the device uses the memory that the step was given, so that memory ends after Wait, however it ends. Scratch that
// is too small is refused with engine.ErrOperand before anything is queued; what fails on the device is a *cudabind.Error.
//
// Reading order: Machine and Device (machine.go, device.go), Pending (pending.go), Need and Scratch (need.go), Vector and
// Place (vector.go), then how host memory crosses the bus: a step of its own (transfer.go), through a stager (stager.go,
// download.go). Then the steps:
//
//   - Bases are loaded (bases.go) and summed over (Sum, sum.go). sum_layout.go cuts a sum into slices, sum_configs.go
//     chooses their windows, and summing.go has a slice arrive (sum_arrive.go) while the one before is summed.
//   - Constraints are loaded from a key's records (constraints.go, load_constraints.go), a Domain is built (domain.go),
//     and a quotient is made of both and a witness (quotient.go) or of rows of the host (quotient_rows.go).
//
// memory.go gives memory of a device and pinned memory to whoever leases it.
package cuda
