// Package witnesstest assembles WebAssembly modules with circom's exports that no compiler would make, for tests of those
// who run them.
package witnesstest

import (
	"github.com/proofgraph/proofgraph/proving/curve"
)

// Endless is a module for so many wires over BN254 whose init never returns: loop, branch to it.
func Endless(wires uint32) []byte { return Module(wires, []byte{0x03, 0x40, 0x0c, 0x00, 0x0b}, nil) }

// Module assembles a module for so many wires over BN254 whose exports are all idle but for init and getMessageChar, whose
// code is given. Its memory begins with the modulus, where the shared element is, so its witness is no witness. Function 0
// is printErrorMessage.
func Module(wires uint32, init, messageChar []byte) []byte {
	if messageChar == nil {
		messageChar = []byte{0x41, 0}
	}
	functions := []struct {
		name         string
		takes, gives int
		body         []byte
	}{
		{"init", 1, 0, init},
		{"getSharedRWMemoryStart", 0, 1, []byte{0x41, 0}},
		{"getFieldNumLen32", 0, 1, []byte{0x41, 8}},
		{"getRawPrime", 0, 0, nil},
		{"getWitnessSize", 0, 1, i32Const(wires)},
		{"getInputSize", 0, 1, []byte{0x41, 0}},
		{"getInputSignalSize", 2, 1, []byte{0x41, 0}},
		{"setInputSignal", 3, 0, nil},
		{"getWitness", 1, 0, nil},
		{"getMessageChar", 0, 1, messageChar},
	}
	var types, indices, exports, code [][]byte
	exports = append(exports, append(named("memory"), 2, 0))
	types = append(types, []byte{0x60, 0, 0})
	imports := append(append(named("runtime"), named("printErrorMessage")...), 0, 0)
	for i, f := range functions {
		i++ // after the imported one
		signature := append([]byte{0x60, byte(f.takes)}, i32s(f.takes)...)
		signature = append(append(signature, byte(f.gives)), i32s(f.gives)...)
		types, indices = append(types, signature), append(indices, []byte{byte(i)})
		exports = append(exports, append(named(f.name), 0, byte(i)))
		body := append(append([]byte{0}, f.body...), 0x0b)
		code = append(code, append([]byte{byte(len(body))}, body...))
	}
	modulus := make([]byte, curve.ScalarSize)
	curve.PutLittleEndian(modulus, curve.BN254.ScalarModulus())
	data := append([]byte{0, 0x41, 0, 0x0b, curve.ScalarSize}, modulus...)
	module := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	for _, s := range []struct {
		id      byte
		entries [][]byte
	}{{1, types}, {2, [][]byte{imports}}, {3, indices}, {5, [][]byte{{0, 1}}}, {7, exports}, {10, code}, {11, [][]byte{data}}} {
		module = append(module, section(s.id, s.entries)...)
	}
	return module
}

// i32Const is the instruction that gives a number.
func i32Const(n uint32) []byte {
	code := []byte{0x41}
	for ; n >= 0x40; n >>= 7 { // signed LEB128: bit 6 of the last byte is the sign
		code = append(code, byte(n&0x7f|0x80))
	}
	return append(code, byte(n))
}

func i32s(n int) []byte {
	types := make([]byte, n)
	for i := range types {
		types[i] = 0x7f
	}
	return types
}

func named(s string) []byte { return append([]byte{byte(len(s))}, s...) }

func section(id byte, entries [][]byte) []byte {
	body := []byte{byte(len(entries))}
	for _, e := range entries {
		body = append(body, e...)
	}
	size := len(body)
	return append([]byte{id, byte(size&0x7f | 0x80), byte(size >> 7)}, body...)
}
