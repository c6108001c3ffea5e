package witness_test

import "github.com/proofgraph/proofgraph/proving/curve"

// endless assembles a module with circom's exports whose init never returns. Its memory begins with the modulus of
// BN254, where the shared element is.
func endless() []byte {
	functions := []struct {
		name         string
		takes, gives int
		body         []byte
	}{
		{"init", 1, 0, []byte{0x03, 0x40, 0x0c, 0x00, 0x0b}}, // loop, branch to it
		{"getSharedRWMemoryStart", 0, 1, []byte{0x41, 0}},
		{"getFieldNumLen32", 0, 1, []byte{0x41, 8}},
		{"getRawPrime", 0, 0, nil},
		{"getWitnessSize", 0, 1, []byte{0x41, 1}},
		{"getInputSize", 0, 1, []byte{0x41, 0}},
		{"getInputSignalSize", 2, 1, []byte{0x41, 0}},
		{"setInputSignal", 3, 0, nil},
		{"getWitness", 1, 0, nil},
		{"getMessageChar", 0, 1, []byte{0x41, 0}},
	}
	var types, indices, exports, code [][]byte
	exports = append(exports, append(named("memory"), 2, 0))
	for i, f := range functions {
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
	}{{1, types}, {3, indices}, {5, [][]byte{{0, 1}}}, {7, exports}, {10, code}, {11, [][]byte{data}}} {
		module = append(module, section(s.id, s.entries)...)
	}
	return module
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
