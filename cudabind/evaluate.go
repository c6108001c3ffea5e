//go:build cgo && linux

package cudabind

// #include "loader.h"
import "C"

import "fmt"

// numberBytes is the size of the numbers in Constraints.
const numberBytes = 4

// The constants of types.go are the header's.
var (
	_ = [1]bool{}[PartTerms-C.PG_PART_TERMS]
	_ = [1]bool{}[TermOfB-C.PG_TERM_OF_B]
)

// Evaluate computes the rows a = A w, b = B w and c = a b of constraints for a canonical witness w, in Montgomery form.
// What the numbers of the constraints point at is not checked.
func (s *Stream) Evaluate(curve Curve, of Constraints, witness, a, b, c *Buffer) error {
	vector := of.Rows * ScalarBytes
	if err := firstError(
		of.check(), need("witness", witness, of.Wires*ScalarBytes),
		need("a", a, vector), need("b", b, vector), need("c", c, vector),
	); err != nil {
		return err
	}
	described := of.describe()
	return failed(C.pg_evaluate(s.handle, C.int32_t(curve), &described, witness.at(), a.at(), b.at(), c.at()))
}

func (of Constraints) check() error {
	return firstError(
		need("starts of rows", of.Starts, numberBytes*(of.Rows+1)), need("parts", of.PartRows, numberBytes*(of.Parts+1)),
		need("wires of terms", of.TermWires, numberBytes*of.Terms), need("coefficients", of.Elements, of.Values*ScalarBytes),
		of.checkCodes(),
	)
}

func (of Constraints) checkCodes() error {
	if of.TermCodes != nil {
		return need("codes of terms", of.TermCodes, numberBytes*of.Terms)
	}
	if of.Values != of.Terms {
		return fmt.Errorf("%d terms of their own values, and %d values", of.Terms, of.Values)
	}
	return nil
}

func (of Constraints) describe() C.pg_constraints {
	return C.pg_constraints{
		rows: C.size_t(of.Rows), parts: C.size_t(of.Parts), terms: C.size_t(of.Terms), values: C.size_t(of.Values),
		wires: C.size_t(of.Wires), device_starts: of.Starts.at(), device_parts: of.PartRows.at(),
		device_term_wires: of.TermWires.at(), device_term_codes: of.TermCodes.at(), device_elements: of.Elements.at(),
	}
}
