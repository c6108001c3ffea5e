// Where everything that one MSM keeps lies in its scratch.
#pragma once

#include "msm_lists.cuh"

namespace pg {

// Everything one MSM of points over F keeps in its scratch.
template <class F>
struct Scratch {
  Pairs pairs, spare;
  uint32_t* counts;
  Tally* tally;
  Xyzz<F>* buckets;
  Xyzz<F>* heads[2];
  uint32_t* head_keys[2];
  Lists<F> lists;  // only of groups that add in rounds
  Xyzz<F>* tree[2];
  size_t bytes;

  static Scratch carve(void* base, const Windows& w, size_t n) {
    Carver c(base);
    Scratch s;
    const size_t most = n * w.count;
    for (Pairs* p : {&s.pairs, &s.spare}) *p = {c.take<uint32_t>(most), c.take<uint32_t>(most)};
    s.counts = c.take<uint32_t>(sort_count_words());
    s.tally = c.take<Tally>(1);
    s.buckets = c.take<Xyzz<F>>(w.buckets());
    if constexpr (adds_in_rounds<F>) s.lists = Lists<F>::carve(c, most);
    size_t heads = most_chains<F>(most);
    for (int i = 0; i < 2; i++) {
      s.heads[i] = c.take<Xyzz<F>>(heads);
      s.head_keys[i] = c.take<uint32_t>(heads);
      heads = ceil_div(long(heads), chain_fan_in);
    }
    for (Xyzz<F>*& t : s.tree) t = c.take<Xyzz<F>>(Reduction::of<F>(w).points(w));
    s.bytes = c.used();
    return s;
  }
};

}  // namespace pg
