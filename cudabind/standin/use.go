package standin

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/proofgraph/proofgraph/cudabind"
)

// Build returns the path of the stand-in, built once for all processes. The test is skipped where nothing can build
// it, and fails where building it does.
func Build(t testing.TB) string {
	t.Helper()
	path, err := Path(t.Context())
	if errors.Is(err, ErrNoCompiler) {
		t.Skipf("no stand-in of the CUDA kernels: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// variables are those of the environment that the stand-in reads.
var variables = []string{
	"PG_STANDIN_DEVICES", "PG_STANDIN_MEMORY", "PG_STANDIN_DELAY_US", "PG_STANDIN_FAIL", "PG_STANDIN_BROKEN", "PG_STANDIN_WORKS_FOR",
}

// Option is a property of the stand-in's machine.
type Option struct{ variable, value string }

// Devices sets how many devices there are; none at all if n is 0.
func Devices(n int) Option { return Option{"PG_STANDIN_DEVICES", strconv.Itoa(n)} }

// Memory sets the bytes of memory of each device.
func Memory(bytes int) Option { return Option{"PG_STANDIN_MEMORY", strconv.Itoa(bytes)} }

// Delay sets the time that every operation on a stream takes at least.
func Delay(d time.Duration) Option {
	return Option{"PG_STANDIN_DELAY_US", strconv.FormatInt(d.Microseconds(), 10)}
}

// Fail asks for failures: "function:call", "function:call:later" or "function:call:ever", as the package comment says.
func Fail(calls ...string) Option { return Option{"PG_STANDIN_FAIL", strings.Join(calls, ",")} }

// Broken lets a device fail whatever it is asked for, but for what tells of it: its memory can be neither taken nor given
// back.
func Broken(device int) Option { return Option{"PG_STANDIN_BROKEN", strconv.Itoa(device)} }

// WorksFor lets a Broken device do so many calls before it breaks down.
func WorksFor(calls int) Option { return Option{"PG_STANDIN_WORKS_FOR", strconv.Itoa(calls)} }

// Use makes cudabind.Open load the stand-in, built if need be, on a machine with the given options and the defaults
// for the rest, until the test ends. Options are taken in when devices are next listed or opened, or a stream is made.
//
// The library is loaded once in a process: a test binary that has opened another library keeps that, and one that
// has opened the stand-in keeps it, with later options. Tests that need both belong in different packages. Like
// t.Setenv, it is not for parallel tests.
func Use(t testing.TB, options ...Option) {
	t.Helper()
	t.Setenv(cudabind.LibraryVariable, Build(t))
	for _, variable := range variables {
		t.Setenv(variable, "")
	}
	for _, o := range options {
		t.Setenv(o.variable, o.value)
	}
}
