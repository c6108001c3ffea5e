//go:build !linux

package standin

import (
	"context"
	"errors"
)

// ErrNoCompiler says that this machine has no C++ compiler.
var ErrNoCompiler = errors.New("the stand-in is for Linux")

// Path fails: see ErrNoCompiler.
func Path(context.Context) (string, error) { return "", ErrNoCompiler }
