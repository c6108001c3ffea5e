package stage_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// verdict is an error that says whether a device is to blame.
type verdict bool

func (verdict) Error() string { return "a verdict" }

func (v verdict) DeviceFault() bool { return bool(v) }

func TestWhoIsToBlame(t *testing.T) {
	plain := errors.New("a bad witness")
	for name, c := range map[string]struct {
		err   error
		fault bool
	}{
		"nothing":                   {nil, false},
		"an error of another kind":  {plain, false},
		"the device":                {verdict(true), true},
		"the device, wrapped":       {fmt.Errorf("open: %w", verdict(true)), true},
		"the device, beside others": {errors.Join(plain, verdict(true)), true},
		"not the device":            {fmt.Errorf("pin: %w", verdict(false)), false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.fault, stage.IsDeviceFault(c.err)) })
	}
}
