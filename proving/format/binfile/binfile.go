// Package binfile is the container that the iden3 formats share: a magic word, a version, and sections with a number
// and a length. Files are mapped, and what is read is a view into the mapping: a key of gigabytes costs no memory
// of its own. Read the header through Open or Parse, then Section; write through NewWriter.
//
// The layout is documented at https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md.
package binfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrMalformed is wrapped by every complaint about a file's contents.
var ErrMalformed = errors.New("malformed file")

// Malformed makes an error that wraps ErrMalformed.
func Malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrMalformed, fmt.Errorf(format, args...))
}

// Kind is a file type: its four-letter magic and the newest version that is understood.
type Kind struct {
	Magic   string
	Version uint32
}

const (
	headerSize   = 12  // magic, version, number of sections
	sectionHead  = 12  // number and length
	mostSections = 256 // in a file; the formats know a dozen, and each costs memory
)

// File is a parsed container. Its sections are views that end with Close.
type File struct {
	mapping  *mapping // nil if parsed from memory that the caller owns
	sections map[uint32][]byte
}

// Parse reads the section table of data, which the caller keeps alive and unchanged. Every section must lie inside
// the data, none may come twice, and nothing may follow the last.
func Parse(data []byte, kind Kind) (*File, error) {
	sections, err := parse(data, kind)
	if err != nil {
		return nil, err
	}
	return &File{sections: sections}, nil
}

func parse(data []byte, kind Kind) (map[uint32][]byte, error) {
	if len(data) < headerSize {
		return nil, Malformed("a %s file has at least %d bytes, this has %d", kind.Magic, headerSize, len(data))
	}
	if string(data[:4]) != kind.Magic {
		return nil, Malformed("a %s file begins with %q, this with %q", kind.Magic, kind.Magic, data[:4])
	}
	version, count := binary.LittleEndian.Uint32(data[4:]), binary.LittleEndian.Uint32(data[8:])
	if version == 0 || version > kind.Version {
		return nil, Malformed("%s version %d is not understood (1 to %d are)", kind.Magic, version, kind.Version)
	}
	if count > mostSections {
		return nil, Malformed("%d sections are too many", count)
	}
	return readSections(data[headerSize:], count)
}

func readSections(rest []byte, count uint32) (map[uint32][]byte, error) {
	sections := map[uint32][]byte{}
	for i := range count {
		if len(rest) < sectionHead {
			return nil, Malformed("the file ends before section %d of %d", i+1, count)
		}
		id, size := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint64(rest[4:])
		rest = rest[sectionHead:]
		if size > uint64(len(rest)) {
			return nil, Malformed("section %d claims %d bytes where %d remain: the file is truncated", id, size, len(rest))
		}
		if _, twice := sections[id]; twice {
			return nil, Malformed("section %d comes twice", id)
		}
		sections[id], rest = rest[:size:size], rest[size:]
	}
	if len(rest) > 0 {
		return nil, Malformed("%d bytes follow the last section", len(rest))
	}
	return sections, nil
}

// Has says whether the file has the section.
func (f *File) Has(id uint32) bool { _, ok := f.sections[id]; return ok }

// Sections lists the numbers of the sections in ascending order.
func (f *File) Sections() []uint32 { return slices.Sorted(maps.Keys(f.sections)) }

// Section is the contents of a section, which must be there.
func (f *File) Section(id uint32) ([]byte, error) {
	if s, ok := f.sections[id]; ok {
		return s, nil
	}
	return nil, Malformed("section %d is missing", id)
}

// SectionOf is the contents of a section, which must have the given length.
func (f *File) SectionOf(id uint32, what string, size uint64) ([]byte, error) {
	s, err := f.Section(id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if uint64(len(s)) != size {
		return nil, Malformed("section %d (%s) has %d bytes where the header asks for %d", id, what, len(s), size)
	}
	return s, nil
}
