package witness

import (
	"encoding/binary"
	"fmt"
)

// A Need is the bytes that a module takes, as its sections tell before any of it is compiled or runs.
type Need struct {
	// Memory is the module's own memory: what to pass to Calculate. It can never grow beyond that.
	Memory int64
	// Heap is what compiling the module, its compiled code and one calculation take beside, at the most.
	Heap int64
}

// MostBytes is the most that the file of a module with this need has.
func (n Need) MostBytes() int64 { return n.Heap / heapPerByte }

// What a module may have of what costs memory out of proportion to its file. Those of circom have far less.
const (
	mostTypes     = 1 << 12
	mostImports   = 1 << 6
	mostFunctions = 1 << 20
	mostTable     = 1 << 16 // elements of its only table
	mostGlobals   = 1 << 12
	mostExports   = 1 << 12
	mostSegments  = 1 << 16 // of elements, and as many of data
	mostLocals    = 1 << 22 // of all functions together
)

// What a module takes beside its hardest function (code.go), as TestModulesTakeNoMoreThanTheirNeed measures it.
const (
	heapPerByte     = 16  // of the file
	heapPerFunction = 512 // its description, and what compiling it leaves
	heapPerLocal    = 16
	heapAlways      = 2 << 20
)

// Inspect reads the sections of a module through without compiling it. A module that could take more memory than Need says,
// or that has anything else than modules of circom have, is refused: counts are checked against the bytes that are there,
// which whoever decodes them next relies on.
func Inspect(wasm []byte) (Need, error) {
	m, err := inspect(wasm)
	if err != nil {
		return Need{}, fmt.Errorf("%w: %w", ErrModule, err)
	}
	return m.need(), nil
}

// module is what a walk through a module's sections finds.
type module struct {
	sections  [][]byte // header and sections, without those that only name things
	pages     uint32   // of memory, 64 KiB each
	functions uint32
	locals    int   // variables of all functions
	hardest   int64 // heap that compiling the hardest function takes
	size      int
}

func (m *module) need() Need {
	return Need{
		Memory: int64(m.pages) * pageSize,
		Heap: heapPerByte*int64(m.size) + heapPerFunction*int64(m.functions) + heapPerLocal*int64(m.locals) +
			m.hardest + heapAlways,
	}
}

const moduleHeader = "\x00asm\x01\x00\x00\x00"

// sectionOrder is where each section stands; none may come twice.
var sectionOrder = map[byte]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 12: 10, 10: 11, 11: 12}

func inspect(wasm []byte) (*module, error) {
	if len(wasm) < len(moduleHeader) || string(wasm[:len(moduleHeader)]) != moduleHeader {
		return nil, fmt.Errorf("it is no WebAssembly module of version 1")
	}
	m := &module{sections: [][]byte{wasm[:len(moduleHeader)]}, size: len(wasm)}
	rest, last := &fields{rest: wasm[len(moduleHeader):]}, 0
	for len(rest.rest) > 0 {
		whole := rest.rest
		id := rest.byte()
		body := rest.take(rest.count())
		if rest.err != nil {
			return nil, rest.err
		}
		if id == 0 {
			continue
		}
		if sectionOrder[id] <= last {
			return nil, fmt.Errorf("section %d is none of circom's, or out of order", id)
		}
		last = sectionOrder[id]
		if err := m.section(id, &fields{rest: body}); err != nil {
			return nil, fmt.Errorf("section %d: %w", id, err)
		}
		m.sections = append(m.sections, whole[:len(whole)-len(rest.rest)])
	}
	return m, nil
}

// section checks a section by its number in the specification:
// https://webassembly.github.io/spec/core/binary/modules.html#sections.
func (m *module) section(id byte, f *fields) error {
	switch id {
	case 1:
		f.each(mostTypes, func() { f.byte(); f.bytes(); f.bytes() })
	case 2:
		f.each(mostImports, func() { f.bytes(); f.bytes(); f.only(0, "an import other than a function"); f.uint32() })
	case 3:
		m.functions = uint32(f.each(mostFunctions, func() { f.uint32() }))
	case 4:
		f.each(1, func() { f.only(0x70, "a table of other things than functions"); f.limits(mostTable) })
	case 5:
		f.each(1, func() { m.pages = f.limits(1 << 16) })
	case 6:
		f.each(mostGlobals, func() { f.byte(); f.byte(); f.constant() })
	case 7:
		f.each(mostExports, func() { f.bytes(); f.byte(); f.uint32() })
	case 9:
		f.each(mostSegments, func() { f.only(0, "elements of another kind"); f.constant(); f.each(mostTable, func() { f.uint32() }) })
	case 10:
		f.each(mostFunctions, func() { m.function(f) })
	case 11:
		f.each(mostSegments, func() { f.only(0, "data of another kind"); f.constant(); f.bytes() })
	default:
		f.rest = nil
	}
	if f.err == nil && len(f.rest) > 0 {
		return fmt.Errorf("%d bytes follow its last entry", len(f.rest))
	}
	return f.err
}

// function passes over a function: its variables and its code.
func (m *module) function(f *fields) {
	body := &fields{rest: f.bytes()}
	if f.err != nil {
		return
	}
	body.each(mostLocals, func() {
		m.locals = min(m.locals+int(body.uint32()), mostLocals+1)
		body.byte()
	})
	m.hardest = max(m.hardest, body.code())
	if m.locals > mostLocals {
		body.fail("functions have at most %d variables, all together", mostLocals)
	}
	f.err = body.err
}

// fields takes fields off the front of a section. The first error is kept, and all fields are zero after it.
type fields struct {
	rest []byte
	err  error
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err, f.rest = fmt.Errorf(format, args...), nil
	}
}

func (f *fields) take(n int) []byte {
	if n > len(f.rest) {
		f.fail("it claims %d bytes where %d remain", n, len(f.rest))
		return nil
	}
	taken := f.rest[:n:n]
	f.rest = f.rest[n:]
	return taken
}

func (f *fields) byte() byte {
	if b := f.take(1); b != nil {
		return b[0]
	}
	return 0
}

// only takes a byte that must have a value.
func (f *fields) only(want byte, otherwise string) {
	if got := f.byte(); got != want {
		f.fail("%s", otherwise)
	}
}

// uint32 takes a number in LEB128.
func (f *fields) uint32() uint32 {
	n, size := binary.Uvarint(f.rest[:min(len(f.rest), 5)])
	if size <= 0 || n > 1<<32-1 {
		f.fail("a number is cut short or too large")
		return 0
	}
	f.take(size)
	return uint32(n)
}

// count takes a number of things that take a byte each, at least, of what remains.
func (f *fields) count() int {
	n := int64(f.uint32())
	if n > int64(len(f.rest)) {
		f.fail("it claims %d entries where %d bytes remain", n, len(f.rest))
		return 0
	}
	return int(n)
}

// bytes takes a counted run of bytes: a name, types, data, code.
func (f *fields) bytes() []byte { return f.take(f.count()) }

// each takes a counted list.
func (f *fields) each(most int, take func()) int {
	n := f.count()
	if n > most {
		f.fail("it has %d entries, and at most %d may be", n, most)
		return 0
	}
	for i := 0; i < n && f.err == nil; i++ {
		take()
	}
	return n
}

// limits takes the least and, perhaps, the greatest size of a memory or a table, and gives the least.
func (f *fields) limits(most uint32) uint32 {
	flag := f.byte()
	least := f.uint32()
	if flag > 1 || least > most {
		f.fail("a size of %d, with flags %d, and at most %d may be", least, flag, most)
	}
	if flag == 1 {
		f.uint32()
	}
	return least
}

// constant takes an initial value: a number, or that of a global.
func (f *fields) constant() {
	switch op := f.byte(); op {
	case 0x41, 0x42: // i32.const, i64.const: signed LEB128
		f.leb(10)
	case 0x43:
		f.take(4)
	case 0x44:
		f.take(8)
	case 0x23: // global.get
		f.uint32()
	default:
		f.fail("an initial value begins with %#x", op)
	}
	f.only(0x0b, "an initial value of several instructions")
}
