package binfile

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Open maps a file and reads its section table. The file must not shrink while it is open: that ends the process,
// as it does for any mapped file.
func Open(path string, kind Kind) (*File, error) {
	data, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	f, err := Parse(data, kind)
	if err != nil {
		unmap(data)
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.mapping = data
	return f, nil
}

func mapFile(path string) ([]byte, error) {
	file, size, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size == 0 {
		return nil, fmt.Errorf("%s: %w", path, Malformed("the file is empty"))
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	return data, nil
}

// OpenRegular opens a file for reading and gives its size in bytes. What is no regular file is refused: a pipe would
// keep its opener waiting for a writer, and a device has no size.
func OpenRegular(path string) (file *os.File, size int64, err error) {
	if file, err = os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, Malformed("it is no regular file"))
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func unmap(data []byte) error {
	if data == nil {
		return nil
	}
	return unix.Munmap(data)
}

// Close ends the mapping and with it every view of the file. It may be called again.
func (f *File) Close() error {
	mapping := f.mapping
	f.mapping, f.sections = nil, nil
	return unmap(mapping)
}

// Mapped says whether the file's views lie in a mapping of its own, and not in memory of the caller's.
func (f *File) Mapped() bool { return f.mapping != nil }

// Release tells the system that the pages of a view are not needed for now, so that they no longer count as
// resident; they are read again from the file when touched. Only whole pages inside the view are released, and the
// view must come from an open mapped file.
func Release(section []byte) {
	advise(section, unix.MADV_DONTNEED)
}

// WillNeed asks the system to read the pages of a view ahead.
func WillNeed(section []byte) {
	advise(section, unix.MADV_WILLNEED)
}
