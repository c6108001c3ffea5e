package witness

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func goldenModule(t testing.TB) []byte {
	wasm, err := os.ReadFile(filepath.Join("..", "testdata", "bn254", "cells.wasm"))
	require.NoError(t, err)
	return wasm
}

// A part is a section of a module under construction.
type part struct {
	id   byte
	body []byte
}

func assemble(parts ...part) []byte {
	wasm := []byte(moduleHeader)
	for _, p := range parts {
		wasm = append(binary.AppendUvarint(append(wasm, p.id), uint64(len(p.body))), p.body...)
	}
	return wasm
}

// list is a counted list of equal entries.
func list(n int, entry ...byte) []byte {
	return append(binary.AppendUvarint(nil, uint64(n)), bytes.Repeat(entry, n)...)
}

// functions makes a module of n functions alike, with local variables of i64.
func functions(n, locals int, code ...byte) []byte {
	body := append(append(binary.AppendUvarint([]byte{1}, uint64(locals)), 0x7e), append(code, 0x0b)...)
	body = append(binary.AppendUvarint(nil, uint64(len(body))), body...)
	return assemble(part{1, list(1, 0x60, 0, 0)}, part{3, list(n, 0)}, part{10, list(n, body...)})
}

// several is the golden module with its functions several times.
func several(t testing.TB, times int) []byte {
	f, parts := &fields{rest: goldenModule(t)[len(moduleHeader):]}, []part(nil)
	for len(f.rest) > 0 {
		p := part{f.byte(), f.bytes()}
		if p.id == 3 || p.id == 10 {
			entries := &fields{rest: p.body}
			n := entries.count()
			p.body = append(binary.AppendUvarint(nil, uint64(n*times)), bytes.Repeat(entries.rest, times)...)
		}
		parts = append(parts, p)
	}
	return assemble(parts...)
}

func repeated(n int, code ...byte) []byte { return bytes.Repeat(code, n) }

// What compiling a module allocates, garbage and compiled code and all, is what Need says at the most, whoever made it.
func TestModulesTakeNoMoreThanTheirNeed(t *testing.T) {
	for name, wasm := range map[string][]byte{
		"golden":               goldenModule(t),
		"golden, ten times":    several(t, 10),
		"idle functions":       functions(20_000, 0),
		"variables":            functions(8, 50_000),
		"calls":                functions(1, 0, repeated(20_000, 0x10, 0)...),
		"conditions":           functions(1, 0, repeated(2_000, 0x41, 0, 0x04, 0x40, 0x0b)...),
		"nested blocks":        functions(1, 0, append(repeated(250, 0x02, 0x40), repeated(250, 0x0b)...)...),
		"sums":                 functions(1, 0, append(append([]byte{0x41, 0}, repeated(50_000, 0x41, 0, 0x6a)...), 0x1a)...),
		"branches":             functions(1, 0, append([]byte{0x41, 0, 0x0e}, append(list(3_000, 0), 0)...)...),
		"branches that may be": functions(1, 0, repeated(3_000, 0x41, 0, 0x0d, 0)...),
		"returns":              functions(1, 0, repeated(20_000, 0x0f)...),
		"types":                assemble(part{1, list(mostTypes, 0x60, 0, 0)}),
		"a table":              assemble(part{4, append([]byte{1, 0x70, 0}, binary.AppendUvarint(nil, mostTable)...)}),
		"names":                append(goldenModule(t), assemble(part{0, append([]byte{4, 'n', 'a', 'm', 'e', 1, 6}, binary.AppendUvarint(nil, 1<<31)...)})[8:]...),
		"memory that is not":   assemble(part{5, append([]byte{1, 0}, binary.AppendUvarint(nil, 1<<16)...)}),
	} {
		t.Run(name, func(t *testing.T) {
			need, err := Inspect(wasm)
			require.NoError(t, err)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			c, err := Compile(context.Background(), wasm, Options{})
			runtime.ReadMemStats(&after)
			if err == nil {
				require.Equal(t, need, c.Need())
				require.NoError(t, c.Close())
			} else {
				require.ErrorIs(t, err, ErrModule)
			}
			used := int64(after.TotalAlloc - before.TotalAlloc)
			t.Logf("%d bytes, need %d, allocated %d", len(wasm), need.Heap, used)
			require.Less(t, used, need.Heap)
		})
	}
}

// Counts that are more than their bytes make whoever allocates by them run out of memory; and there is what would take minutes,
// or what no circuit has.
func TestModulesThatAreRefusedUnseen(t *testing.T) {
	huge := binary.AppendUvarint(nil, 1<<32-1)
	data := func(size []byte) []byte { return append([]byte{1, 0, 0x41, 0, 0x0b}, size...) }
	for name, c := range map[string]struct {
		wasm []byte
		says string
	}{
		"types without end":      {assemble(part{1, huge}), "entries where 0 bytes remain"},
		"imports without end":    {assemble(part{2, huge}), "entries where 0 bytes remain"},
		"functions without end":  {assemble(part{3, huge}), "entries where 0 bytes remain"},
		"exports without end":    {assemble(part{7, huge}), "entries where 0 bytes remain"},
		"code without end":       {assemble(part{10, append([]byte{1}, huge...)}), "entries where 0 bytes remain"},
		"data without end":       {assemble(part{11, data(huge)}), "entries where 0 bytes remain"},
		"a name without end":     {assemble(part{7, append([]byte{1}, huge...)}), "entries where 0 bytes remain"},
		"a section without end":  {append(assemble(), append([]byte{1}, huge...)...), "entries where 0 bytes remain"},
		"variables without end":  {functions(1, 1<<32-1), "at most 4194304 variables"},
		"variables all over":     {functions(100, 50_000), "at most 4194304 variables"},
		"a table without end":    {assemble(part{4, append([]byte{1, 0x70, 0}, huge...)}), "at most 65536"},
		"several tables":         {assemble(part{4, list(2, 0x70, 0, 0)}), "at most 1 may be"},
		"a table that grows":     {functions(1, 0, 0xfc, 15, 0), "0xfc 15 is none"},
		"too much memory":        {assemble(part{5, append([]byte{1, 0}, binary.AppendUvarint(nil, 1<<16+1)...)}), "at most 65536"},
		"shared memory":          {assemble(part{5, []byte{1, 3, 1, 1}}), "flags 3"},
		"many types":             {assemble(part{1, list(mostTypes+1, 0x60, 0, 0)}), "at most 4096"},
		"blocks that lie deep":   {functions(1, 0, append(repeated(300, 0x02, 0x40), repeated(300, 0x0b)...)...), "256 deep"},
		"many blocks":            {functions(1, 0, repeated(20_000, 0x02, 0x40, 0x0b)...), "at most 16384"},
		"many branches":          {functions(1, 0, append([]byte{0x41, 0, 0x0e}, append(list(60_000, 0), 0)...)...), "at most 16384"},
		"an unknown instruction": {functions(1, 0, 0xfd, 0), "0xfd is none"},
		"code after the end":     {functions(1, 0, 0x0b, 0x01), "follow a function's end"},
		"no end":                 {assemble(part{10, []byte{1, 1, 0}}), "claims 1 bytes where 0 remain"},
		"a section twice":        {assemble(part{1, list(0)}, part{1, list(0)}), "out of order"},
		"an unknown section":     {assemble(part{13, list(0)}), "none of circom's"},
		"an imported memory":     {assemble(part{2, []byte{1, 1, 'a', 1, 'b', 2, 0, 1}}), "import other than a function"},
		"bytes after the last":   {assemble(part{1, []byte{0, 0}}), "follow its last entry"},
		"another version":        {[]byte("\x00asm\x02\x00\x00\x00"), "version 1"},
		"nothing":                {nil, "version 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Inspect(c.wasm)
			require.ErrorIs(t, err, ErrModule)
			require.ErrorContains(t, err, c.says)
			_, err = Compile(context.Background(), c.wasm, Options{})
			require.ErrorIs(t, err, ErrModule)
		})
	}
}

// A module's memory is the one that it is given, and no more, whatever it asks for.
func TestMemoryDoesNotGrow(t *testing.T) {
	l := &lent{make([]byte, 3*pageSize)}
	require.Len(t, l.Reallocate(pageSize), pageSize)
	require.Nil(t, l.Reallocate(4*pageSize))
}

// What Inspect lets through, wazero decodes without running out of memory; it may still find fault with it.
func FuzzInspect(f *testing.F) {
	f.Add(functions(2, 3, 0x41, 0, 0x04, 0x40, 0x10, 0, 0x0b))
	f.Add(assemble(part{4, []byte{1, 0x70, 1, 2, 2}}, part{9, []byte{1, 0, 0x41, 0, 0x0b, 1, 0}}))
	f.Add(assemble(part{5, []byte{1, 0, 1}}, part{6, []byte{1, 0x7f, 1, 0x41, 0, 0x0b}}, part{11, []byte{1, 0, 0x41, 0, 0x0b, 1, 9}}))
	f.Fuzz(func(t *testing.T, wasm []byte) {
		if _, err := Inspect(wasm); err != nil {
			require.ErrorIs(t, err, ErrModule)
			return
		}
		if c, err := Compile(context.Background(), wasm, Options{}); err == nil {
			require.NoError(t, c.Close())
		}
	})
}
