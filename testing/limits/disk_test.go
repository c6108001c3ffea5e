package limits

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const failed = 1

// disk mounts a small file system of its own, or skips the test where that is not allowed.
func disk(t *testing.T, size string) string {
	dir := t.TempDir()
	if err := unix.Mount("proofgraph", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, 0)) })
	return dir
}

// On a disk that has room for a part of the files, jobs have all of theirs or none, and the others are told.
func TestAFullDisk(t *testing.T) {
	c := circuitOf(t)
	dir := disk(t, "24k") // six pages: two files for each of three proofs
	got := carryOut(append(c.prove(t), "--out", dir))
	require.Equal(t, failed, got.code, got.stderr)
	assert.Contains(t, got.stderr, "cannot be written: no space left on device")
	assert.NotContains(t, got.stderr, dir+"/.")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.NotEmpty(t, left)
	for _, file := range left {
		name := dir + "/" + file.Name()
		proof, isPublic := strings.CutSuffix(name, ".public.json")
		if isPublic {
			assert.FileExists(t, proof+".proof.json")
		} else {
			assert.Regexp(t, `/[^.][^/]*\.proof\.json$`, name)
		}
	}
}

// A folder that nothing can be written to is found out before anything is proved.
func TestAReadOnlyDisk(t *testing.T) {
	c := circuitOf(t)
	dir := disk(t, "64k")
	require.NoError(t, unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	got := carryOut(append(c.prove(t), "--out", dir))
	require.Equal(t, failed, got.code, got.stderr)
	assert.Equal(t, "proofgraph: "+dir+" cannot be written: read-only file system\n", got.stderr)
}
