package binfile_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

const pages = 64

// mappedPages opens a file with a section of many pages.
func mappedPages(t *testing.T) (f *binfile.File, path string, contents []byte) {
	path = filepath.Join(t.TempDir(), "file")
	contents = bytes.Repeat([]byte{0x5a}, pages*os.Getpagesize())
	var out bytes.Buffer
	w, err := binfile.NewWriter(&out, kind, 1)
	require.NoError(t, err)
	require.NoError(t, w.Section(1, int64(len(contents)), func(to io.Writer) error {
		_, err := to.Write(contents)
		return err
	}))
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour))) // so that any change is seen
	f, err = binfile.Open(path, kind)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	require.NoError(t, f.Intact())
	contents, err = f.Section(1)
	require.NoError(t, err)
	return f, path, contents
}

// sum reads all of a view; what has gone is a panic where faults are not harmless.
func sum(view []byte) (total int) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { _ = recover() }()
	for _, b := range view {
		total += int(b)
	}
	return total
}

func TestAFileThatIsCutShortReadsOn(t *testing.T) {
	for name, size := range map[string]int64{"to nothing": 0, "to the middle": pages / 2 * int64(os.Getpagesize())} {
		t.Run(name, func(t *testing.T) {
			f, path, contents := mappedPages(t)
			require.NoError(t, os.Truncate(path, size))
			require.Less(t, sum(contents), len(contents)*0x5a)
			require.ErrorIs(t, f.Intact(), binfile.ErrChanged)
			require.ErrorContains(t, f.Intact(), path)
		})
	}
}

// A file that was cut short and made whole again has lost pages all the same.
func TestAFileThatIsMadeWholeAgainHasChanged(t *testing.T) {
	f, path, contents := mappedPages(t)
	before, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, 0))
	sum(contents)
	require.NoError(t, os.Truncate(path, before.Size()))
	require.NoError(t, os.Chtimes(path, time.Time{}, before.ModTime()))
	if binfile.FaultsAreHarmless {
		require.ErrorIs(t, f.Intact(), binfile.ErrChanged)
	}
}

func TestManyThreadsMayFaultAtOnce(t *testing.T) {
	for range 20 {
		f, path, contents := mappedPages(t)
		other, _, intact := mappedPages(t)
		require.NoError(t, os.Truncate(path, 0))
		var readers sync.WaitGroup
		for range 8 {
			readers.Go(func() { sum(contents) })
		}
		readers.Wait()
		require.ErrorIs(t, f.Intact(), binfile.ErrChanged)
		require.NoError(t, other.Intact())
		require.Equal(t, len(intact)*0x5a, sum(intact), "another file's mapping is left alone")
	}
}

func TestAFileThatIsWrittenToHasChanged(t *testing.T) {
	f, path, _ := mappedPages(t)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteAt([]byte{1}, 100)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.ErrorIs(t, f.Intact(), binfile.ErrChanged)
}

func TestAFileThatIsReplacedOrRemovedHasNotChanged(t *testing.T) {
	f, path, contents := mappedPages(t)
	require.NoError(t, os.Rename(path, path+".old"))
	require.NoError(t, os.WriteFile(path, []byte("another"), 0o600))
	require.NoError(t, f.Intact())
	require.NoError(t, os.Remove(path+".old"))
	require.NoError(t, f.Intact())
	require.Equal(t, len(contents)*0x5a, sum(contents))
	require.NoError(t, f.Close())
	require.NoError(t, f.Intact(), "a closed file has nothing that could change")
}
