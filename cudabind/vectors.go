//go:build cgo && linux

package cudabind

// #include "loader.h"
import "C"

import "fmt"

// vectorBytes is the size of 2^logN scalars.
func vectorBytes(logN int) int { return ScalarBytes << logN }

// need refuses buffers too small for what a kernel will touch.
func need(what string, b *Buffer, bytes int) error {
	if b == nil || b.bytes < bytes {
		have := 0
		if b != nil {
			have = b.bytes
		}
		return fmt.Errorf("%s: %d bytes needed, buffer has %d", what, bytes, have)
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Pointwise computes out = op(a, b, c) on n elements; operands the operation does not take are nil, and out may be
// any operand.
func (s *Stream) Pointwise(curve Curve, op Pointwise, n int, a, b, c, out *Buffer) error {
	errs := []error{need("a", a, n*ScalarBytes), need("out", out, n*ScalarBytes)}
	if op <= MulSub {
		errs = append(errs, need("b", b, n*ScalarBytes))
	}
	if op == MulSub {
		errs = append(errs, need("c", c, n*ScalarBytes))
	}
	if op == Scale {
		errs = append(errs, need("factor", b, ScalarBytes))
	}
	if err := firstError(errs...); err != nil {
		return err
	}
	return failed(C.pg_pointwise(s.handle, C.int32_t(curve), C.int32_t(op), C.size_t(n), a.at(), b.at(), c.at(), out.at()))
}

// NTTTableBytes is the size of the twiddle table of transforms of 2^logN elements; 0 if logN is not in 1..28.
func NTTTableBytes(curve Curve, logN int) int {
	return int(C.pg_ntt_table_bytes(C.int32_t(curve), C.int32_t(logN)))
}

// BuildNTTTable fills table for transforms of 2^logN elements whose forward direction takes powers of root, a
// primitive 2^logN-th root of unity (32 bytes, Montgomery). root is read before the call returns.
func (s *Stream) BuildNTTTable(curve Curve, logN int, root []byte, table *Buffer) error {
	if len(root) != ScalarBytes {
		return fmt.Errorf("root of unity: %d bytes, want %d", len(root), ScalarBytes)
	}
	if err := need("twiddle table", table, NTTTableBytes(curve, logN)); err != nil {
		return err
	}
	return failed(C.pg_ntt_table_build(s.handle, C.int32_t(curve), C.int32_t(logN), first(root), table.at()))
}

// PowersBytes is the size of the powers of a coset for 2^logN elements; 0 if logN is not in 1..28.
func PowersBytes(curve Curve, logN int) int {
	return int(C.pg_powers_bytes(C.int32_t(curve), C.int32_t(logN)))
}

// BuildPowers fills powers with factor base^i, i < 2^logN, in their short form. base and factor (32 bytes,
// Montgomery) are read before the call returns.
func (s *Stream) BuildPowers(curve Curve, logN int, base, factor []byte, powers *Buffer) error {
	if len(base) != ScalarBytes || len(factor) != ScalarBytes {
		return fmt.Errorf("base and factor: %d and %d bytes, want %d", len(base), len(factor), ScalarBytes)
	}
	if err := need("powers", powers, PowersBytes(curve, logN)); err != nil {
		return err
	}
	return failed(C.pg_powers_build(s.handle, C.int32_t(curve), C.int32_t(logN), first(base), first(factor), powers.at()))
}

// NTT transforms 2^logN elements in place. Coefficient i is multiplied by powers[i] before a forward and after an
// inverse transform when powers is not nil. The inverse scales by 1/n, unless it has powers: give 1/n as their factor.
func (s *Stream) NTT(curve Curve, logN int, table *Buffer, direction Direction, order Order, powers, data *Buffer) error {
	if err := firstError(
		need("twiddle table", table, NTTTableBytes(curve, logN)),
		needPowers(curve, logN, powers),
		need("data", data, vectorBytes(logN)),
	); err != nil {
		return err
	}
	return failed(C.pg_ntt(s.handle, C.int32_t(curve), C.int32_t(logN), table.at(), C.int32_t(direction),
		C.int32_t(order), powers.at(), data.at()))
}

func needPowers(curve Curve, logN int, powers *Buffer) error {
	if powers == nil {
		return nil
	}
	return need("powers", powers, PowersBytes(curve, logN))
}

// BitReverse permutes 2^logN elements into bit-reversed order, or back.
func (s *Stream) BitReverse(curve Curve, logN int, data *Buffer) error {
	if err := need("data", data, vectorBytes(logN)); err != nil {
		return err
	}
	return failed(C.pg_bit_reverse(s.handle, C.int32_t(curve), C.int32_t(logN), data.at()))
}

// Quotient computes Groth16's quotient of 2^logN evaluations a, b, c into a; b and c are overwritten. forth holds
// powers of the coset's shift with factor 1/n. With back nil the result is A B - C on the coset (snarkjs); else its
// coefficients after division by Z (bellman), back holding powers of the inverse shift with factor
// 1/(n (shift^n - 1)). canonical: the result in plain integers, as MSMStart takes them by default.
func (s *Stream) Quotient(curve Curve, logN int, table, forth, back *Buffer, canonical bool, a, b, c *Buffer) error {
	if err := firstError(
		need("twiddle table", table, NTTTableBytes(curve, logN)),
		need("powers", forth, PowersBytes(curve, logN)),
		needPowers(curve, logN, back),
		need("a", a, vectorBytes(logN)), need("b", b, vectorBytes(logN)), need("c", c, vectorBytes(logN)),
	); err != nil {
		return err
	}
	return failed(C.pg_quotient(s.handle, C.int32_t(curve), C.int32_t(logN), table.at(), forth.at(), back.at(),
		flag(canonical), a.at(), b.at(), c.at()))
}

func flag(on bool) C.int32_t {
	if on {
		return 1
	}
	return 0
}
