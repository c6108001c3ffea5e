//go:build cgo && linux

package cudabind

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhichErrorsAreTheDevices(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		fault bool
	}{
		"a stray kernel":                    {&Error{Code: 700, Name: "cudaErrorIllegalAddress"}, true},
		"a device without memory":           {&Error{Code: 2, Name: "cudaErrorMemoryAllocation"}, true},
		"a host without memory":             {ofHost(&Error{Code: 2, Name: "cudaErrorMemoryAllocation"}), false},
		"a stray kernel, met while pinning": {ofHost(&Error{Code: 700, Name: "cudaErrorIllegalAddress"}), true},
		"what the library refuses":          {&Error{Code: 10001, Name: "PG_INVALID_ARGUMENT"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var fault interface{ DeviceFault() bool }
			require.ErrorAs(t, c.err, &fault)
			require.Equal(t, c.fault, fault.DeviceFault())
			var told *Error
			require.True(t, errors.As(c.err, &told), "what the library told can be found")
		})
	}
}
