// Bucket sums B_i to the sum of (i + 1) B_i, one per set.
//
// A binary tree that keeps, beside the plain sum S of a node's buckets, T_j = the sum of those whose index has bit j
// set. Joining two nodes of 2^k buckets is k + 2 independent additions and T_k = S of the right one, so the whole
// tree costs two additions a bucket and log n additions in a row; sum 2^j T_j + S is left to the host, where it joins
// the doublings between windows. With many buckets the leaves are runs of 2^log_run, summed by one thread with the
// weights 1, 2, 3, ... (W).
#pragma once

#include "msm_scratch.cuh"

namespace pg {

constexpr int reduce_threads = 64;

// Column 0: W of every run; column 1: S.
template <class F>
__global__ void __launch_bounds__(reduce_threads)
    sum_runs(const Xyzz<F>* buckets, size_t runs, int log_run, Xyzz<F>* out) {
  const size_t run = size_t(blockIdx.x) * reduce_threads + threadIdx.x;
  if (run >= runs) return;
  Xyzz<F> plain = Xyzz<F>::infinity(), weighted = Xyzz<F>::infinity();
  for (int step = 0; step < 2 << log_run; step++) {  // one call of add for both sums keeps the code in the cache
    const bool even = step % 2 == 0;
    Xyzz<F> a = even ? plain : weighted;
    a.add(even ? load_wide(buckets + (run << log_run) + ((1 << log_run) - 1 - step / 2)) : plain);
    if (even) plain = a;
    else weighted = a;
  }
  store_wide(out + run, weighted);
  store_wide(out + runs + run, plain);
}

// Blocks of join_nodes to keep on a multiprocessor: over Fp2 the compiler would take registers for fewer.
template <class F>
constexpr int joining_blocks = F::components == 1 ? 1 : F::Base::words == 8 ? 8 : 6;

// One level: nodes_out nodes (over all sets) in `columns_in` + 1 columns, from twice as many.
template <class F>
__global__ void __launch_bounds__(reduce_threads, joining_blocks<F>)
    join_nodes(const Xyzz<F>* in, size_t nodes_out, int columns_in, Xyzz<F>* out) {
  using L = Own<F>;
  const size_t item = (size_t(blockIdx.x) * reduce_threads + threadIdx.x) / lanes<F>;
  if (item >= nodes_out * (columns_in + 1)) return;
  const int column = int(item / nodes_out);
  const size_t node = item % nodes_out;
  const bool new_bit = column == columns_in - 1;  // T_k: the right node's S, as it is
  const int from = column < columns_in ? column : columns_in - 1;
  const Xyzz<F>* pair = in + (size_t(from) * nodes_out + node) * 2;
  Xyzz<L> sum = load_own<L>(pair + 1);
  if (!new_bit) sum.add(load_own<L>(pair));
  store_own<L>(out + item, sum);
}

constexpr int last_levels = 8;  // of the tree, done by sum_selected

// The last levels at once, where a launch for each would cost more than its additions: block (set, column) sums the
// 2^levels nodes of its set in one of the columns, all of them or (a new bit's column) those with that bit set.
template <class F>
__global__ void __launch_bounds__(lanes<F> << (last_levels - 1))
    sum_selected(const Xyzz<F>* in, int columns_in, int levels, Xyzz<F>* out) {
  using L = Own<F>;
  extern __shared__ uint4 point_memory[];
  Xyzz<L>* sums = reinterpret_cast<Xyzz<L>*>(point_memory);
  const int set = blockIdx.x, sets = gridDim.x, column = blockIdx.y, t = threadIdx.x;
  const int bit = column - (columns_in - 1);  // of the new columns: 0 .. levels - 1
  const bool selective = bit >= 0 && bit < levels;
  const Xyzz<F>* nodes = in + ((size_t(bit < 0 ? column : columns_in - 1) * sets + set) << levels);
  Xyzz<L> sum = Xyzz<L>::infinity();
  for (int i = t / lanes<F>; i < 1 << levels; i += blockDim.x / lanes<F>)
    if (!selective || i >> bit & 1) sum.add(load_own<L>(nodes + i));
  for (int half = blockDim.x / 2; half >= lanes<F>; half /= 2) {
    store_wide(sums + t, sum);
    __syncthreads();
    if (t < half) sum.add(load_wide(sums + t + half));
    __syncthreads();
  }
  if (t < lanes<F>) store_own<L>(out + size_t(column) * sets + set, sum);
}

// *result points at the last level: columns x sets.
template <class F>
pg_error reduce_buckets(cudaStream_t stream, const Scratch<F>& s, const Windows& w, const Xyzz<F>** result) {
  const Reduction r = Reduction::of<F>(w);
  const Xyzz<F>* level_in = s.buckets;
  int next = 0;
  if (r.has_runs()) {
    const size_t runs = w.buckets() >> r.log_run;
    PG_LAUNCH(sum_runs<F>, ceil_div(long(runs), reduce_threads), reduce_threads, 0, stream, s.buckets, runs, r.log_run,
              s.tree[0]);
    level_in = s.tree[0];
    next = 1;
  }
  const int last = r.levels < last_levels ? r.levels : last_levels;
  for (int level = 0; level < r.levels - last; level++) {
    const size_t nodes = w.buckets() >> (r.log_run + level + 1);
    const long threads = long(nodes * r.columns(level + 1)) * lanes<F>;
    PG_LAUNCH(join_nodes<F>, ceil_div(threads, reduce_threads), reduce_threads, 0, stream, level_in, nodes,
              r.columns(level), s.tree[next]);
    level_in = s.tree[next];
    next = 1 - next;
  }
  const int threads = lanes<F> * (last > 1 ? 1 << (last - 1) : 1);
  PG_LAUNCH(sum_selected<F>, dim3(w.sets, r.columns(r.levels)), threads, threads * sizeof(Xyzz<Own<F>>), stream,
            level_in, r.columns(r.levels - last), last, s.tree[next]);
  level_in = s.tree[next];
  *result = level_in;
  return success();
}

}  // namespace pg
