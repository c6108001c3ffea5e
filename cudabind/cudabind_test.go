//go:build cgo && linux

package cudabind_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

func TestOpenNamesEveryProblem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing.so")
	t.Setenv(cudabind.LibraryVariable, path)
	_, err := cudabind.Open()
	require.ErrorIs(t, err, cudabind.ErrUnavailable)
	require.Contains(t, err.Error(), path)
}

func TestProbeReportsInsteadOfFailing(t *testing.T) {
	t.Setenv(cudabind.LibraryVariable, "/nonexistent")
	report := cudabind.Probe()
	require.ErrorIs(t, report.Problem, cudabind.ErrUnavailable)
	require.Nil(t, report.Library)
	require.Empty(t, report.Devices)
}

func TestOpenRefusesWhatIsNoKernelLibrary(t *testing.T) {
	cases := []struct{ name, source, complaint string }{
		{"no library at all", "", "text.so"},
		{"another library", "int other(void) { return 1; }", "lacks pg_handshake"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(cudabind.LibraryVariable, sharedObject(t, c.source))
			_, err := cudabind.Open()
			require.ErrorIs(t, err, cudabind.ErrUnavailable)
			require.Contains(t, err.Error(), c.complaint)
		})
	}
}

// A library with every symbol but an older version number must be refused with a sentence, not called.
func TestOpenRefusesAnotherVersion(t *testing.T) {
	header, err := filepath.Abs("loader.h")
	require.NoError(t, err)
	source := `#include "` + header + `"
#define DEFINE(type, name, parameters, arguments) type name parameters { type r = {0}; return r; }
PG_CALLS(DEFINE)`
	t.Setenv(cudabind.LibraryVariable, sharedObject(t, source))
	_, err = cudabind.Open()
	require.ErrorIs(t, err, cudabind.ErrUnavailable)
	require.Contains(t, err.Error(), "speaks version 0 of the kernel interface, this program version 3")
}

// The right version number does not do where a struct is laid out in another way, whichever it is.
func TestOpenRefusesOtherStructs(t *testing.T) {
	header, err := filepath.Abs("loader.h")
	require.NoError(t, err)
	for _, field := range []string{"error_bytes", "device_bytes", "msm_bytes", "constraints_bytes"} {
		t.Run(field, func(t *testing.T) {
			source := `#include <string.h>
#include "` + header + `"
static void fill(void *result, const char *name) {
  if (strcmp(name, "pg_handshake")) return;
  pg_handshake_info *info = result;
  *info = (pg_handshake_info){.abi_version = PG_ABI_VERSION, .error_bytes = sizeof(pg_error),
    .device_bytes = sizeof(pg_device_info), .msm_bytes = sizeof(pg_msm_config), .constraints_bytes = sizeof(pg_constraints)};
  info->` + field + ` += 8;
}
#define DEFINE(type, name, parameters, arguments) type name parameters { type r = {0}; fill(&r, #name); return r; }
PG_CALLS(DEFINE)`
			t.Setenv(cudabind.LibraryVariable, sharedObject(t, source))
			_, err := cudabind.Open()
			require.ErrorIs(t, err, cudabind.ErrUnavailable)
			require.Contains(t, err.Error(), "was compiled with other struct layouts than this program")
		})
	}
}

func TestPointSizes(t *testing.T) {
	for group, size := range map[cudabind.Group]int{
		cudabind.BN254G1: 64, cudabind.BN254G2: 128, cudabind.BLS12381G1: 96, cudabind.BLS12381G2: 192,
	} {
		require.Equal(t, size, group.PointBytes())
	}
}

// sharedObject compiles C source; an empty one gives a file that is no library.
func sharedObject(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if source == "" {
		path := filepath.Join(dir, "text.so")
		require.NoError(t, os.WriteFile(path, []byte("text"), 0o600))
		return path
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	input, output := filepath.Join(dir, "lib.c"), filepath.Join(dir, "lib.so")
	require.NoError(t, os.WriteFile(input, []byte(source), 0o600))
	log, err := exec.Command(compiler, "-shared", "-fPIC", "-o", output, input).CombinedOutput()
	require.NoError(t, err, "%s", log)
	return output
}
