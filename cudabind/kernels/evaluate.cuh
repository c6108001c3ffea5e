// Constraint systems: the rows of A w and B w, and their product.
#pragma once

#include "evaluate_part.cuh"
#include "launch.cuh"

namespace pg {

constexpr uint32_t evaluate_threads = 256;  // a power of two
static_assert(2 * evaluate_threads <= PG_PART_TERMS, "a long row's sums take the place of products");

template <class P>
__global__ void __launch_bounds__(evaluate_threads) evaluate_kernel(ConstraintRows<P> rows) {
  __shared__ Shared<P> shared;
  const uint32_t thread = threadIdx.x, threads = evaluate_threads;
  const Part<P> part = Part<P>::of(rows, blockIdx.x);
  if (!part.is_long()) {
    part.multiply(shared, thread, threads);
    __syncthreads();
    part.add_up(shared, thread, threads);
    return;
  }
  part.gather(shared, thread, threads);
  for (uint32_t left = threads / 2; left > 0; left /= 2) {
    __syncthreads();
    part.fold(shared, thread, threads, left);
  }
  if (thread == 0) part.finish(shared, threads);
}

template <class P>
pg_error evaluate(cudaStream_t stream, const pg_constraints& of, const void* witness, void* a, void* b, void* c) {
  if (of.parts == 0) return success();
  const ConstraintRows<P> rows{
      static_cast<const uint32_t*>(of.device_starts),     static_cast<const uint32_t*>(of.device_parts),
      static_cast<const uint32_t*>(of.device_term_wires), static_cast<const uint32_t*>(of.device_term_codes),
      static_cast<const Element<P>*>(of.device_elements), static_cast<const Element<P>*>(witness),
      static_cast<Element<P>*>(a),                        static_cast<Element<P>*>(b),
      static_cast<Element<P>*>(c)};
  PG_LAUNCH(evaluate_kernel<P>, uint32_t(of.parts), evaluate_threads, 0, stream, rows);
  return success();
}

}  // namespace pg
