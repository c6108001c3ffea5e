package cli_test

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// machine is a root directory of a machine of 16 GiB with a control group of a limit.
func machine(limit string) fstest.MapFS {
	return fstest.MapFS{
		"proc/meminfo":                    {Data: []byte("MemTotal: 16777216 kB\nMemAvailable: 12582912 kB\n")},
		"proc/self/cgroup":                {Data: []byte("0::/prover\n")},
		"sys/fs/cgroup/prover/memory.max": {Data: []byte(limit + "\n")},
	}
}

// More than the control group lets the process use is never promised, whatever was asked for: the run has what there is, or
// is refused where that is too little.
func TestAControlGroupThatAllowsLessThanIsAskedFor(t *testing.T) {
	pools := func(got outcome) int64 {
		report := decode[struct {
			Pools []struct {
				Name  string
				Limit int64
			}
		}](t, got.stdout)
		require.Equal(t, "host", report.Pools[0].Name)
		return report.Pools[0].Limit
	}
	prove := func(limit string, more ...string) outcome {
		out := filepath.Join(t.TempDir(), "out")
		args := append([]string{"prove", "--zkey", golden("bn254", "cells.zkey"), "--wtns", golden("bn254", "cells.wtns"), "--out", out, "--json"}, more...)
		return carryOutOn(machine(limit), "", args...)
	}
	got := prove("16777216", "--memory", "1GiB")
	got.requireEnds(t, done, "--memory 1GiB is more than is free (cgroup v2 /prover: 16 MiB): 16 MiB it is")
	assert.Equal(t, int64(16<<20), pools(got))

	got = prove("402653184") // the pipeline's margin is 256 MiB
	got.requireEnds(t, done)
	assert.Equal(t, int64(128<<20), pools(got))

	prove("102400", "--memory", "1GiB").requireEnds(t, tooLarge, `cannot fit: the pool "host" has 100 KiB`)
	prove("102400").requireEnds(t, invalid, "no bytes left after its margin")

	doctor := carryOutOn(machine("16777216"), "", "doctor")
	doctor.requireEnds(t, done)
	assert.Contains(t, doctor.stdout, "cgroup v2 /prover: 16 MiB")
}
