package ifma

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Digits are scalars cut into signed digits, to be used by every MSM that has these scalars. They live in the memory that
// Decompose was given.
type Digits struct {
	curve   Curve
	n       int      // scalars
	units   []uint32 // references to the scalars 1 and -1
	general []uint32 // to all others but 0
	digits  []uint16 // of general: window after window
	shape   shape
}

// census is what one look at the scalars tells.
type census struct{ general, units, bits int }

// alignment is that of everything in scratch.
const alignment = 64

// DigitsBytes is the memory that Decompose needs for n scalars, exactly: 4 bytes a scalar, and 2 bytes a digit for the worst
// number of scalars that are neither 0 nor ±1.
func DigitsBytes(n int) int {
	digits := 2 * n * cutFor(n, magnitudeBits).windows
	for _, size := range windowSizes {
		if terms := size.terms - 1; terms < n {
			digits = max(digits, 2*terms*cutFor(terms, magnitudeBits).windows)
		}
	}
	return 4*n + digits + 2*alignment
}

// Decompose cuts scalars (ScalarBytes each, in the given form) into digits that live in memory, DigitsBytes long.
func Decompose(ctx context.Context, c Curve, scalars []byte, form ScalarForm, memory []byte, threads int) (*Digits, error) {
	n := len(scalars) / ScalarBytes
	if err := check(c, G1, n, threads); err != nil {
		return nil, err
	}
	if len(scalars)%ScalarBytes != 0 {
		return nil, fmt.Errorf("ifma: %d bytes are no whole number of scalars", len(scalars))
	}
	if len(memory) < DigitsBytes(n) {
		return nil, fmt.Errorf("ifma: memory of %d bytes for %d scalars, need %d", len(memory), n, DigitsBytes(n))
	}
	d := &Digits{curve: c, n: n}
	return d, d.fill(ctx, scalars, form, memory, threads)
}

// ErrChanged is returned where scalars changed while they were read: of a mapped file that somebody else writes to, say.
var ErrChanged = errors.New("ifma: the scalars changed while they were read")

// fill counts first, slice by slice, so that every slice then knows where its part of the lists begins.
func (d *Digits) fill(ctx context.Context, scalars []byte, form ScalarForm, memory []byte, threads int) error {
	slices := slicesOf(d.n, threads)
	found := make([]census, len(slices))
	err := inParallel(ctx, threads, len(slices), func(_, i int) {
		found[i] = scalarsCensus(d.curve, slices[i].of(scalars), form)
	})
	if err != nil {
		return err
	}
	d.lay(memory, total(found))
	starts := startsOf(found)
	var changed atomic.Bool
	err = inParallel(ctx, threads, len(slices), func(_, i int) {
		if !d.cut(scalars, slices[i], form, starts[i], found[i]) {
			changed.Store(true)
		}
	})
	if changed.Load() {
		return ErrChanged
	}
	return err
}

// lay places the lists in memory.
func (d *Digits) lay(memory []byte, all census) {
	d.shape = cutFor(all.general, all.bits)
	refs, rest := carve[uint32](memory, all.general+all.units)
	d.general, d.units = refs[:all.general:all.general], refs[all.general:]
	d.digits, _ = carve[uint16](rest, all.general*d.shape.windows)
}

// total adds up slices' findings.
func total(found []census) census {
	var all census
	for _, f := range found {
		all = census{all.general + f.general, all.units + f.units, max(all.bits, f.bits)}
	}
	return all
}

// startsOf is, for each slice, the sum of those before it.
func startsOf(found []census) []census {
	starts := make([]census, len(found))
	for i := 1; i < len(found); i++ {
		starts[i] = census{general: starts[i-1].general + found[i-1].general, units: starts[i-1].units + found[i-1].units}
	}
	return starts
}

// span is a range [from, to) of scalars or points.
type span struct{ from, to int }

func (s span) of(scalars []byte) []byte { return scalars[s.from*ScalarBytes : s.to*ScalarBytes] }

// slicesOf cuts n into spans of whole cache lines of bits, a few for each thread.
func slicesOf(n, threads int) []span {
	const grain = 4096
	size := max(grain, (n/(4*threads)+grain-1)/grain*grain)
	var slices []span
	for from := 0; from < n; from += size {
		slices = append(slices, span{from, min(from+size, n)})
	}
	return slices
}

// carve takes count elements from memory at the next aligned address; the rest is what follows them.
func carve[T any](memory []byte, count int) ([]T, []byte) {
	if count == 0 {
		return nil, memory
	}
	skip := int(-uintptr(unsafe.Pointer(&memory[0])) % alignment)
	size := count * int(unsafe.Sizeof(*new(T)))
	at := memory[skip : skip+size : skip+size]
	return unsafe.Slice((*T)(unsafe.Pointer(&at[0])), count), memory[skip+size:]
}

// inParallel calls body(thread, i) for every i below count, on up to `threads` goroutines, until ctx is done.
func inParallel(ctx context.Context, threads, count int, body func(thread, i int)) error {
	var next atomic.Int64
	done := make(chan struct{})
	threads = min(threads, count)
	for thread := range threads {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := next.Add(1) - 1; i < int64(count) && ctx.Err() == nil; i = next.Add(1) - 1 {
				body(thread, int(i))
			}
		}()
	}
	for range threads {
		<-done
	}
	return ctx.Err()
}
