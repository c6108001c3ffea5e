package stages

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// cannotWrite says that a file could not be written, without the name of the temporary one.
func cannotWrite(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s cannot be written: %v", name, err)
}

// An output is a file to be, and what writes it.
type output struct {
	name  string
	write func(io.Writer) error
}

// WriteWhole writes a file through a temporary one beside it, which is renamed when all is written: whoever finds the
// file finds it whole.
func WriteWhole(name string, write func(io.Writer) error) error {
	return writeTogether(output{name, write})
}

// writeTogether writes files as WriteWhole does. None appears before all are written, and they appear in their order.
func writeTogether(outputs ...output) error {
	var files []*renameio.PendingFile
	defer func() {
		for _, file := range files {
			_ = file.Cleanup() // does nothing to what has been renamed
		}
	}()
	for _, o := range outputs {
		file, err := renameio.NewPendingFile(o.name, renameio.WithPermissions(0o644), renameio.WithTempDir(filepath.Dir(o.name)))
		if err != nil {
			return cannotWrite(o.name, err)
		}
		files = append(files, file)
		if err := writeDown(file, o); err != nil {
			return err
		}
	}
	for i, file := range files {
		if err := file.CloseAtomicallyReplace(); err != nil {
			return cannotWrite(outputs[i].name, err)
		}
	}
	return nil
}

// writeDown writes a pending file to the disk, which may be full only now.
func writeDown(file *renameio.PendingFile, o output) error {
	err := o.write(file)
	if err == nil {
		err = file.Sync()
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Path == file.Name() {
		return cannotWrite(o.name, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.name, err)
	}
	return nil
}
