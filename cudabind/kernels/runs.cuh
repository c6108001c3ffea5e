// Runs of equal keys in a sorted chain, and the pairs that a round of additions finds in them.
//
// A round halves every run: its elements are added in pairs from the end, so that an odd run leaves its first alone.
// After k rounds a run of n elements has ceil(n / 2^k), so where the pairs of any round lie follows from where the runs
// begin in the chain. That is noted once; nobody looks at keys again until sums are done.
#pragma once

#include <cstddef>

#include "portable.cuh"

namespace pg {

struct Runs {
  const uint32_t* keys;  // of the chain
  uint32_t* starts;      // where each run begins in the chain, and at last the chain's length
  uint32_t step;         // from start to start
  int count;
  int round;

  // Notes the runs of a chain; starts: room for one more than it has elements.
  PG_HD static Runs of(const uint32_t* keys, int length, uint32_t* starts, uint32_t step) {
    Runs r{keys, starts, step, 0, 0};
    uint32_t key = 0;
    for (int i = 0; i < length; i++) {
      const uint32_t here = keys[i];
      if (i == 0 || here != key) starts[std::size_t(r.count++) * step] = i;
      key = here;
    }
    starts[std::size_t(r.count) * step] = length;
    return r;
  }

  PG_HD int start(int run) const { return int(starts[std::size_t(run) * step]); }
  PG_HD uint32_t key(int run) const { return keys[start(run)]; }
  // Elements that are left of so many.
  PG_HD int left_of(int elements) const { return (elements + (1 << round) - 1) >> round; }

  PG_HD int pairs() const {
    int sum = 0;
    for (int run = 0, from = 0; run < count; run++) {
      const int to = start(run + 1);
      sum += left_of(to - from) / 2;
      from = to;
    }
    return sum;
  }
};

// The pairs of a round, from the first on or from the last back. The next run's bounds are read one run ahead, since
// their memory is far.
class PairsForward {
 public:
  PG_HD explicit PairsForward(const Runs& runs) : runs_(runs), to_(0), ahead_(runs.count > 0 ? runs.start(1) : 0) {}

  // The index of the next pair's first element in the list of the round, or -1.
  PG_HD int next() {
    while (pairs_ == 0) {
      if (run_ == runs_.count) return -1;
      const int from = to_;
      to_ = ahead_;
      if (++run_ < runs_.count) ahead_ = runs_.start(run_ + 1);
      const int left = runs_.left_of(to_ - from);
      pairs_ = left / 2;
      at_ += left % 2;
    }
    pairs_--;
    at_ += 2;
    return at_ - 2;
  }

 private:
  const Runs& runs_;
  int run_ = 0, to_, ahead_;
  int at_ = 0, pairs_ = 0;
};

class PairsBackward {
 public:
  PG_HD PairsBackward(const Runs& runs, int elements)
      : runs_(runs),
        run_(runs.count),
        from_(runs.start(runs.count)),
        ahead_(runs.count > 0 ? runs.start(runs.count - 1) : 0),
        at_(elements) {}

  PG_HD int next() {
    while (pairs_ == 0) {
      at_ -= alone_;
      if (run_ == 0) return -1;
      const int to = from_;
      from_ = ahead_;
      if (--run_ > 0) ahead_ = runs_.start(run_ - 1);
      const int left = runs_.left_of(to - from_);
      pairs_ = left / 2;
      alone_ = left % 2;
    }
    pairs_--;
    at_ -= 2;
    return at_;
  }

 private:
  const Runs& runs_;
  int run_, from_, ahead_;
  int at_, pairs_ = 0, alone_ = 0;
};

}  // namespace pg
