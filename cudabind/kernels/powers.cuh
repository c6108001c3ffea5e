// factor * base^i for all i < 2^log_n as a product of two short rows: low[i mod 2^h] * high[i / 2^h].
#pragma once

#include "element.cuh"

namespace pg {

constexpr int low_bits(int log_n) { return (log_n + 1) / 2; }

template <class P>
struct Powers {
  const Element<P>* rows;  // null: no powers
  int log_n;

  static size_t count(int log_n) { return (size_t(1) << low_bits(log_n)) + (size_t(1) << (log_n / 2)); }

  __device__ Field<P> at(uint32_t i) const {
    const int h = low_bits(log_n);
    return Field<P>::product_call(fetch(rows + (i & ((1u << h) - 1))), fetch(rows + (1u << h) + (i >> h)));
  }
};

// squares[j] = base^(2^j), handed to a kernel by value.
template <class P>
struct Squares {
  Field<P> at[32];

  static Squares of(const Field<P>& base, int count) {
    Squares s;
    s.at[0] = base;
    for (int j = 1; j < count; j++) s.at[j] = s.at[j - 1].squared();
    return s;
  }
};

template <class P>
__device__ Field<P> product_over_bits(Field<P> start, const Field<P>* factors, uint32_t bits) {
  for (; bits; bits &= bits - 1) start = start * factors[__ffs(bits) - 1];
  return start;
}

template <class P>
__global__ void fill_powers(Element<P>* rows, Squares<P> squares, Field<P> factor, int log_n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const int h = low_bits(log_n);
  if (i < (1u << h)) put(rows + i, product_over_bits(Field<P>::one(), squares.at, i));
  if (i < (1u << (log_n / 2))) put(rows + (1u << h) + i, product_over_bits(factor, squares.at + h, i));
}

template <class P>
pg_error build_powers(cudaStream_t stream, int log_n, const void* base, const void* factor, void* rows) {
  const auto squares = Squares<P>::of(Field<P>::loaded(static_cast<const uint32_t*>(base)), log_n);
  const auto scale = Field<P>::loaded(static_cast<const uint32_t*>(factor));
  PG_LAUNCH(fill_powers<P>, ceil_div(1l << low_bits(log_n), 128), 128, 0, stream,
            static_cast<Element<P>*>(rows), squares, scale, log_n);
  return success();
}

}  // namespace pg
