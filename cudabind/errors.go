package cudabind

import (
	"errors"
	"fmt"
)

// ErrUnavailable is wrapped by every error that means: this machine or this build has no usable kernel library.
var ErrUnavailable = errors.New("CUDA kernels unavailable")

// ErrNotReady says that a queried stream or event still has work under way.
var ErrNotReady = errors.New("work is still under way")

// Error is a failure inside the kernel library.
type Error struct {
	Code       int    // CUDA's number, or the library's own from 10000
	Name       string // CUDA's name of it, such as cudaErrorMemoryAllocation
	Expression string // the call or condition that failed
	File       string // in the library's source
	Line       int
}

// Error tells everything the library knows.
func (e *Error) Error() string {
	return fmt.Sprintf("%s (%d): %s at %s:%d", e.Name, e.Code, e.Expression, e.File, e.Line)
}

// DeviceFault reports whether the device is the cause, as for all that CUDA says; what the library itself refuses is the
// caller's.
func (e *Error) DeviceFault() bool { return e.Code > 0 && e.Code < ownCodes }

// ownCodes are the first of the library's own codes, above CUDA's.
const ownCodes = 10000

// hostError is a failure that no device is the cause of.
type hostError struct{ told *Error }

func (e hostError) Error() string { return e.told.Error() }

func (e hostError) Unwrap() error { return e.told }

// DeviceFault is false, whatever the library calls the failure.
func (hostError) DeviceFault() bool { return false }

// OutOfMemory reports whether a device or the host refused an allocation.
func (e *Error) OutOfMemory() bool { return e.Code == 2 }

const codeNotReady = 10002

func unavailable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnavailable, fmt.Sprintf(format, args...))
}
