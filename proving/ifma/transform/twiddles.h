// Twiddle factors out of the two small tables, eight at a time.
#pragma once
#include "memory.h"

typedef struct {
	const uint64_t *low, *high;
} twiddles;

INLINE twiddles twiddles_in(const uint64_t *table) { return (twiddles){table, table + (WORDS << TABLE_BITS)}; }

INLINE scalars table_entries(const uint64_t *table, lanes index) {
	uint64_t at[LANES];
	const uint64_t *each[LANES];
	_mm512_storeu_si512(at, index);
	UNROLL for (int i = 0; i < LANES; i++) each[i] = table + WORDS * at[i];
	return rows_limbs(rows_pick(each), 0);
}

// twiddles_at is T[k], lane by lane; canonical.
INLINE scalars twiddles_at(const field *f, const twiddles *t, lanes k) {
	const scalars high = table_entries(t->high, _mm512_srli_epi64(k, TABLE_BITS));
	const scalars low = table_entries(t->low, _mm512_and_si512(k, lanes_all((1 << TABLE_BITS) - 1)));
	return scalars_canonical(f, scalars_normal(scalars_mul(f, high, low)));
}

// heap_twiddles is T[(block << j) + b] for eight places 2^j + b of the heap of a block's factors: see stages.h.
INLINE scalars heap_twiddles(const field *f, const twiddles *t, lanes block, lanes place) {
	const lanes one = lanes_all(1), j = _mm512_sub_epi64(lanes_all(63), _mm512_lzcnt_epi64(_mm512_or_si512(place, one)));
	const lanes b = _mm512_sub_epi64(place, _mm512_sllv_epi64(one, j));
	return twiddles_at(f, t, _mm512_add_epi64(_mm512_sllv_epi64(block, j), _mm512_max_epi64(b, _mm512_setzero_si512())));
}
