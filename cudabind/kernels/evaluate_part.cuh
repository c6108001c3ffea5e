// The rows of a constraint system as a block of threads evaluates a part of them, step by step; between two steps the
// threads wait for each other. Compiles for the host too, where the steps are checked thread after thread.
//
// Rows are short and uneven, so threads are given terms, not rows: first a product for every term of the part, then the
// sums of rows from those. (Row blocks by their number of terms: CSR-Adaptive, Greathouse and Daga, SC 2014.)
#pragma once

#include "element.cuh"
#include "portable.cuh"
#include "proofgraph_cuda.h"

namespace pg {

// What is evaluated, and where the rows go.
template <class P>
struct ConstraintRows {
  const uint32_t *starts, *parts, *wires, *codes;
  const Element<P>*values, *witness;
  Element<P>*a, *b, *c;

  PG_HD bool of_b(uint32_t term) const { return wires[term] & PG_TERM_OF_B; }

  PG_HD Field<P> product(uint32_t term) const {
    const uint32_t value = codes ? codes[term] : term;
    return fetch(values + value) * fetch(witness + (wires[term] & ~PG_TERM_OF_B));
  }

  PG_HD void put_row(uint32_t row, const Field<P>& in_a, const Field<P>& in_b) const {
    put(a + row, in_a);
    put(b + row, in_b);
    put(c + row, in_a * in_b);
  }
};

// A row's sums so far.
template <class P>
struct RowSums {
  Field<P> a, b;

  PG_HD static RowSums none() { return {Field<P>::zero(), Field<P>::zero()}; }

  PG_HD void add(bool of_b, const Field<P>& product) {
    if (of_b) b = b + product;
    else a = a + product;
  }
};

// What the threads of a block share.
template <class P>
struct Shared {
  Element<P> products[PG_PART_TERMS];
  bool of_b[PG_PART_TERMS];
};

template <class P>
struct Part {
  ConstraintRows<P> rows;
  uint32_t first_row, end_row, first_term, end_term;

  PG_HD static Part of(const ConstraintRows<P>& rows, uint32_t number) {
    const uint32_t first = rows.parts[number], end = rows.parts[number + 1];
    return {rows, first, end, rows.starts[first], rows.starts[end]};
  }

  // Whether the part is one row that is too long for its products to be kept.
  PG_HD bool is_long() const { return end_term - first_term > PG_PART_TERMS; }

  // A short part, step 1: the products of all terms.
  PG_HD void multiply(Shared<P>& shared, uint32_t thread, uint32_t threads) const {
    for (uint32_t i = first_term + thread; i < end_term; i += threads) {
      put(shared.products + (i - first_term), rows.product(i));
      shared.of_b[i - first_term] = rows.of_b(i);
    }
  }

  // Step 2: the sums of all rows.
  PG_HD void add_up(const Shared<P>& shared, uint32_t thread, uint32_t threads) const {
    for (uint32_t row = first_row + thread; row < end_row; row += threads) {
      RowSums<P> sums = RowSums<P>::none();
      for (uint32_t i = rows.starts[row]; i < rows.starts[row + 1]; i++)
        sums.add(shared.of_b[i - first_term], fetch(shared.products + (i - first_term)));
      rows.put_row(row, sums.a, sums.b);
    }
  }

  // A long part, step 1: every thread's share of the row. Sums for A lie in the first places, those for B behind.
  PG_HD void gather(Shared<P>& shared, uint32_t thread, uint32_t threads) const {
    RowSums<P> sums = RowSums<P>::none();
    for (uint32_t i = first_term + thread; i < end_term; i += threads) sums.add(rows.of_b(i), rows.product(i));
    put(shared.products + thread, sums.a);
    put(shared.products + threads + thread, sums.b);
  }

  // Steps 2 and on, with the number of sums left halved from step to step: each of these takes in another one.
  PG_HD void fold(Shared<P>& shared, uint32_t thread, uint32_t threads, uint32_t left) const {
    if (thread >= left) return;
    for (uint32_t at = thread; at < 2 * threads; at += threads)
      put(shared.products + at, fetch(shared.products + at) + fetch(shared.products + at + left));
  }

  // The last step, by one thread.
  PG_HD void finish(const Shared<P>& shared, uint32_t threads) const {
    rows.put_row(first_row, fetch(shared.products), fetch(shared.products + threads));
  }
};

}  // namespace pg
