package cuda

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// A dictionary numbers distinct values in the order in which they come. It lies in memory of its maker.
type dictionary struct {
	values []byte // the distinct ones, one after another
	slots  []byte // a hash table of numbers plus one, 0 where there is none
	count  int
	seed   maphash.Seed // drawn anew, so that no key can be made of values that collide
}

// slotsFor is a power of two that is more than twice the number of values.
func slotsFor(most int) int { return 1 << bits.Len(uint(2*most)) }

// dictionaryBytes is the memory of a dictionary of at most so many values.
func dictionaryBytes(most int) int { return curve.ScalarSize*most + numberBytes*slotsFor(most) }

func newDictionary(memory []byte, most int) *dictionary {
	d := &dictionary{values: memory[:curve.ScalarSize*most], slots: memory[curve.ScalarSize*most:], seed: maphash.MakeSeed()}
	clear(d.slots)
	return d
}

// code gives the number of a value; ok is false when there is no room for another one.
func (d *dictionary) code(value []byte) (code int, ok bool) {
	mask := uint64(len(d.slots)/numberBytes - 1)
	for slot := maphash.Bytes(d.seed, value) & mask; ; slot = (slot + 1) & mask {
		found := int(binary.LittleEndian.Uint32(d.slots[numberBytes*slot:]))
		if found == 0 {
			return d.add(slot, value)
		}
		if bytes.Equal(d.value(found-1), value) {
			return found - 1, true
		}
	}
}

func (d *dictionary) value(code int) []byte {
	return d.values[curve.ScalarSize*code:][:curve.ScalarSize]
}

func (d *dictionary) add(slot uint64, value []byte) (code int, ok bool) {
	if curve.ScalarSize*d.count == len(d.values) {
		return 0, false
	}
	copy(d.value(d.count), value)
	d.count++
	putNumber(d.slots[numberBytes*slot:], d.count)
	return d.count - 1, true
}
