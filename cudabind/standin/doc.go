// Package standin builds a stand-in of the CUDA kernel library for tests: the same C interface
// (kernels/proofgraph_cuda.h) on the CPU, so that everything above cudabind runs whole on a machine without a GPU.
//
// # What it is
//
// libproofgraph_standin.so is loaded as the kernel library is, by PROOFGRAPH_CUDA_LIB alone: its name keeps it out of
// the default search. It computes what the kernels compute, by the textbook and one thread a stream, from the kernels'
// own field and curve headers; testing/gpu compares it with gnark-crypto. And it refuses misuse, with
// PG_INVALID_ARGUMENT and a sentence, where a GPU would read garbage:
//
//   - Device memory cannot be touched by the host: a dereference crashes. Its addresses are never given out twice, so
//     freed memory is recognised; freed pinned memory crashes whoever touches it.
//   - Fresh memory is poisoned with a byte (0xDB) that makes every element and coordinate larger than its modulus, and
//     kernels refuse those: what was never written is not computed with. The operands that a quotient consumes are
//     poisoned too.
//   - Operands must be live memory of the stream's device, large enough, aligned (elements and points to 16 bytes,
//     tables and scratch to 256) and apart from one another, but for pointwise results in place.
//   - Tables and powers know their curve and size; results know their config. A result read before the stream was
//     waited for is refused by pg_msm_finish.
//   - Memory that queued work uses cannot be freed. Closed handles are refused.
//
// Streams run on threads of their own, in order each and at any pace relative to one another. Copies of pinned memory
// return at once; others wait, as cudabind says. A failure of queued work stays with its stream: what follows it on the
// stream does not run, every wait and later call returns it, and events carry it to the streams that wait for them.
//
// # What it is not
//
// It says nothing about speed, and little about memory: sizes of tables, scratch and results are its own, mostly
// smaller than the kernels'. A failure stays with a stream rather than with all of a device, as CUDA's do, so that one
// test process can provoke many. It does not see two streams that use the same memory without an event between them, nor
// pages that CUDA would not pin. It is for tests: DeviceInfo's name says so.
//
// # Environment
//
// The variables are read when devices are listed or opened and when streams are made:
//
//	PG_STANDIN_DEVICES=n     devices, 0 to 16; 1 by default
//	PG_STANDIN_MEMORY=bytes  memory of each; 1 GiB by default. More fails with cudaErrorMemoryAllocation, code 2
//	PG_STANDIN_DELAY_US=n    time that every operation on a stream takes at least
//	PG_STANDIN_FAIL=list     failures: "pg_msm_start:3" lets the third call of that function fail, with
//	                         cudaErrorIllegalAddress (700), or cudaErrorMemoryAllocation (2) in pg_device_alloc and
//	                         pg_pinned_alloc. "pg_msm_start:3:later" lets the work that this call queues fail, which
//	                         the stream reports when it is waited for; "pg_msm_start:3:ever" lets this call fail and
//	                         every later one that needs a device, as CUDA does once a kernel has gone astray. Several
//	                         are separated by commas. Calls are counted from when the list was last changed.
//	PG_STANDIN_BROKEN=n      the number of a device that has broken down: it can be listed and opened, and fails all
//	                         else with cudaErrorIllegalAddress, the freeing of memory too; with
//	PG_STANDIN_WORKS_FOR=n   after n calls that needed it
//
// # Reading order
//
// Use (use.go) and how the library is built (build.go). Then library/: memory.h (who may touch what), stream.h (the
// queues), operation.h (a call: operands checked, work queued), the interface in interface_*.cpp, and what it computes:
// elements.h, vectors.h with transform.h and tables.h, constraints.h, group_impl.h with windows.h. settings.h and
// faults.h are the environment's.
//
// # Adding a function
//
// A new call of the interface is one function in a library/interface_*.cpp: it names its operands to an Operation
// (library/operation.h), which checks them, and queues a lambda that works on the addresses it got back.
package standin
