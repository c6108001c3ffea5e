// One pass of a transform: up to nine of its stages over a tile. Threads do radix-4 butterflies in registers and meet in
// shared memory between them.
#pragma once

#include "ntt_butterfly.cuh"

namespace pg {

constexpr int ntt_threads = 128;
constexpr int ntt_blocks = 5;  // of a multiprocessor at once: 96 registers a thread

// Forward: radix 4 from stage 0 down, a last odd stage by radix 2. Backward: the mirror image.
template <class P, Depth D, bool Backward, bool Plain>
__global__ void __launch_bounds__(ntt_threads, ntt_blocks) ntt_pass(const __grid_constant__ Pass<P> pass) {
  __shared__ Tile<P> tile;
  const int odd = pass.stages & 1, rounds = pass.stages / 2 + odd;
  for (int round = 0; round < rounds; round++) {
    if (round) __syncthreads();
    const int from_top = Backward ? rounds - 1 - round : round, stage = 2 * from_top;
    const int radix_bits = odd && from_top == rounds - 1 ? 1 : 2;
    const int units = 1 << (pass.tile_bits() - radix_bits);
    for (int unit = threadIdx.x; unit < units; unit += blockDim.x) {
      const Place<P, Backward, Plain> place(pass, tile, unit, radix_bits, stage);
      if (radix_bits == 2) radix4<P, D>(place, stage, round == 0, round == rounds - 1);
      else radix2<P, D>(place, stage, round == 0, round == rounds - 1);
    }
  }
}

}  // namespace pg
