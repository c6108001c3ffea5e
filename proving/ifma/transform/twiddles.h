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

// scalars_lane is lane k of eight scalars kept in memory, in all lanes.
INLINE scalars scalars_lane(const scalars *s, int k) {
	const lane *limbs = (const lane *)s;
	scalars r;
	EACH_LIMB r.l[i] = lanes_all(limbs[LANES * i + k]);
	return r;
}

// heap_fill makes the heap of a block's factors, each in all lanes: place 2^j + b is T[(block << j) + b]. See stages.h.
static void heap_fill(const field *f, const twiddles *t, scalars *w, size_t block, int depth) {
	const lanes ramp = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), one = lanes_all(1);
	for (int first = 0; first < 1 << depth; first += LANES) {
		const lanes place = _mm512_max_epi64(one, _mm512_add_epi64(ramp, lanes_all((uint64_t)first)));
		const lanes j = _mm512_sub_epi64(lanes_all(63), _mm512_lzcnt_epi64(place));
		const lanes b = _mm512_sub_epi64(place, _mm512_sllv_epi64(one, j));
		const scalars s = twiddles_at(f, t, _mm512_add_epi64(_mm512_sllv_epi64(lanes_all(block), j), b));
		for (int k = 0; k < LANES && first + k < 1 << depth; k++) w[first + k] = scalars_lane(&s, k);
	}
}
