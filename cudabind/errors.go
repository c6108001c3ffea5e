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

// OutOfMemory reports whether a device or the host refused an allocation.
func (e *Error) OutOfMemory() bool { return e.Code == 2 }

const codeNotReady = 10002

func unavailable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnavailable, fmt.Sprintf(format, args...))
}
