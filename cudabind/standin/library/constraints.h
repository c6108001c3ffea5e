// The rows of a constraint system, as they are defined, with everything that its numbers point at checked.
#pragma once

#include "elements.h"

namespace standin {

template <class P>
struct Constraints {
  size_t rows, parts, terms, values, wires;
  const uint32_t *starts, *part_rows, *term_wires, *term_codes;
  const Element<P>*elements, *witness;

  pg_error check() const {
    PG_TRY(check_ascent("starts", starts, rows, terms));
    PG_TRY(check_ascent("parts", part_rows, parts, rows));
    for (size_t i = 0; i < parts; i++) {
      const size_t in_part = starts[part_rows[i + 1]] - starts[part_rows[i]];
      REFUSE_UNLESS(in_part <= PG_PART_TERMS || part_rows[i + 1] == part_rows[i] + 1, "part %zu has %zu terms of several rows",
                    i, in_part);
    }
    for (size_t i = 0; i < terms; i++) {
      REFUSE_UNLESS(wire(i) < wires, "term %zu is of wire %u among %zu", i, wire(i), wires);
      REFUSE_UNLESS(code(i) < values, "term %zu has value %zu among %zu", i, code(i), values);
    }
    PG_TRY(check_elements("elements", elements, values));
    return check_elements("witness", witness, wires);
  }

  void evaluate(Element<P>* a, Element<P>* b, Element<P>* c) const {
    for (size_t row = 0; row < rows; row++) {
      Field<P> sums[2] = {Field<P>::zero(), Field<P>::zero()};
      for (uint32_t i = starts[row]; i < starts[row + 1]; i++) {
        Field<P>& sum = sums[term_wires[i] & PG_TERM_OF_B ? 1 : 0];
        sum = sum + elements[code(i)].value() * witness[wire(i)].value();
      }
      a[row].set(sums[0]);
      b[row].set(sums[1]);
      c[row].set(sums[0] * sums[1]);
    }
  }

 private:
  uint32_t wire(size_t term) const { return term_wires[term] & ~PG_TERM_OF_B; }
  size_t code(size_t term) const { return term_codes ? term_codes[term] : term; }

  // n + 1 numbers from 0 to last.
  static pg_error check_ascent(const char* what, const uint32_t* numbers, size_t n, size_t last) {
    REFUSE_UNLESS(numbers[0] == 0 && numbers[n] == last, "%s go from %u to %u, not from 0 to %zu", what, numbers[0],
                  numbers[n], last);
    for (size_t i = 0; i < n; i++)
      REFUSE_UNLESS(numbers[i] <= numbers[i + 1], "%s[%zu] is %u, and %u follows", what, i, numbers[i], numbers[i + 1]);
    return success();
  }
};

}  // namespace standin
