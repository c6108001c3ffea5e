package budget

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFormatBytes(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 8 << 30: "8 GiB", 100<<20 - 1: "100 MiB",
		12345678: "11.8 MiB", 1 << 20: "1 MiB", 1<<20 - 1: "1 MiB", math.MaxInt64: "8 EiB", -5: "-5 B", 200 << 20: "200 MiB",
	} {
		require.Equal(t, want, FormatBytes(bytes))
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "512": 512, "512B": 512, "64MiB": 64 << 20, " 64 mib ": 64 << 20, "1.5GiB": 3 << 29, "2 GB": 2e9,
		"1kB": 1000, "0.5KiB": 512, "8191PiB": 8191 << 50, "9223372036854775807": math.MaxInt64,
	} {
		got, err := ParseBytes(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "GiB", "-1", "1.5", "0.3KiB", "8192PiB", "9223372036854775808", "1e9", "0x10", "1/2", "1..5", ".", "5 parsecs",
		"1_000", "+5", "10 GiB 5", "99999999999999999999999999999999999999999", "NaN", "Inf", "１GiB",
	} {
		_, err := ParseBytes(text)
		require.Error(t, err, text)
	}
}

// A formatted size reads back to within its three digits, and exactly where it is whole.
func TestFormatAndParseAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shift := rapid.IntRange(0, 5).Draw(t, "unit") * 10
		bytes := rapid.Int64Range(0, 999).Draw(t, "bytes") << shift
		got, err := ParseBytes(FormatBytes(bytes))
		require.NoError(t, err)
		require.Equal(t, bytes, got)
	})
}

func FuzzParseBytes(f *testing.F) {
	for _, text := range []string{"64MiB", "1.5 GiB", "9223372036854775807", "1e400", "."} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if bytes, err := ParseBytes(text); err == nil {
			require.GreaterOrEqual(t, bytes, int64(0))
		}
	})
}
