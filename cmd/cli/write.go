package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/proofgraph/proofgraph/stages"
)

// writeTo writes to a file, whole or not at all, or to stdout. What is there and is no regular file, such as a pipe, is
// written to as it is.
func (a *App) writeTo(name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(a.Stdout)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() {
		return stages.WriteWhole(name, write)
	}
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return cannotWrite(name, err)
	}
	return errors.Join(write(file), file.Close())
}

// requireWritable finds out before any work whether files can be written that only its end has something for.
func requireWritable(files ...string) error {
	for _, name := range files {
		if name == "" || name == "-" {
			continue
		}
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			err = syscall.EISDIR
		case err == nil && !info.Mode().IsRegular():
		default:
			err = probe(filepath.Dir(name))
		}
		if err != nil {
			return cannotWrite(name, err)
		}
	}
	return nil
}

// makeWritable makes a folder if need be, and finds out whether files can be made there.
func makeWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return probe(dir)
}

// probe makes a file in a folder, and removes it.
func probe(dir string) error {
	file, err := os.CreateTemp(dir, ".proofgraph-")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
