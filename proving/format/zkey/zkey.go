// Package zkey reads and writes Groth16 proving keys as snarkjs keeps them. A key is mapped, and its points and
// coefficients are views: they are used where they lie. Open it, prove with it, Close it.
//
// The layout is snarkjs's (src/zkey_utils.js): 1 protocol, 2 header, 3 IC, 4 coefficients, 5 A, 6 B in G1,
// 7 B in G2, 8 C (called L elsewhere), 9 H, 10 contributions. H is in the Lagrange basis of the odd coset, so that
// evaluations of the quotient there are its scalars.
package zkey

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

// The sections of a key.
const (
	sectionProtocol      = 1
	sectionHeader        = 2
	sectionIC            = 3
	sectionCoefficients  = 4
	sectionA             = 5
	sectionB1            = 6
	sectionB2            = 7
	sectionC             = 8
	sectionH             = 9
	sectionContributions = 10
)

const protocolGroth16 = 1

var kind = binfile.Kind{Magic: "zkey", Version: 2}

// Header is what a key says about its circuit.
type Header struct {
	Curve      curve.ID
	NVars      int // wires, the constant one included
	NPublic    int // public wires after the constant one
	DomainSize int // a power of two, at least the number of rows
}

// Points are the single points of a key, affine Montgomery.
type Points struct {
	Alpha1, Beta1, Delta1 []byte
	Beta2, Gamma2, Delta2 []byte
}

// Key is an opened proving key. All slices are views of the file and end with Close; points are affine
// Montgomery and lie at any alignment.
type Key struct {
	Header
	Points

	IC []byte // NPublic+1 points of G1
	A  []byte // NVars points of G1
	B1 []byte // NVars points of G1
	B2 []byte // NVars points of G2
	C  []byte // NVars-NPublic-1 points of G1, for the private wires
	H  []byte // DomainSize points of G1

	// Records are the non-zero coefficients of A and B, RecordSize bytes each: matrix, row, signal, and the value
	// times 2^512. Rows ascend and all indices are in range, which Open has checked.
	Records []byte
	// Contributions is section 10 as it lies, empty if the file has none.
	Contributions []byte

	file *binfile.File
}

// RecordSize is the size in bytes of a coefficient record.
const RecordSize = 12 + curve.ScalarSize

// Open maps a .zkey file and checks all of it but the points themselves, for which see groth16.CheckKey.
// The coefficients are read through once, by a number of threads.
func Open(ctx context.Context, path string, threads int) (*Key, error) {
	return open(path, func(k *Key) error { return k.checkRecords(ctx, threads) })
}

// OpenPoints is Open for those who need the points alone: it reads no coefficients, and gives none.
func OpenPoints(path string) (*Key, error) {
	return open(path, func(k *Key) error { k.Records = nil; return nil })
}

func open(path string, check func(*Key) error) (*Key, error) {
	file, err := binfile.Open(path, kind)
	if err != nil {
		return nil, err
	}
	key, err := read(file)
	if err == nil {
		err = check(key)
	}
	if err = file.Verdict(path, err); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return key, nil
}

// Intact says whether the key's file is still as it was when it was opened; otherwise the error wraps binfile.ErrChanged.
func (k *Key) Intact() error {
	if k.file == nil {
		return nil
	}
	return k.file.Intact()
}

// Parse is Open for a file in memory, which the caller keeps alive and unchanged.
func Parse(ctx context.Context, data []byte, threads int) (*Key, error) {
	file, err := binfile.Parse(data, kind)
	if err != nil {
		return nil, err
	}
	key, err := read(file)
	if err != nil {
		return nil, err
	}
	return key, key.checkRecords(ctx, threads)
}

// Close ends every view of the file.
func (k *Key) Close() error {
	file := k.file
	*k = Key{Header: k.Header}
	if file == nil {
		return nil
	}
	return file.Close()
}

func read(file *binfile.File) (*Key, error) {
	k := &Key{file: file}
	for _, step := range []func(*binfile.File) error{k.readProtocol, k.readHeader, k.readPoints, k.readRecords} {
		if err := step(file); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (k *Key) readProtocol(file *binfile.File) error {
	s, err := file.SectionOf(sectionProtocol, "protocol", 4)
	if err != nil {
		return err
	}
	if p := binary.LittleEndian.Uint32(s); p != protocolGroth16 {
		return binfile.Malformed("the key is for protocol %d, and only Groth16 (1) is supported", p)
	}
	return nil
}

func (k *Key) readPoints(file *binfile.File) error {
	g1, g2 := uint64(k.Curve.PointSize(curve.G1)), uint64(k.Curve.PointSize(curve.G2))
	vars, public := uint64(k.NVars), uint64(k.NPublic)
	for _, s := range []struct {
		into *[]byte
		id   uint32
		what string
		size uint64
	}{
		{&k.IC, sectionIC, "IC", (public + 1) * g1},
		{&k.A, sectionA, "A points", vars * g1},
		{&k.B1, sectionB1, "B points in G1", vars * g1},
		{&k.B2, sectionB2, "B points in G2", vars * g2},
		{&k.C, sectionC, "C points", (vars - public - 1) * g1},
		{&k.H, sectionH, "H points", uint64(k.DomainSize) * g1},
	} {
		section, err := file.SectionOf(s.id, s.what, s.size)
		if err != nil {
			return err
		}
		*s.into = section
	}
	if file.Has(sectionContributions) {
		k.Contributions, _ = file.Section(sectionContributions)
	}
	return nil
}

func (k *Key) readRecords(file *binfile.File) error {
	s, err := file.Section(sectionCoefficients)
	if err != nil {
		return err
	}
	if len(s) < 4 {
		return binfile.Malformed("section %d (coefficients) has no count", sectionCoefficients)
	}
	count, records := uint64(binary.LittleEndian.Uint32(s)), s[4:]
	if count*RecordSize != uint64(len(records)) {
		return binfile.Malformed("%d coefficients need %d bytes, and there are %d", count, count*RecordSize, len(records))
	}
	k.Records = records
	return nil
}
