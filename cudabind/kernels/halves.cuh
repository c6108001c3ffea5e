// Halves of products: the high words, all but exact, and the low words. Even and odd columns are summed apart, as in
// rows.cuh; column i of a product holds what is worth 2^(32 i).
#pragma once

#include "chains.cuh"

namespace pg {

// a shifted up by a word, without its highest.
template <int N>
PG_HD void shift_up(uint32_t* out, const uint32_t* a) {
  PG_UNROLL for (int i = 0; i < N; i++) out[i] = i > 0 ? a[i - 1] : 0;
}

// Adds word J of b, and those after it, times the words of a that reach column N - 1 at least. Even sums begin at column
// N, odd ones at N - 1. The highest pair of words is new in its row, so that nothing is carried out of it.
template <int N, int J = 0>
PG_HD void add_high_rows(uint32_t* even, uint32_t* odd, const uint32_t* a, const uint32_t* b) {
  uint32_t none = 0;
  if constexpr (J == N) {
    add_row<N>(odd + 2, none, a + 1, b[J]);
    add_row<N>(even, odd[N + 1], a, b[J]);
  } else if constexpr (J % 2) {
    add_row<J + 1>(odd, odd[J + 1], a + N - 1 - J, b[J]);
    add_row<J + 1>(even, none, a + N - J, b[J]);
  } else {
    add_row<J + 2>(odd, none, a + N - 1 - J, b[J]);
    if constexpr (J > 0) add_row<J>(even, even[J], a + N - J, b[J]);
  }
  if constexpr (J < N) add_high_rows<N, J + 1>(even, odd, a, b);
}

// out = the words of a b from column N + 1 on, where b has N + 1 words, but for what columns below N - 1 carry there.
template <int N>
PG_HD void high_product(uint32_t* out, const uint32_t* a, const uint32_t* b) {
  static_assert(N % 2 == 0, "rows of pairs");
  uint32_t even[N + 1] = {}, odd[N + 2] = {}, sum[N + 1];
  add_high_rows<N>(even, odd, a, b);
  add_words<N + 1>(sum, even, odd + 1);
  PG_UNROLL for (int i = 0; i < N; i++) out[i] = sum[i + 1];
}

// even + 2^32 odd += a times word J of b and those after it, modulo 2^(32 N).
template <int N, int J = 0>
PG_HD void add_low_rows(uint32_t* even, uint32_t* odd, const uint32_t* a, const uint32_t* b) {
  constexpr int left = N - J;  // columns
  uint32_t none = 0;
  if constexpr (J % 2) {
    add_row_cut<left>(odd + J - 1, a, b[J]);
    if constexpr (left > 1) add_row<left - 1>(even + J + 1, none, a + 1, b[J]);
  } else {
    add_row<left>(even + J, none, a, b[J]);
    add_row_cut<left - 1>(odd + J, a + 1, b[J]);
  }
  if constexpr (J + 1 < N) add_low_rows<N, J + 1>(even, odd, a, b);
}

// even + 2^32 odd = a b, modulo 2^(32 N).
template <int N>
PG_HD void low_product(uint32_t* even, uint32_t* odd, const uint32_t* a, const uint32_t* b) {
  static_assert(N % 2 == 0, "rows of pairs");
  multiply_row<N>(even, a, b[0]);
  multiply_row<N - 2>(odd, a + 1, b[0]);
  odd[N - 2] = a[N - 1] * b[0];
  add_low_rows<N, 1>(even, odd, a, b);
}

}  // namespace pg
