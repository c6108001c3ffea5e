// Points where they lie: packed, as files and gnark-crypto have them, or in slots, as the kernels have them.
//
// A packed point is 2 DEGREE field elements in W form (W = 2^(64 WORDS)), words least first, at any alignment; all zero is
// infinity. Reading shifts by SHIFT, which turns a W into a R: no product is spent on it. Slots are blocks of WIDTH points, limb
// by limb, so that a batch stores its results with whole vectors; a slot with all limbs zero is infinity.
#pragma once
#include "coordinate.h"

#define POINT_WORDS (2 * DEGREE * WORDS)
#define POINT_BYTES (8 * POINT_WORDS)
#define NEGATED 0x80000000u // in a reference to a packed point: use its opposite

typedef struct { coord x, y; } point; // WIDTH points
typedef point slot_block;
#define SLOT_LIMBS (2 * DEGREE * LIMBS)

// references_widen is refs[8k..8k+8) as 64-bit numbers.
INLINE lanes references_widen(const uint32_t *refs, int k) {
	return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(refs + LANES * k)));
}

// packed_coord reads coordinate number at (0 for x, 1 for y) of the points at byte offsets.
INLINE coord packed_coord(const uint8_t *points, const lanes offsets[VECS], int at) {
	coord r;
	EACH_PART {
		lanes w[WORDS][VECS];
		UNROLL for (int i = 0; i < WORDS; i++) EACH_VEC
			w[i][k] = _mm512_i64gather_epi64(offsets[k], points + 8 * ((at * DEGREE + d) * WORDS + i), 1);
		r.c[d] = fe_from_words(w, SHIFT);
	}
	return r;
}

// packed_load reads WIDTH points; y is loose, in (-2^SHIFT p, 2^SHIFT p).
INLINE point packed_load(const uint8_t *points, const uint32_t *refs) {
	lanes offsets[VECS];
	lane_set negated;
	EACH_VEC {
		lanes ref = references_widen(refs, k);
		negated.m[k] = _mm512_test_epi64_mask(ref, lanes_all(NEGATED));
		offsets[k] = _mm512_mul_epu32(_mm512_andnot_si512(lanes_all(NEGATED), ref), lanes_all(POINT_BYTES));
	}
	point r = {packed_coord(points, offsets, 0), packed_coord(points, offsets, 1)};
	r.y = coord_negate_in(negated, r.y);
	return r;
}

INLINE void packed_prefetch(const uint8_t *points, const uint32_t *refs) {
	UNROLL for (int i = 0; i < WIDTH; i++) {
		const char *at = (const char *)points + (size_t)(refs[i] & ~NEGATED) * POINT_BYTES;
		UNROLL for (int line = 0; line < POINT_BYTES; line += 64) _mm_prefetch(at + line, _MM_HINT_T0);
		if (POINT_BYTES % 64 == 0) _mm_prefetch(at + POINT_BYTES - 1, _MM_HINT_T0);
	}
}

INLINE coord slot_coord(const uint8_t *slots, const lanes offsets[VECS], int at) {
	coord r;
	EACH_PART EACH_LIMB
		r.c[d].l[i][k] = _mm512_i64gather_epi64(offsets[k], slots + 8 * WIDTH * ((at * DEGREE + d) * LIMBS + i), 1);
	return r;
}

INLINE point slot_load(const slot_block *slots, const uint32_t *refs) {
	lanes offsets[VECS];
	EACH_VEC {
		lanes ref = references_widen(refs, k), inside = _mm512_and_si512(ref, lanes_all(WIDTH - 1));
		lanes block = _mm512_mul_epu32(_mm512_srli_epi64(ref, 4), lanes_all(sizeof(slot_block)));
		offsets[k] = _mm512_add_epi64(block, _mm512_slli_epi64(inside, 3));
	}
	const uint8_t *base = (const uint8_t *)slots;
	return (point){slot_coord(base, offsets, 0), slot_coord(base, offsets, 1)};
}

// slot_limb is the place of a slot's first limb; the next are WIDTH words apart.
INLINE uint64_t *slot_limb(slot_block *slots, uint32_t slot) {
	return (uint64_t *)(slots + slot / WIDTH) + slot % WIDTH;
}

INLINE void slot_copy(slot_block *slots, uint32_t to, uint32_t from) {
	uint64_t *t = slot_limb(slots, to), *f = slot_limb(slots, from);
	UNROLL for (int i = 0; i < SLOT_LIMBS; i++) t[WIDTH * i] = f[WIDTH * i];
}

INLINE int slot_is_infinity(slot_block *slots, uint32_t slot) {
	uint64_t any = 0, *f = slot_limb(slots, slot);
	for (int i = 0; i < SLOT_LIMBS; i++) any |= f[WIDTH * i];
	return any == 0;
}

// slot_block_pack writes the first count points of a block as packed points; coordinates are normal and below 3p.
static void slot_block_pack(uint8_t *out, const slot_block *block, size_t count) {
	uint64_t words[WIDTH * POINT_WORDS];
	const coord *coords[2] = {&block->x, &block->y};
	for (int at = 0; at < 2; at++)
		for (int d = 0; d < DEGREE; d++) {
			fe v = fe_canonical(fe_mul_normal(coords[at]->c[d], fe_const(TO_WORDS)));
			fe_to_words(words + (at * DEGREE + d) * WORDS, POINT_WORDS, v);
		}
	memcpy(out, words, count * POINT_BYTES);
}
