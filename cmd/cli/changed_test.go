package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A key that is cut short under a process that proves with it fails the proofs that are left, and not the process.
func TestAKeyThatIsCutShortUnderAProcess(t *testing.T) {
	c := theLarge(t)
	text, err := os.ReadFile(c.zkey)
	require.NoError(t, err)
	const n = 100
	c.zkey = write(t, t.TempDir(), "copy.zkey", text)
	run, out := startBatch(t, c, n)
	require.NoError(t, os.Truncate(c.zkey, int64(len(text)/2)))
	run.requireCode(t, invalid)
	assert.Contains(t, run.stderr.String(), filepath.Base(c.zkey)+": the file changed while it was in use (stage ")
	proofs := proofsIn(t, c, out)
	assert.Positive(t, proofs)
	assert.Less(t, proofs, n)
}
