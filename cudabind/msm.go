//go:build cgo && linux

package cudabind

// #include "loader.h"
import "C"

import "fmt"

func (c MSMConfig) native() C.pg_msm_config {
	return C.pg_msm_config{
		group:              C.int32_t(c.Group),
		window_bits:        C.int32_t(c.WindowBits),
		copies:             C.int32_t(c.Copies),
		scalars_montgomery: flag(c.ScalarsMontgomery),
	}
}

// Configure returns c complete for sums of about n points with full-width scalars: window bits chosen, everything
// checked. Where most scalars are 0 or 1, give the number of the others: fewer, smaller buckets serve them better.
func (c MSMConfig) Configure(n int) (MSMConfig, error) {
	native := c.native()
	err := failed(C.pg_msm_configure(&native, C.size_t(n)))
	c.WindowBits, c.Copies = int(native.window_bits), int(native.copies)
	return c, err
}

// ScratchBytes is the device scratch of one MSM of up to n points.
func (c MSMConfig) ScratchBytes(n int) int {
	native := c.native()
	return int(C.pg_msm_scratch_bytes(&native, C.size_t(n)))
}

// ResultBytes is the host memory that receives a sum's parts.
func (c MSMConfig) ResultBytes() int {
	native := c.native()
	return int(C.pg_msm_result_bytes(&native))
}

// MSMStart queues the sum of scalars[i] * bases[i], i < n. Its parts arrive in result (pinned, so that the call
// returns at once), which MSMFinish adds up once the stream has passed. With Copies > 1, bases is a table.
func (s *Stream) MSMStart(c MSMConfig, n int, bases, scalars, scratch *Buffer, result []byte) error {
	if err := firstError(
		need("bases", bases, n*c.Copies*c.Group.PointBytes()),
		need("scalars", scalars, n*ScalarBytes),
		need("scratch", scratch, c.ScratchBytes(n)),
		c.needResult(result),
	); err != nil {
		return err
	}
	native := c.native()
	return failed(C.pg_msm_start(s.handle, &native, C.size_t(n), bases.at(), scalars.at(), scratch.at(), first(result)))
}

// MSMFinish adds up the parts of a sum on this CPU and writes the affine point.
func MSMFinish(c MSMConfig, result, point []byte) error {
	if err := c.needResult(result); err != nil {
		return err
	}
	if len(point) != c.Group.PointBytes() {
		return fmt.Errorf("point: %d bytes, want %d", len(point), c.Group.PointBytes())
	}
	native := c.native()
	return failed(C.pg_msm_finish(&native, first(result), first(point)))
}

func (c MSMConfig) needResult(result []byte) error {
	if want := c.ResultBytes(); len(result) < want {
		return fmt.Errorf("result: %d bytes needed, buffer has %d", want, len(result))
	}
	return nil
}

// TableScratchBytes is the device scratch of BuildTable for n points.
func (c MSMConfig) TableScratchBytes(n int) int {
	native := c.native()
	return int(C.pg_msm_table_scratch_bytes(&native, C.size_t(n)))
}

// BuildTable writes c.Copies multiples of each of n bases to table, Copies * n points, for MSMs with the same config.
func (s *Stream) BuildTable(c MSMConfig, n int, bases, table, scratch *Buffer) error {
	if err := firstError(
		need("bases", bases, n*c.Group.PointBytes()),
		need("table", table, n*c.Copies*c.Group.PointBytes()),
		need("scratch", scratch, c.TableScratchBytes(n)),
	); err != nil {
		return err
	}
	native := c.native()
	return failed(C.pg_msm_table_build(s.handle, &native, C.size_t(n), bases.at(), table.at(), scratch.at()))
}

// FixedBaseScratchBytes is the device scratch of FixedBase for n scalars.
func FixedBaseScratchBytes(group Group, n int) int {
	return int(C.pg_fixed_base_scratch_bytes(C.int32_t(group), C.size_t(n)))
}

// FixedBase writes scalars[i] * base, affine, to out. base (host) is read before the call returns.
func (s *Stream) FixedBase(group Group, n int, base []byte, scalars *Buffer, montgomery bool, scratch, out *Buffer) error {
	if len(base) != group.PointBytes() {
		return fmt.Errorf("base: %d bytes, want %d", len(base), group.PointBytes())
	}
	if err := firstError(
		need("scalars", scalars, n*ScalarBytes),
		need("scratch", scratch, FixedBaseScratchBytes(group, n)),
		need("out", out, n*group.PointBytes()),
	); err != nil {
		return err
	}
	return failed(C.pg_fixed_base_start(s.handle, C.int32_t(group), C.size_t(n), first(base), scalars.at(),
		flag(montgomery), scratch.at(), out.at()))
}
