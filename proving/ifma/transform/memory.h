// Between scalars in memory, four 64-bit words each, and eight of them in lanes of limbs.
//
// A row is a vector that holds two scalars. Of the four rows that make eight scalars, row 0 goes to lanes 0 and 2, row 1 to lanes
// 4 and 6, row 2 to 1 and 3, row 3 to 5 and 7: any order will do where all lanes are treated alike, as in columns.
#pragma once
#include "field.h"

typedef struct { lanes r[4]; } rows;

// rows_limbs cuts the scalars of rows, times 2^shift, into limbs; shift is 0 or 4. Normal.
INLINE scalars rows_limbs(rows m, int shift) {
	const lanes even01 = _mm512_shuffle_i64x2(m.r[0], m.r[1], 0x88), even23 = _mm512_shuffle_i64x2(m.r[0], m.r[1], 0xdd);
	const lanes odd01 = _mm512_shuffle_i64x2(m.r[2], m.r[3], 0x88), odd23 = _mm512_shuffle_i64x2(m.r[2], m.r[3], 0xdd);
	const lanes w[WORDS] = {_mm512_unpacklo_epi64(even01, odd01), _mm512_unpackhi_epi64(even01, odd01),
	                        _mm512_unpacklo_epi64(even23, odd23), _mm512_unpackhi_epi64(even23, odd23)};
	scalars s;
	s.l[0] = lanes_low52(shift ? _mm512_slli_epi64(w[0], 4) : w[0]);
	s.l[1] = lanes_low52(shift ? _mm512_shrdi_epi64(w[0], w[1], 48) : _mm512_shrdi_epi64(w[0], w[1], 52));
	s.l[2] = lanes_low52(shift ? _mm512_shrdi_epi64(w[1], w[2], 36) : _mm512_shrdi_epi64(w[1], w[2], 40));
	s.l[3] = lanes_low52(shift ? _mm512_shrdi_epi64(w[2], w[3], 24) : _mm512_shrdi_epi64(w[2], w[3], 28));
	s.l[4] = shift ? _mm512_srli_epi64(w[3], 12) : _mm512_srli_epi64(w[3], 16);
	return s;
}

// limbs_rows is the reverse, for normal values below 2^256.
INLINE rows limbs_rows(scalars s) {
	const lanes w[WORDS] = {
		_mm512_or_si512(s.l[0], _mm512_slli_epi64(s.l[1], 52)),
		_mm512_or_si512(_mm512_srli_epi64(s.l[1], 12), _mm512_slli_epi64(s.l[2], 40)),
		_mm512_or_si512(_mm512_srli_epi64(s.l[2], 24), _mm512_slli_epi64(s.l[3], 28)),
		_mm512_or_si512(_mm512_srli_epi64(s.l[3], 36), _mm512_slli_epi64(s.l[4], 16)),
	};
	const lanes even01 = _mm512_unpacklo_epi64(w[0], w[1]), odd01 = _mm512_unpackhi_epi64(w[0], w[1]);
	const lanes even23 = _mm512_unpacklo_epi64(w[2], w[3]), odd23 = _mm512_unpackhi_epi64(w[2], w[3]);
	const lanes first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
	return (rows){{_mm512_permutex2var_epi64(even01, first, even23), _mm512_permutex2var_epi64(even01, second, even23),
	               _mm512_permutex2var_epi64(odd01, first, odd23), _mm512_permutex2var_epi64(odd01, second, odd23)}};
}

// rows_load and rows_store: eight scalars one after the other.
INLINE rows rows_load(const uint64_t *from) {
	rows m;
	UNROLL for (int i = 0; i < 4; i++) m.r[i] = _mm512_loadu_si512(from + LANES * i);
	return m;
}

INLINE void rows_store(uint64_t *to, rows m) { UNROLL for (int i = 0; i < 4; i++) _mm512_storeu_si512(to + LANES * i, m.r[i]); }

// The lane of a row's first scalar; its second goes two lanes on.
static const int row_lane[4] = {0, 4, 1, 5};

// rows_pick loads the scalar for lane i from from[i].
INLINE rows rows_pick(const uint64_t *const from[LANES]) {
	rows m;
	UNROLL for (int i = 0; i < 4; i++) {
		const __m256i first = _mm256_loadu_si256((const void *)from[row_lane[i]]);
		m.r[i] = _mm512_inserti64x4(_mm512_castsi256_si512(first), _mm256_loadu_si256((const void *)from[row_lane[i] + 2]), 1);
	}
	return m;
}

// rows_load_strided loads the scalar for lane i from `stride` words after that of lane i - 1.
INLINE rows rows_load_strided(const uint64_t *from, size_t stride) {
	const uint64_t *each[LANES];
	UNROLL for (int i = 0; i < LANES; i++) each[i] = from + stride * (size_t)i;
	return rows_pick(each);
}

INLINE void rows_store_strided(uint64_t *to, size_t stride, rows m) {
	UNROLL for (int i = 0; i < 4; i++) {
		uint64_t *first = to + stride * (size_t)row_lane[i];
		_mm256_storeu_si256((void *)first, _mm512_castsi512_si256(m.r[i]));
		_mm256_storeu_si256((void *)(first + 2 * stride), _mm512_extracti64x4_epi64(m.r[i], 1));
	}
}

// stored makes a loose value fit for memory: below p + p/2^30, or canonical where final.
INLINE rows stored(const field *f, scalars s, int final) {
	s = scalars_reduce(f, s);
	return limbs_rows(final ? scalars_canonical(f, s) : s);
}
