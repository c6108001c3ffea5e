package stages

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// cannotWrite says that a file could not be begun, without the name of the temporary one.
func cannotWrite(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s cannot be written: %v", name, err)
}

// WriteWhole writes a file through a temporary one beside it, which is renamed when all is written: whoever finds the
// file finds it whole.
func WriteWhole(name string, write func(io.Writer) error) error {
	file, err := renameio.NewPendingFile(name, renameio.WithPermissions(0o644), renameio.WithTempDir(filepath.Dir(name)))
	if err != nil {
		return cannotWrite(name, err)
	}
	defer file.Cleanup()
	if err := write(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return file.CloseAtomicallyReplace()
}
