package zkey_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

var ctx = context.Background()

func golden(t testing.TB, id curve.ID) []byte {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", id.String(), "cells.zkey"))
	require.NoError(t, err)
	return data
}

func eachCurve(t *testing.T, test func(t *testing.T, id curve.ID, file []byte)) {
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) { test(t, id, golden(t, id)) })
	}
}

func TestKeyOfSnarkjs(t *testing.T) {
	eachCurve(t, func(t *testing.T, id curve.ID, file []byte) {
		k, err := zkey.Parse(ctx, file, 2)
		require.NoError(t, err)
		require.Equal(t, zkey.Header{Curve: id, NVars: 30, NPublic: 3, DomainSize: 32}, k.Header)
		require.Len(t, k.H, 32*id.PointSize(curve.G1))
		require.Len(t, k.B2, 30*id.PointSize(curve.G2))
		require.Len(t, k.C, 26*id.PointSize(curve.G1))
		require.Len(t, k.IC, 4*id.PointSize(curve.G1))
		require.NotEmpty(t, k.Contributions)
	})
}

func TestMappedKeyIsThatOfMemory(t *testing.T) {
	eachCurve(t, func(t *testing.T, id curve.ID, file []byte) {
		parsed, err := zkey.Parse(ctx, file, 1)
		require.NoError(t, err)
		mapped, err := zkey.Open(ctx, filepath.Join("..", "..", "testdata", id.String(), "cells.zkey"), 1)
		require.NoError(t, err)
		require.Equal(t, parsed.Records, mapped.Records)
		require.Equal(t, parsed.H, mapped.H)
		require.NoError(t, mapped.Close())
		require.Nil(t, mapped.H)
		require.NoError(t, mapped.Close())
	})
}

func TestHeaderCountsTheRecords(t *testing.T) {
	eachCurve(t, func(t *testing.T, id curve.ID, file []byte) {
		k, err := zkey.Parse(ctx, file, 1)
		require.NoError(t, err)
		header, records, err := zkey.ReadHeader(filepath.Join("..", "..", "testdata", id.String(), "cells.zkey"))
		require.NoError(t, err)
		require.Equal(t, k.Header, header)
		require.Equal(t, len(k.Records)/zkey.RecordSize, records)
	})
}

// Coefficients that were not looked at are not given.
func TestKeyOfPointsAlone(t *testing.T) {
	eachCurve(t, func(t *testing.T, _ curve.ID, file []byte) {
		whole, err := zkey.Parse(ctx, file, 1)
		require.NoError(t, err)
		lying := slices.Clone(file)
		binary.LittleEndian.PutUint32(lying[find(file, 4).end-40:], 32) // a row outside
		path := filepath.Join(t.TempDir(), "lying.zkey")
		require.NoError(t, os.WriteFile(path, lying, 0o600))
		points, err := zkey.OpenPoints(path)
		require.NoError(t, err)
		require.Nil(t, points.Records)
		require.Equal(t, whole.B2, points.B2)
		require.NoError(t, points.Close())
		require.NoError(t, os.WriteFile(path, lying[:len(lying)-1], 0o600))
		_, err = zkey.OpenPoints(path)
		require.ErrorIs(t, err, binfile.ErrMalformed)
	})
}

func TestWrittenKeyReadsBack(t *testing.T) {
	eachCurve(t, func(t *testing.T, _ curve.ID, file []byte) {
		k, err := zkey.Parse(ctx, file, 1)
		require.NoError(t, err)
		parts := map[zkey.Part][]byte{
			zkey.PartIC: k.IC, zkey.PartRecords: k.Records, zkey.PartA: k.A, zkey.PartB1: k.B1, zkey.PartB2: k.B2,
			zkey.PartC: k.C, zkey.PartH: k.H, zkey.PartContributions: k.Contributions,
		}
		var out bytes.Buffer
		records, contributions := len(k.Records)/zkey.RecordSize, int64(len(k.Contributions))
		write := func(p zkey.Part, to io.Writer) error { _, err := to.Write(parts[p]); return err }
		require.NoError(t, zkey.Write(&out, k.Header, k.Points, records, contributions, write))
		require.EqualValues(t, out.Len(), zkey.Size(k.Header, records, contributions))
		back, err := zkey.Parse(ctx, out.Bytes(), 1)
		require.NoError(t, err)
		require.Equal(t, k.Points, back.Points)
		require.Equal(t, parts[zkey.PartB2], back.B2)
		require.Equal(t, parts[zkey.PartRecords], back.Records)
		parts[zkey.PartA] = parts[zkey.PartA][1:]
		require.ErrorContains(t, zkey.Write(&out, k.Header, k.Points, records, contributions, write), "announced")
	})
}

// section is where a section of the golden file lies.
type section struct{ id, head, start, end int }

func sections(file []byte) (list []section) {
	for at := 12; at < len(file); {
		size := int(binary.LittleEndian.Uint64(file[at+4:]))
		list = append(list, section{int(binary.LittleEndian.Uint32(file[at:])), at, at + 12, at + 12 + size})
		at += 12 + size
	}
	return list
}

func find(file []byte, id int) section {
	all := sections(file)
	return all[slices.IndexFunc(all, func(s section) bool { return s.id == id })]
}

func TestTruncatedKeysAreRefused(t *testing.T) {
	eachCurve(t, func(t *testing.T, _ curve.ID, file []byte) {
		cuts := []int{0, 3, 4, 8, 11, 12}
		for _, s := range sections(file) {
			cuts = append(cuts, s.head, s.head+4, s.start, s.start+1, (s.start+s.end)/2, s.end-1)
		}
		for _, cut := range cuts {
			_, err := zkey.Parse(ctx, file[:cut], 1)
			require.ErrorIs(t, err, binfile.ErrMalformed, "cut at %d of %d", cut, len(file))
		}
		_, err := zkey.Parse(ctx, append(slices.Clone(file), 0), 1)
		require.ErrorIs(t, err, binfile.ErrMalformed)
	})
}

func TestKeysThatLieAreRefused(t *testing.T) {
	put := func(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }
	eachCurve(t, func(t *testing.T, id curve.ID, file []byte) {
		sizes := 4 + id.BaseSize() + 4 + 32 // of the header before the numbers of wires
		for _, test := range []struct {
			name, says string
			lie        func(f []byte)
		}{
			{"another magic", "begins with", func(f []byte) { f[0] = 'y' }},
			{"another version", "version 9", func(f []byte) { put(f[4:], 9) }},
			{"version nought", "version 0", func(f []byte) { put(f[4:], 0) }},
			{"more sections", "before section", func(f []byte) { put(f[8:], 11) }},
			{"billions of sections", "too many", func(f []byte) { put(f[8:], 1<<32-1) }},
			{"fewer sections", "follow the last section", func(f []byte) { put(f[8:], 9) }},
			{"an endless section", "truncated", func(f []byte) { put(f[find(f, 10).head+8:], 1<<31) }},
			{"a section twice", "twice", func(f []byte) { put(f[find(f, 10).head:], 9) }},
			{"a section missing", "section 9 is missing", func(f []byte) { put(f[find(f, 9).head:], 99) }},
			{"PLONK", "protocol 2", func(f []byte) { put(f[find(f, 1).start:], 2) }},
			{"a large modulus", "header is too short", func(f []byte) { put(f[find(f, 2).start:], 1<<32-1) }},
			{"an unknown curve", "unknown curve", func(f []byte) { f[find(f, 2).start+4]++ }},
			{"another scalar field", "unknown curve", func(f []byte) { f[find(f, 2).start+sizes-1]++ }},
			{"more wires", "A points", func(f []byte) { put(f[find(f, 2).start+sizes:], 31) }},
			{"billions of wires", "A points", func(f []byte) { put(f[find(f, 2).start+sizes:], 1<<32-1) }},
			{"no wires", "public wires among 0", func(f []byte) { put(f[find(f, 2).start+sizes:], 0) }},
			{"more public wires than wires", "public wires among", func(f []byte) { put(f[find(f, 2).start+sizes+4:], 30) }},
			{"other public wires", "IC", func(f []byte) { put(f[find(f, 2).start+sizes+4:], 4) }},
			{"a domain of 33", "no power of two", func(f []byte) { put(f[find(f, 2).start+sizes+8:], 33) }},
			{"an empty domain", "no power of two", func(f []byte) { put(f[find(f, 2).start+sizes+8:], 0) }},
			{"a smaller domain", "H points", func(f []byte) { put(f[find(f, 2).start+sizes+8:], 16) }},
			{"a larger domain", "H points", func(f []byte) { put(f[find(f, 2).start+sizes+8:], 1<<27) }},
			{"more coefficients", "coefficients need", func(f []byte) { put(f[find(f, 4).start:], 1<<32-1) }},
			{"a third matrix", "matrix 2", func(f []byte) { put(f[find(f, 4).start+4:], 2) }},
			{"a row outside", "row 32", func(f []byte) { put(f[find(f, 4).end-40:], 32) }},
			{"a wire outside", "wire 30", func(f []byte) { put(f[find(f, 4).end-36:], 30) }},
			{"rows that descend", "must ascend", func(f []byte) { put(f[find(f, 4).start+8:], 5) }},
			{"a coefficient outside", "not less than the modulus", func(f []byte) { f[find(f, 4).end-1] = 0xff }},
		} {
			t.Run(test.name, func(t *testing.T) {
				lying := slices.Clone(file)
				test.lie(lying)
				_, err := zkey.Parse(ctx, lying, 2)
				require.ErrorContains(t, err, test.says)
			})
		}
	})
}

func TestDomainBeyondTheField(t *testing.T) {
	file := golden(t, curve.BN254)
	binary.LittleEndian.PutUint32(file[find(file, 2).start+4+32+4+32+8:], 1<<28)
	_, err := zkey.Parse(ctx, file, 1)
	require.ErrorContains(t, err, "too large for bn254")
}

func TestKeyWithTheFieldsOfTwoCurves(t *testing.T) {
	file := golden(t, curve.BN254)
	curve.PutLittleEndian(file[find(file, 2).start+4+32+4:][:32], curve.BLS12381.ScalarModulus())
	_, err := zkey.Parse(ctx, file, 1)
	require.ErrorContains(t, err, "base field is that of bn254")
}

func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	_, err := zkey.Open(ctx, dir, 1)
	require.ErrorContains(t, err, "no regular file")
	empty := filepath.Join(dir, "empty.zkey")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	_, err = zkey.Open(ctx, empty, 1)
	require.ErrorIs(t, err, binfile.ErrMalformed)
	_, err = zkey.Open(ctx, filepath.Join(dir, "absent.zkey"), 1)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func FuzzParse(f *testing.F) {
	for _, id := range curve.All() {
		f.Add(golden(f, id))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := zkey.Parse(ctx, data, 1)
		if err == nil {
			require.Len(t, k.A, k.NVars*k.Curve.PointSize(curve.G1))
			require.LessOrEqual(t, len(k.H), len(data))
		}
	})
}
