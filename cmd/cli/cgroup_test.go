package cli_test

import (
	"path/filepath"
	"strings"
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
	got := prove("67108864", "--memory", "1GiB")
	got.requireEnds(t, done, "--memory 1GiB is more than there is (cgroup v2 /prover: 64 MiB, 64 MiB of it free, some needed beside the pool): 31.8 MiB it is")
	assert.Equal(t, int64(64<<20-(16<<20+64<<20/256+64<<20/4)), pools(got))

	got = prove("67108864", "--memory", "30MiB")
	got.requireEnds(t, done)
	assert.NotContains(t, got.stderr, "--memory")
	assert.Equal(t, int64(30<<20), pools(got))

	got = prove("402653184") // the pipeline's margin is 256 MiB
	got.requireEnds(t, done)
	assert.Equal(t, int64(128<<20), pools(got))

	prove("134217728").requireEnds(t, tooLarge,
		`cannot fit: cgroup v2 /prover: 128 MiB, 128 MiB of it free, leaves nothing for the pool "host" beside the pool's margin of 256 MiB; --memory 81408KiB takes all that can be had`)
	prove("134217728", "--memory", "81408KiB").requireEnds(t, done)
	prove("1048576", "--memory", "1GiB").requireEnds(t, tooLarge, "beside what the program itself needs; raise that limit")

	// What is too little and cannot be more here is not asked for.
	prove("22574720", "--memory", "1GiB").requireEnds(t, tooLarge, "cannot fit: ", ", and here a run can have ", "; doctor says why")

	// A pipeline's own number is no more of a promise than the user's.
	source := strings.Replace(string(read(t, "../../pipelines/groth16.yaml")), "host: { limit: auto, margin: 256MiB }", "host: { limit: 4GiB }", 1)
	fixed := write(t, t.TempDir(), "fixed.yaml", []byte(source))
	got = prove("67108864", "--pipeline", fixed)
	got.requireEnds(t, done, "the pool's limit of 4 GiB is more than there is (cgroup v2 /prover: 64 MiB, ")
	assert.Less(t, pools(got), int64(48<<20))
	sized := carryOutOn(machine("67108864"), "", "check", fixed)
	sized.requireEnds(t, done)
	assert.Contains(t, sized.stdout, "4 GiB", "check sizes other machines too")

	doctor := carryOutOn(machine("16777216"), "", "doctor")
	doctor.requireEnds(t, done)
	assert.Contains(t, doctor.stdout, "cgroup v2 /prover: 16 MiB")
}

// doctor names the limit that holds and, where another leaves less, that one too.
func TestDoctorNamesTheLimitUnderWhichLeastIsFree(t *testing.T) {
	root := machine("1073741824")
	root["sys/fs/cgroup/prover/memory.current"] = &fstest.MapFile{Data: []byte("1048576\n")}
	root["proc/self/limits"] = &fstest.MapFile{Data: []byte("Max address space         4294967296           unlimited            bytes\n")}
	root["proc/self/status"] = &fstest.MapFile{Data: []byte("VmSize:\t 4194304 kB\n")}
	got := carryOutOn(root, "", "doctor")
	got.requireEnds(t, done)
	assert.Contains(t, got.stdout, "cgroup v2 /prover: 1 GiB; 0 B can still be used\n         least is free under RLIMIT_AS (ulimit -v): 4 GiB\n")
	prove := carryOutOn(root, "", "prove", "--zkey", golden("bn254", "cells.zkey"), "--wtns", golden("bn254", "cells.wtns"), "--out", t.TempDir())
	prove.requireEnds(t, tooLarge, "cannot fit: RLIMIT_AS (ulimit -v): 4 GiB, 0 B of it free, ", "raise that limit")
}
