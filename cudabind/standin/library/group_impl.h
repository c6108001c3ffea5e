// The functions of group.h for points over F with scalars modulo P, included by the one file of each group.
#pragma once

#include "elements.h"
#include "group.h"

namespace standin {

// A scalar as a plain integer, read in windows.
template <class P>
struct Digits {
  uint32_t w[P::words];

  static Digits of(const Element<P>& scalar, bool montgomery) {
    Digits d;
    (montgomery ? scalar.value() * Field<P>::plain_one() : scalar.value()).store(d.w);
    return d;
  }

  uint32_t at(int from, int bits) const {
    uint64_t pair = 0;
    for (int i = 0; i < 2; i++)
      if (const int word = from / 32 + i; word < P::words) pair |= uint64_t(w[word]) << (32 * i);
    return uint32_t(pair >> (from % 32)) & ((1u << bits) - 1);
  }
};

// To affine, with one inversion for all (Montgomery's trick). prefixes: room for n.
template <class F>
void to_affine(const Xyzz<F>* points, size_t n, F* prefixes, Packed<F>* out) {
  F product = F::one();
  for (size_t i = 0; i < n; i++) {
    prefixes[i] = product;
    if (!points[i].is_infinity()) product = product * points[i].zzz;
  }
  F rest = inverse(product);
  for (size_t i = n; i-- > 0;) {
    to_packed(points[i], rest * prefixes[i], out + i);
    if (!points[i].is_infinity()) rest = rest * points[i].zzz;
  }
}

// Points on their way to affine form, a chunk at a time, in the caller's scratch.
template <class F>
struct Chunk {
  static constexpr size_t most = 1024;
  Xyzz<F> points[most];
  F prefixes[most];
};

template <class F, class P>
struct GroupOf {
  using Point = Packed<F>;
  using Sum = Xyzz<F>;

  // ---- sums (Pippenger): the scratch holds the buckets of one set, then the scalars as plain integers.

  static size_t bucket_bytes(const pg_msm_config& config) {
    return rounded_up(Windows::of(config).buckets() * sizeof(Sum));
  }

  static size_t scratch_bytes(const pg_msm_config& config, size_t n) {
    return bucket_bytes(config) + rounded_up(n * sizeof(Digits<P>));
  }

  static size_t result_bytes(const pg_msm_config& config) {
    return sizeof(SumTag) + size_t(Windows::of(config).sets) * sizeof(Sum);
  }

  static pg_error sum(const pg_msm_config& config, size_t n, const void* bases, const void* scalars, void* scratch,
                      void* result) {
    const Windows w = Windows::of(config);
    const auto points = static_cast<const Point*>(bases);
    const auto factors = static_cast<const Element<P>*>(scalars);
    PG_TRY(check_points<F>("bases", points, n * size_t(w.used_copies())));
    PG_TRY(check_elements<P>("scalars", factors, n));
    const auto integers = n ? reinterpret_cast<Digits<P>*>(static_cast<char*>(scratch) + bucket_bytes(config)) : nullptr;
    for (size_t i = 0; i < n; i++) integers[i] = Digits<P>::of(factors[i], config.scalars_montgomery != 0);
    char* parts = static_cast<char*>(result) + sizeof(SumTag);
    for (int set = 0; set < w.sets; set++) {
      const Sum total = n ? set_sum(w, set, n, points, integers, static_cast<Sum*>(scratch)) : Sum::infinity();
      std::memcpy(parts + size_t(set) * sizeof total, &total, sizeof total);
    }
    const SumTag tag = SumTag::of(config);
    std::memcpy(result, &tag, sizeof tag);
    return success();
  }

  static Sum set_sum(const Windows& w, int set, size_t n, const Point* points, const Digits<P>* factors, Sum* buckets) {
    for (size_t b = 0; b < w.buckets(); b++) buckets[b] = Sum::infinity();
    for (int window = set; window < w.count; window += w.sets)
      for (size_t i = 0; i < n; i++) {
        const uint32_t digit = factors[i].at(window * w.bits, w.bits);
        if (digit) buckets[digit].add(points[size_t(window / w.sets) * n + i], false);
      }
    Sum above = Sum::infinity(), total = Sum::infinity();
    for (size_t b = w.buckets() - 1; b > 0; b--) {
      above.add(buckets[b]);
      total.add(above);
    }
    return total;
  }

  static pg_error finish(const pg_msm_config& config, const void* result, void* point) {
    const Windows w = Windows::of(config);
    SumTag tag;
    std::memcpy(&tag, result, sizeof tag);
    PG_TRY(check_sum_tag(tag, SumTag::of(config)));
    const char* parts = static_cast<const char*>(result) + sizeof tag;
    Sum total = Sum::infinity();
    for (int set = w.sets - 1; set >= 0; set--) {
      for (int i = 0; i < w.bits; i++) total.double_in_place();
      Sum part;
      std::memcpy(&part, parts + size_t(set) * sizeof part, sizeof part);
      total.add(part);
    }
    Point affine;
    to_packed(total, &affine);
    std::memcpy(point, &affine, sizeof affine);
    return success();
  }

  // ---- tables: each copy is the one before it, doubled.

  static size_t table_scratch_bytes(size_t) { return rounded_up(sizeof(Chunk<F>)); }

  static pg_error build_table(const pg_msm_config& config, size_t n, const void* bases, void* table, void* scratch) {
    const Windows w = Windows::of(config);
    const auto points = static_cast<const Point*>(bases);
    const auto out = static_cast<Point*>(table);
    PG_TRY(check_points<F>("bases", points, n));
    std::memcpy(static_cast<void*>(out), points, n * sizeof *out);
    for (int copy = 1; copy < w.copies; copy++) {
      const Point* from = out + size_t(copy - 1) * n;
      in_chunks(n, scratch, out + size_t(copy) * n, [&](size_t i) {
        Sum p = Sum::from_packed(from[i]);
        for (int d = 0; d < w.bits * w.sets; d++) p.double_in_place();
        return p;
      });
    }
    return success();
  }

  // out[i] = point(i) for i < n.
  template <class Each>
  static void in_chunks(size_t n, void* scratch, Point* out, Each point) {
    auto& chunk = *static_cast<Chunk<F>*>(scratch);
    for (size_t at = 0; at < n; at += chunk.most) {
      const size_t here = n - at < chunk.most ? n - at : chunk.most;
      for (size_t i = 0; i < here; i++) chunk.points[i] = point(at + i);
      to_affine(chunk.points, here, chunk.prefixes, out + at);
    }
  }

  // ---- multiples of one point: a table of digit 2^(8 w) base for every byte w of a scalar.

  static constexpr int byte_count = 32, byte_values = 256;
  struct Multiples {
    Chunk<F> chunk;
    Sum of[byte_count][byte_values];
  };

  static size_t fixed_base_scratch_bytes(size_t) { return rounded_up(sizeof(Multiples)); }

  static void fill(const Point& base, Multiples* table) {
    Sum power = Sum::from_packed(base);
    for (auto& row : table->of) {
      row[0] = Sum::infinity();
      for (int digit = 1; digit < byte_values; digit++) {
        row[digit] = row[digit - 1];
        row[digit].add(power);
      }
      for (int d = 0; d < 8; d++) power.double_in_place();
    }
  }

  static pg_error multiply(size_t n, const void* base, const void* scalars, bool montgomery, void* scratch,
                           void* out) {
    const auto factors = static_cast<const Element<P>*>(scalars);
    const auto table = static_cast<Multiples*>(scratch);
    PG_TRY(check_elements<P>("scalars", factors, n));
    Point point;
    std::memcpy(&point, base, sizeof point);
    fill(point, table);
    in_chunks(n, &table->chunk, static_cast<Point*>(out), [&](size_t i) {
      const auto digits = Digits<P>::of(factors[i], montgomery);
      Sum p = Sum::infinity();
      for (int byte = 0; byte < byte_count; byte++) p.add(table->of[byte][digits.at(8 * byte, 8)]);
      return p;
    });
    return success();
  }

  static constexpr Group functions() {
    return {scratch_bytes, result_bytes, sum, finish, table_scratch_bytes, build_table, fixed_base_scratch_bytes,
            multiply};
  }
};

}  // namespace standin
