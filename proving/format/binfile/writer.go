package binfile

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Writer writes a container to a stream. Lengths are told before contents, so nothing is kept or sought back to.
type Writer struct {
	to       io.Writer
	sections uint32 // still to come
}

// NewWriter writes the header of a file of the kind's newest version with a number of sections.
func NewWriter(to io.Writer, kind Kind, sections uint32) (*Writer, error) {
	head := append([]byte(kind.Magic), make([]byte, 8)...)
	binary.LittleEndian.PutUint32(head[4:], kind.Version)
	binary.LittleEndian.PutUint32(head[8:], sections)
	if _, err := to.Write(head); err != nil {
		return nil, err
	}
	return &Writer{to: to, sections: sections}, nil
}

// Section writes one section, whose contents write must write: exactly size bytes.
func (w *Writer) Section(id uint32, size int64, write func(io.Writer) error) error {
	if w.sections == 0 {
		return fmt.Errorf("section %d is one more than announced", id)
	}
	w.sections--
	var head [sectionHead]byte
	binary.LittleEndian.PutUint32(head[:], id)
	binary.LittleEndian.PutUint64(head[4:], uint64(size))
	if _, err := w.to.Write(head[:]); err != nil {
		return err
	}
	counted := &counter{to: w.to}
	if err := write(counted); err != nil {
		return fmt.Errorf("section %d: %w", id, err)
	}
	if counted.n != size {
		return fmt.Errorf("section %d was announced with %d bytes and got %d", id, size, counted.n)
	}
	return nil
}

// Close says whether every announced section was written.
func (w *Writer) Close() error {
	if w.sections != 0 {
		return fmt.Errorf("%d announced sections were not written", w.sections)
	}
	return nil
}

type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}
