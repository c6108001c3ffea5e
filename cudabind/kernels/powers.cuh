// factor * base^i for all i < 2^log_n as a product of two short rows: low[i mod 2^h] * high[i / 2^h].
#pragma once

#include "known_row.cuh"

namespace pg {

constexpr int low_bits(int log_n) { return (log_n + 1) / 2; }

template <class P>
struct Powers {
  KnownRow<P> rows;  // no memory: no powers
  int log_n;

  static size_t count(int log_n) { return (size_t(1) << low_bits(log_n)) + (size_t(1) << (log_n / 2)); }
  static size_t bytes(int log_n) { return KnownRow<P>::bytes(count(log_n)); }
  static Powers in(const void* memory, int log_n) {
    return memory ? Powers{KnownRow<P>::in(memory, count(log_n)), log_n} : Powers{};
  }

  __host__ __device__ explicit operator bool() const { return rows.factors; }

  // x times power i.
  __device__ Loose<P> times(const Loose<P>& x, uint32_t i) const {
    const int h = low_bits(log_n);
    return times_both(rows, i & ((1u << h) - 1), (1u << h) + (i >> h), x);
  }

 private:
  // Called, so that its code does not lie in the way of what more passes need.
  __device__ __noinline__ static Loose<P> times_both(KnownRow<P> rows, uint32_t i, uint32_t j, Loose<P> x) {
    return rows.at(j).times(rows.at(i).times(x));
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
__global__ void fill_powers(KnownRow<P> rows, Squares<P> squares, Field<P> factor, int log_n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const int h = low_bits(log_n);
  if (i < (1u << h)) rows.put(i, Known<P>::of(product_over_bits(Field<P>::one(), squares.at, i)));
  if (i < (1u << (log_n / 2)))
    rows.put((1u << h) + i, Known<P>::of(product_over_bits(factor, squares.at + h, i)));
}

template <class P>
pg_error build_powers(cudaStream_t stream, int log_n, const void* base, const void* factor, void* rows) {
  const auto squares = Squares<P>::of(Field<P>::loaded(static_cast<const uint32_t*>(base)), log_n);
  const auto scale = Field<P>::loaded(static_cast<const uint32_t*>(factor));
  PG_LAUNCH(fill_powers<P>, ceil_div(1l << low_bits(log_n), 128), 128, 0, stream,
            Powers<P>::in(rows, log_n).rows, squares, scale, log_n);
  return success();
}

}  // namespace pg
