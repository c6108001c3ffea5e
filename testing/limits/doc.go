// Package limits holds the program to memory limits that the kernel enforces: control groups, which kill a process that
// takes more, and the limits of a process on its own addresses, under which Go's runtime ends it. Its tests make such limits,
// so they are for Linux and for root, and run by `make test-limits`.
package limits
