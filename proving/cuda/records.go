package cuda

import (
	"encoding/binary"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// The fields of a record of a .zkey, see zkey.Key.Records.

func rowOf(record []byte) int { return int(binary.LittleEndian.Uint32(record[4:])) }

// wireOf gives the record's wire, one of so many, as terms on a device name it: with its matrix. Records may lie in a file that
// somebody writes to after it was checked, and kernels check no more: what is no wire by now is given as the last.
func wireOf(record []byte, wires int) int {
	return min(int(binary.LittleEndian.Uint32(record[8:])), wires-1) + int(record[0]&1)*cudabind.TermOfB
}

func valueOf(record []byte) []byte { return record[12:zkey.RecordSize] }

func putNumber(into []byte, n int) { binary.LittleEndian.PutUint32(into, uint32(n)) }
