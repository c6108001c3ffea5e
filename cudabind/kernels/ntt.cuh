// Transforms as a sequence of passes, bit reversal, and the quotient built from them.
#pragma once

#include "ntt_pass.cuh"
#include "pointwise.cuh"

namespace pg {

// A transform in place, in bit-reversed order on one side.
template <class P>
struct Transform {
  Element<P>* data;
  Twiddles<P> twiddles;
  Powers<P> powers;
  int log_n;
  bool backward, inverse;

  pg_error run(cudaStream_t stream) const {
    const int passes = int(ceil_div(log_n, most_stages));
    for (int i = 0; i < passes; i++) {
      const int from_top = backward ? passes - 1 - i : i;
      const int first = log_n * from_top / passes, next = log_n * (from_top + 1) / passes;
      PG_TRY(launch(pass(first, next - first, i == 0, i == passes - 1), stream));
    }
    return success();
  }

 private:
  Pass<P> pass(int first_stage, int stages, bool opening, bool closing) const {
    Pass<P> p{};
    p.data = data;
    p.twiddles = twiddles;
    p.log_n = log_n;
    p.first_stage = first_stage;
    p.stages = stages;
    p.log_columns = tile_columns(stages);
    p.inverse = inverse;
    p.opening = opening;
    p.closing = closing;
    if (opening && !inverse) p.before = powers;
    if (closing && inverse) p.after = powers;
    p.scaled = closing && inverse && !powers;
    if (p.scaled) p.scale = inverse_of_size();
    return p;
  }

  int tile_columns(int stages) const {
    const int fill = most_tile_bits - stages;
    return fill < log_n - stages ? fill : log_n - stages;
  }

  Field<P> inverse_of_size() const {
    Field<P> two = Field<P>::one() + Field<P>::one(), n = Field<P>::one();
    for (int i = 0; i < log_n; i++) n = n * two;
    return pg::inverse(n);
  }

  pg_error launch(const Pass<P>& p, cudaStream_t stream) const {
    if (p.first_stage == 0) return launch<Depth::top>(p, stream);
    return p.first_stage + p.stages - 1 > twiddles.cached ? launch<Depth::deep>(p, stream)
                                                          : launch<Depth::middle>(p, stream);
  }

  template <Depth D>
  pg_error launch(const Pass<P>& p, cudaStream_t stream) const {
    const int threads = 1 << (p.tile_bits() > 2 ? p.tile_bits() - 2 : 0);
    const auto kernel = backward ? kernel_of<D, true>(p) : kernel_of<D, false>(p);
    PG_LAUNCH(kernel, 1l << (log_n - p.tile_bits()), threads, 0, stream, p);
    return success();
  }

  template <Depth D, bool Backward>
  static auto kernel_of(const Pass<P>& p) {
    return p.plain() ? ntt_pass<P, D, Backward, true> : ntt_pass<P, D, Backward, false>;
  }
};

constexpr int corner_bits = 4;
constexpr int corner = 1 << corner_bits;

// Index = (high 4 bits)(middle)(low 4 bits). One block swaps the tile of one middle with the tile of its mirror
// image, so that both reads and writes are rows of 512 bytes.
template <class P>
__global__ void reverse_tiles(Element<P>* data, int log_n) {
  __shared__ Element<P> tiles[2][corner][corner + 1];
  const int middle_bits = log_n - 2 * corner_bits;
  const uint32_t middle = blockIdx.x, mirror = reverse_bits(middle, middle_bits);
  if (mirror < middle) return;
  const int high = threadIdx.x / corner, low = threadIdx.x % corner;
  const uint32_t row = uint32_t(high) << (log_n - corner_bits);
  Element<P>* here = data + row + (middle << corner_bits) + low;
  Element<P>* there = data + row + (mirror << corner_bits) + low;
  store_wide(&tiles[0][high][low], load_wide(here));
  store_wide(&tiles[1][high][low], load_wide(there));
  __syncthreads();
  const int from_high = reverse_bits(low, corner_bits), from_low = reverse_bits(high, corner_bits);
  store_wide(there, load_wide(&tiles[0][from_high][from_low]));
  if (mirror != middle) store_wide(here, load_wide(&tiles[1][from_high][from_low]));
}

template <class P>
__global__ void reverse_singly(Element<P>* data, int log_n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, j = reverse_bits(i, log_n);
  if (i >= 1u << log_n || j <= i) return;
  const Element<P> a = load_wide(data + i), b = load_wide(data + j);
  store_wide(data + i, b);
  store_wide(data + j, a);
}

template <class P>
pg_error bit_reverse(cudaStream_t stream, int log_n, Element<P>* data) {
  if (log_n < 2 * corner_bits)
    PG_LAUNCH(reverse_singly<P>, 1, 1 << log_n, 0, stream, data, log_n);
  else
    PG_LAUNCH(reverse_tiles<P>, 1l << (log_n - 2 * corner_bits), corner * corner, 0, stream, data, log_n);
  return success();
}

template <class P>
Transform<P> transform(int log_n, const void* table, const void* powers, void* data) {
  return {static_cast<Element<P>*>(data),
          Twiddles<P>::in(table, log_n),
          Powers<P>::in(powers, log_n),
          log_n, false, false};
}

template <class P>
pg_error ntt(cudaStream_t stream, int log_n, const void* table, int direction, int order, const void* powers,
             void* data) {
  Transform<P> t = transform<P>(log_n, table, powers, data);
  t.backward = order == PG_FROM_REVERSED;
  t.inverse = direction == PG_INVERSE;
  PG_TRY(t.run(stream));
  return order == PG_NATURAL ? bit_reverse(stream, log_n, t.data) : success();
}

// Evaluations on the domain to evaluations on the coset: coefficients exist only in bit-reversed order, between the
// two transforms. `forth` holds the 1/n of the inverse, so neither scales.
template <class P>
pg_error to_coset(cudaStream_t stream, int log_n, const void* table, const void* forth, void* data) {
  Transform<P> coefficients = transform<P>(log_n, table, forth, data);
  coefficients.inverse = true;
  PG_TRY(coefficients.run(stream));
  Transform<P> values = transform<P>(log_n, table, nullptr, data);
  values.backward = true;
  return values.run(stream);
}

template <class P>
pg_error quotient(cudaStream_t stream, int log_n, const void* table, const void* forth, const void* back,
                  bool canonical, void* a, void* b, void* c) {
  const size_t n = size_t(1) << log_n;
  for (void* vector : {a, b, c}) PG_TRY(to_coset<P>(stream, log_n, table, forth, vector));
  PG_TRY(pointwise<P>(stream, PG_MUL_SUB, n, a, b, c, a));
  if (back) {
    Transform<P> coefficients = transform<P>(log_n, table, back, a);
    coefficients.inverse = true;
    PG_TRY(coefficients.run(stream));
    PG_TRY(bit_reverse(stream, log_n, coefficients.data));
  }
  return canonical ? pointwise<P>(stream, PG_TO_CANONICAL, n, a, nullptr, nullptr, a) : success();
}

}  // namespace pg
