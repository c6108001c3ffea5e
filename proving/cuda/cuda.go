// Package cuda does the heavy steps of a Groth16 proof on NVIDIA GPUs, with the kernels of package cudabind. It knows
// nothing of pipelines, and takes no memory of a device or of pinned pages: every step says beforehand what it needs
// (a Need) and is told where to work.
//
// A step is launched: it queues its work on a stream and gives a Pending, which is waited for exactly once. While it is
// pending the device uses the memory that the step was given, so that memory ends after Wait, however it ends.
//
// Reading order: Machine and Device (machine.go, device.go), Pending (pending.go), Memory and Need (memory.go), how host
// memory crosses the bus (upload.go, feed.go), then the steps. Of these, sums begin with Bases (bases.go) and Sum (sum.go);
// sum_layout.go cuts one into slices, and summing.go lets a slice arrive while the one before is summed.
package cuda
