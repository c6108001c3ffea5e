package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"

	"github.com/consensys/gnark-crypto/ecc"
)

// elementBytes is the width of an element of either scalar field on file.
const elementBytes = 32

// iden3File is a file of numbered sections, in any order: .r1cs or .wtns.
type iden3File struct {
	file     *os.File
	sections map[uint32]*io.SectionReader
}

// openIden3 reads where the sections lie. The caller closes the file.
func openIden3(path, magic string, version uint32) (*iden3File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &iden3File{file, map[uint32]*io.SectionReader{}}
	if err := f.index(magic, version); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func (f *iden3File) Close() error { return f.file.Close() }

func (f *iden3File) index(magic string, version uint32) error {
	var head struct {
		Magic             [4]byte
		Version, Sections uint32
	}
	if err := binary.Read(f.file, binary.LittleEndian, &head); err != nil {
		return err
	}
	if string(head.Magic[:]) != magic || head.Version != version {
		return fmt.Errorf("%q version %d, not %q version %d", head.Magic, head.Version, magic, version)
	}
	at := int64(binary.Size(head))
	for range head.Sections {
		var section struct {
			Kind uint32
			Size int64
		}
		r := io.NewSectionReader(f.file, at, int64(binary.Size(section)))
		if err := binary.Read(r, binary.LittleEndian, &section); err != nil {
			return err
		}
		at += int64(binary.Size(section))
		f.sections[section.Kind] = io.NewSectionReader(f.file, at, section.Size)
		at += section.Size
	}
	return nil
}

func (f *iden3File) section(kind uint32) (*fields, error) {
	r, ok := f.sections[kind]
	if !ok {
		return nil, fmt.Errorf("%s has no section %d", f.file.Name(), kind)
	}
	return &fields{r: bufio.NewReaderSize(r, 1<<20)}, nil
}

// fields reads numbers. Its first error stays in err and makes all further reads zero.
type fields struct {
	r   *bufio.Reader
	err error
	buf [elementBytes]byte
}

func (s *fields) take(n int) []byte {
	if s.err == nil {
		_, s.err = io.ReadFull(s.r, s.buf[:n])
	}
	if s.err != nil {
		clear(s.buf[:])
	}
	return s.buf[:n]
}

func (s *fields) u32() int { return int(binary.LittleEndian.Uint32(s.take(4))) }
func (s *fields) u64() int { return int(binary.LittleEndian.Uint64(s.take(8))) }

// element reads a canonical little-endian number.
func (s *fields) element() *big.Int {
	b := s.take(elementBytes)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

// curve reads the width of an element and the prime, and tells whose scalar field that is.
func (s *fields) curve() (ecc.ID, error) {
	width, prime := s.u32(), s.element()
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		if width == elementBytes && prime.Cmp(id.ScalarField()) == 0 {
			return id, nil
		}
	}
	return 0, errors.Join(s.err, errors.New("the prime is neither BN254's nor BLS12-381's"))
}
