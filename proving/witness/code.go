package witness

// How deep blocks may lie in each other, and how many a function may have, with the branches that end one. Compiling takes time
// by their squares: minutes for 100,000, and nothing interrupts it.
const (
	deepestBlocks = 1 << 8
	mostBlocks    = 1 << 14
)

// What compiling a function takes while it goes on, measured with functions of nothing else.
const (
	heapPerBlock    = 10 << 10
	heapPerCall     = 1024
	heapPerCodeByte = 128
)

// code passes over the instructions of a function and gives the heap that compiling it takes. No instruction may be other than
// those that work on numbers and the one memory: https://webassembly.github.io/spec/core/binary/instructions.html.
func (f *fields) code() int64 {
	heap, blocks := heapPerCodeByte*int64(len(f.rest)), 0
	for depth := 1; depth > 0 && f.err == nil; {
		switch op := f.byte(); {
		case op >= 0x02 && op <= 0x04: // block, loop, if
			f.leb(5)
			depth, blocks = depth+1, blocks+1
		case op == 0x0b: // end
			depth--
		case op >= 0x0c && op <= 0x0e: // br, br_if, br_table
			blocks += f.branch(op)
		case op == 0x10 || op == 0x11: // call, call_indirect
			heap += heapPerCall
			f.immediates(op)
		default:
			f.immediates(op)
		}
		if depth > deepestBlocks || blocks > mostBlocks {
			f.fail("a function has %d blocks and branches, %d deep; at most %d may be, and %d deep", blocks, depth, mostBlocks,
				deepestBlocks)
		}
	}
	if f.err == nil && len(f.rest) > 0 {
		f.fail("%d bytes follow a function's end", len(f.rest))
	}
	return heap + heapPerBlock*int64(blocks)
}

// branch passes over where a branch may lead to, and gives the number of these places.
func (f *fields) branch(op byte) (places int) {
	if op == 0x0e {
		places = f.each(mostBlocks, func() { f.uint32() })
	}
	f.uint32()
	return places + 1
}

// immediates passes over what belongs to another instruction.
func (f *fields) immediates(op byte) {
	switch {
	case op == 0x11 || op >= 0x28 && op <= 0x3e: // call_indirect; loads and stores
		f.uint32()
		f.uint32()
	case op == 0x10 || op >= 0x20 && op <= 0x24 || op == 0x3f || op == 0x40: // call, variables, memory
		f.uint32()
	case op == 0x41 || op == 0x42: // constants
		f.leb(10)
	case op == 0x43:
		f.take(4)
	case op == 0x44:
		f.take(8)
	case op == 0xfc:
		f.extended(f.uint32())
	case op <= 0x01 || op == 0x05 || op == 0x0f || op == 0x1a || op == 0x1b || op >= 0x45 && op <= 0xc4: // none
	default:
		f.fail("instruction %#x is none of circom's", op)
	}
}

// extended is immediates for the instructions after 0xfc.
func (f *fields) extended(op uint32) {
	switch {
	case op <= 7: // conversions that saturate
	case op == 10: // memory.copy
		f.take(2)
	case op == 11: // memory.fill
		f.take(1)
	default:
		f.fail("instruction 0xfc %d is none of circom's", op)
	}
}

// leb passes over a signed number of at most so many bytes.
func (f *fields) leb(most int) {
	for range most {
		if f.byte()&0x80 == 0 {
			return
		}
	}
	f.fail("a number is too long")
}
