package stages

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// WriteWhole writes a file through a temporary one beside it, which is renamed when all is written: whoever finds the
// file finds it whole.
func WriteWhole(name string, write func(io.Writer) error) error {
	file, err := renameio.NewPendingFile(name, renameio.WithTempDir(filepath.Dir(name)), renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer file.Cleanup()
	if err := write(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return file.CloseAtomicallyReplace()
}
