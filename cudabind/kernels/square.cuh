// Squares of twice the words, not reduced yet.
#pragma once

#include "chains.cuh"

namespace pg {

// Adds a_I^2 and 2 a_I a_j, j > I, at their even and odd positions. 2 (a_j, j > I) are the words of twice a from I + 1
// on, but for the bit that came from a_I.
template <int N, int I = 0>
PG_HD void add_square_rows(uint32_t* even, uint32_t* odd, const uint32_t* a, const uint32_t* twice) {
  constexpr int even_words = 2 * (1 + (N - 1 - I) / 2), odd_words = 2 * ((N - I) / 2);
  uint32_t at_even[N + 2], at_odd[N + 2];
  at_even[0] = a[I];
  PG_UNROLL for (int k = 2; k < even_words; k += 2) at_even[k] = twice[I + k];
  add_row<even_words>(even + 2 * I, even[2 * I + even_words], at_even, a[I]);
  if constexpr (I + 1 < N) {
    at_odd[0] = twice[I + 1] & ~1u;
    PG_UNROLL for (int k = 2; k < odd_words; k += 2) at_odd[k] = twice[I + 1 + k];
    add_row<odd_words>(odd + 2 * I, odd[2 * I + odd_words], at_odd, a[I]);
    add_square_rows<N, I + 1>(even, odd, a, twice);
  }
}

// out = a^2, a below 2^(32 N - 1): each product of two different words once, doubled.
template <int N>
PG_HD void square_words(uint32_t* out, const uint32_t* a) {
  uint32_t even[2 * N + 2] = {}, odd[2 * N + 2] = {}, twice[N], shifted[2 * N];
  add_words<N>(twice, a, a);
  add_square_rows<N>(even, odd, a, twice);
  PG_UNROLL for (int i = 0; i < 2 * N; i++) shifted[i] = i > 0 ? odd[i - 1] : 0;
  const uint32_t carry = add_words<N>(out, even, shifted);
  add_words<N>(out + N, even + N, shifted + N, carry);
}

}  // namespace pg
