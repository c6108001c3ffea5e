package spec

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the errors as they are into testdata")

// Each file of testdata/errors is a broken pipeline; what Load says of it stands beside it. A first line
// "# --set a=1 b=2" gives overrides.
func TestErrorsAreAsWritten(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	seen := map[Code]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			all := loadBroken(t, file)
			for _, e := range all {
				seen[e.Code] = true
			}
			want := strings.TrimSuffix(file, ".yaml") + ".want"
			if *update {
				require.NoError(t, os.WriteFile(want, []byte(all.Error()+"\n"), 0o644))
			}
			text, err := os.ReadFile(want)
			require.NoError(t, err)
			assert.Equal(t, string(text), all.Error()+"\n")
		})
	}
	for _, code := range rest(seen) {
		t.Errorf("no file of testdata/errors shows %s", code)
	}
}

// rest lists the codes that no file can show, or that none shows.
func rest(seen map[Code]bool) []Code {
	elsewhere := map[Code]bool{CodeTooLarge: true, CodeTooMany: true, CodeKind: true}
	var missing []Code
	for code := range meanings {
		if !seen[code] && !elsewhere[code] {
			missing = append(missing, code)
		}
	}
	return missing
}

func loadBroken(t *testing.T, file string) Errors {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var overrides []string
	if first, _, _ := strings.Cut(string(text), "\n"); strings.HasPrefix(first, "# --set ") {
		overrides = strings.Fields(strings.TrimPrefix(first, "# --set "))
	}
	_, err = Loader{Registry: photoKinds(t), Cores: 4, Overrides: overrides}.Load(filepath.Base(file), text)
	var all Errors
	require.ErrorAs(t, err, &all)
	return all
}
