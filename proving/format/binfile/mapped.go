package binfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Open maps a file and reads its section table. A file that is cut short or written to while it is open gives other bytes, or
// zeros; Intact tells (see FaultsAreHarmless for where the process would end instead).
func Open(path string, kind Kind) (*File, error) {
	m, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	f := &File{mapping: m}
	f.sections, err = parse(m.data, kind)
	if err = f.Verdict(path, err); err != nil {
		return nil, errors.Join(err, m.close())
	}
	return f, nil
}

// Map maps a file that is no container: it has Bytes and no sections.
func Map(path string) (*File, error) {
	m, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	return &File{mapping: m}, nil
}

// mapping is a mapped file, which stays open so that it can be asked whether it changed.
type mapping struct {
	data   []byte
	origin *origin
	watch  watch
}

func mapFile(path string) (*mapping, error) {
	file, _, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	m, err := newMapping(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func newMapping(file *os.File) (*mapping, error) {
	origin, err := originOf(file)
	if err != nil {
		return nil, err
	}
	if origin.size == 0 {
		return nil, Malformed("the file is empty")
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(origin.size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	return &mapping{data, origin, watchFaults(data)}, nil
}

func (m *mapping) intact() error {
	if m.watch.faulted() {
		return fmt.Errorf("%s: %w", m.origin.file.Name(), ErrChanged)
	}
	return m.origin.intact()
}

func (m *mapping) close() error {
	m.watch.end()
	return errors.Join(unix.Munmap(m.data), m.origin.file.Close())
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

// Close ends the mapping and with it every view of the file. It may be called again.
func (f *File) Close() error {
	m := f.mapping
	f.mapping, f.sections = nil, nil
	if m == nil {
		return nil
	}
	return m.close()
}

// Intact says whether a mapped file is still as it was when it was opened; otherwise the error wraps ErrChanged, and nothing
// that was computed from the file since may be used. A closed file and one that was parsed from memory are.
func (f *File) Intact() error {
	if f.mapping == nil {
		return nil
	}
	return f.mapping.intact()
}

// Verdict is what to say of a file of which err was found: that it changed meanwhile, which explains all else, or err and
// the path.
func (f *File) Verdict(path string, err error) error {
	if changed := f.Intact(); changed != nil {
		return changed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Mapped says whether the file's views lie in a mapping of its own, and not in memory of the caller's.
func (f *File) Mapped() bool { return f.mapping != nil }

// Bytes is all of a mapped file, a view like its sections; nil if it was parsed from memory.
func (f *File) Bytes() []byte {
	if f.mapping == nil {
		return nil
	}
	return f.mapping.data
}

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
