// Known factors in memory: a row of factors, a row of their quotients without the lowest words, and a row of those, so
// that neighbours are read 16 bytes at a time from neighbouring places.
#pragma once

#include "element.cuh"
#include "known.cuh"

namespace pg {

template <class P>
struct KnownRow {
  Element<P>* factors;
  Element<P>* quotients;
  uint32_t* lowest;

  static size_t bytes(size_t count) { return count * (2 * sizeof(Element<P>) + sizeof(uint32_t)); }

  // The row in memory, which is written only while it is filled.
  static KnownRow in(const void* memory, size_t count) {
    auto* elements = static_cast<Element<P>*>(const_cast<void*>(memory));
    return {elements, elements + count, reinterpret_cast<uint32_t*>(elements + 2 * count)};
  }

  __device__ __forceinline__ Known<P> at(uint32_t i) const {
    Known<P> known;
    fetch(factors + i).store(known.factor);
    fetch(quotients + i).store(known.quotient + 1);
    known.quotient[0] = lowest[i];
    return known;
  }

  __device__ void put(uint32_t i, const Known<P>& known) const {
    pg::put(factors + i, Field<P>::loaded(known.factor));
    pg::put(quotients + i, Loose<P>::loaded(known.quotient + 1));
    lowest[i] = known.quotient[0];
  }
};

}  // namespace pg
