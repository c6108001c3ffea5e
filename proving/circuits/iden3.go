package circuits

import (
	"bufio"
	"encoding/binary"
	"io"
	"math/big"
)

// elementBytes is the size of a field element on file: canonical, little endian.
const elementBytes = 32

// iden3Writer writes the sections of .r1cs and .wtns files in order, without seeking: every size is
// known beforehand. Its first error stays and is returned by flush.
//
// The formats: https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md
type iden3Writer[E comparable, P scalar[E]] struct {
	w *bufio.Writer
}

func newIden3Writer[E comparable, P scalar[E]](w io.Writer) *iden3Writer[E, P] {
	return &iden3Writer[E, P]{bufio.NewWriterSize(w, 1<<16)}
}

func (o *iden3Writer[E, P]) flush() error { return o.w.Flush() }

func (o *iden3Writer[E, P]) u32(values ...int) {
	for _, v := range values {
		o.w.Write(binary.LittleEndian.AppendUint32(o.w.AvailableBuffer(), uint32(v)))
	}
}

func (o *iden3Writer[E, P]) u64(v int) {
	o.w.Write(binary.LittleEndian.AppendUint64(o.w.AvailableBuffer(), uint64(v)))
}

func (o *iden3Writer[E, P]) element(e *E) {
	buf := o.w.AvailableBuffer()
	for _, word := range P(e).Bits() {
		buf = binary.LittleEndian.AppendUint64(buf, word)
	}
	o.w.Write(buf)
}

// field writes the width of an element and the prime.
func (o *iden3Writer[E, P]) field(p *big.Int) {
	o.u32(elementBytes)
	prime := p.FillBytes(make([]byte, elementBytes))
	for i := range prime {
		o.w.WriteByte(prime[len(prime)-1-i])
	}
}

func (o *iden3Writer[E, P]) file(magic string, version, sections int) {
	o.w.WriteString(magic)
	o.u32(version, sections)
}

func (o *iden3Writer[E, P]) section(kind, bytes int) {
	o.u32(kind)
	o.u64(bytes)
}

// r1csHeader writes the header section and opens the section of constraints.
func (o *iden3Writer[E, P]) r1csHeader(s Size) {
	o.file("r1cs", 1, 3)
	o.section(1, 4+elementBytes+4*4+8+4)
	o.field(modulus[E, P]())
	o.u32(s.Wires, s.Outputs, 0, s.Inputs)
	o.u64(s.Wires) // labels: one a wire
	o.u32(s.Constraints)
	o.section(2, s.Constraints*3*4+s.terms*(4+elementBytes))
}

func (o *iden3Writer[E, P]) constraint(a, b, c sum[E]) {
	for _, side := range [...]sum[E]{a, b, c} {
		o.u32(len(side))
		for i := range side {
			o.u32(int(side[i].wire))
			o.element(&side[i].coeff)
		}
	}
}

// wireLabels writes the map from wires to labels: the identity.
func (o *iden3Writer[E, P]) wireLabels(wires int) {
	o.section(3, 8*wires)
	for i := range wires {
		o.u64(i)
	}
}

// witnessHeader writes the header section and opens the section of values.
func (o *iden3Writer[E, P]) witnessHeader(wires int) {
	o.file("wtns", 2, 2)
	o.section(1, 4+elementBytes+4)
	o.field(modulus[E, P]())
	o.u32(wires)
	o.section(2, wires*elementBytes)
}
