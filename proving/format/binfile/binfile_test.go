package binfile_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

var kind = binfile.Kind{Magic: "test", Version: 3}

func text(s string) func(io.Writer) error {
	return func(to io.Writer) error { _, err := io.WriteString(to, s); return err }
}

func write(t testing.TB) []byte {
	var out bytes.Buffer
	w, err := binfile.NewWriter(&out, kind, 2)
	require.NoError(t, err)
	require.NoError(t, w.Section(7, 5, text("seven")))
	require.NoError(t, w.Section(2, 0, text("")))
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestWrittenSectionsReadBack(t *testing.T) {
	f, err := binfile.Parse(write(t), kind)
	require.NoError(t, err)
	require.Equal(t, []uint32{2, 7}, f.Sections())
	s, err := f.Section(7)
	require.NoError(t, err)
	require.Equal(t, "seven", string(s))
	_, err = f.SectionOf(7, "number", 4)
	require.ErrorContains(t, err, "section 7 (number) has 5 bytes where the header asks for 4")
	_, err = f.SectionOf(3, "number", 4)
	require.ErrorContains(t, err, "number: malformed file: section 3 is missing")
	require.True(t, f.Has(2))
	require.False(t, f.Has(3))
}

func TestWriterHoldsItsUserToItsWord(t *testing.T) {
	var out bytes.Buffer
	w, err := binfile.NewWriter(&out, kind, 1)
	require.NoError(t, err)
	require.ErrorContains(t, w.Close(), "1 announced sections")
	require.ErrorContains(t, w.Section(1, 3, text("four")), "announced with 3 bytes and got 4")
	require.ErrorContains(t, w.Section(2, 0, text("")), "one more than announced")
	broken := errors.New("broken")
	w, err = binfile.NewWriter(&out, kind, 1)
	require.NoError(t, err)
	require.ErrorIs(t, w.Section(1, 3, func(io.Writer) error { return broken }), broken)
}

func TestReleasedPagesAreReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	var out bytes.Buffer
	large := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	w, err := binfile.NewWriter(&out, kind, 1)
	require.NoError(t, err)
	require.NoError(t, w.Section(1, int64(len(large)), text(string(large))))
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o600))
	f, err := binfile.Open(path, kind)
	require.NoError(t, err)
	defer f.Close()
	s, err := f.Section(1)
	require.NoError(t, err)
	for _, part := range [][]byte{s, s[100:], s[:10], nil} {
		binfile.WillNeed(part)
		binfile.Release(part)
		require.True(t, bytes.Equal(large, s))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(write(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := binfile.Parse(data, kind)
		if err != nil {
			require.ErrorIs(t, err, binfile.ErrMalformed)
			return
		}
		total := 12
		for _, id := range file.Sections() {
			s, err := file.Section(id)
			require.NoError(t, err)
			total += 12 + len(s)
		}
		require.Equal(t, len(data), total)
	})
}

func TestFileOfTooManySectionsIsRefused(t *testing.T) {
	var out bytes.Buffer
	w, err := binfile.NewWriter(&out, kind, 300)
	require.NoError(t, err)
	for id := range uint32(300) {
		require.NoError(t, w.Section(id, 0, text("")))
	}
	require.NoError(t, w.Close())
	_, err = binfile.Parse(out.Bytes(), kind)
	require.ErrorContains(t, err, "300 sections are too many")
}

// A pipe without a writer would keep whoever opens it waiting for ever.
func TestWhatIsNoRegularFileIsRefusedAtOnce(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, unix.Mkfifo(pipe, 0o600))
	refused := make(chan error, 3)
	for _, path := range []string{pipe, t.TempDir(), "/dev/zero"} {
		go func() {
			_, err := binfile.Open(path, kind)
			refused <- err
		}()
	}
	for range 3 {
		select {
		case err := <-refused:
			require.ErrorContains(t, err, "no regular file")
		case <-time.After(10 * time.Second):
			require.Fail(t, "still waiting")
		}
	}
}
