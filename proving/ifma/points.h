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

typedef struct { coord x, y; } point; // WIDTH points; a block of slots
#define SLOT_LIMBS (2 * DEGREE * LIMBS)

// references_widen is refs[8k..8k+8) as 64-bit numbers.
INLINE lanes references_widen(const uint32_t *refs, int k) {
	return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(refs + LANES * k)));
}

// packed_coord reads coordinate number at (0 for x, 1 for y) of the points at byte offsets.
INLINE void packed_coord(coord *r, const uint8_t *points, const lanes offsets[VECS], int at) {
	EACH_PART {
		lanes w[WORDS][VECS];
		UNROLL for (int i = 0; i < WORDS; i++) EACH_VEC
			w[i][k] = _mm512_i64gather_epi64(offsets[k], points + 8 * ((at * DEGREE + d) * WORDS + i), 1);
		r->c[d] = fe_from_words(w, SHIFT);
	}
}

// packed_load reads WIDTH points; y is loose, in (-2^SHIFT p, 2^SHIFT p).
INLINE void packed_load(point *r, const uint8_t *points, const uint32_t *refs) {
	lanes offsets[VECS];
	lane_set negated;
	EACH_VEC {
		lanes ref = references_widen(refs, k);
		negated.m[k] = _mm512_test_epi64_mask(ref, lanes_all(NEGATED));
		offsets[k] = _mm512_mul_epu32(_mm512_andnot_si512(lanes_all(NEGATED), ref), lanes_all(POINT_BYTES));
	}
	packed_coord(&r->x, points, offsets, 0);
	packed_coord(&r->y, points, offsets, 1);
	EACH_PART r->y.c[d] = fe_negate_in(negated, r->y.c[d]);
}

// packed_prefetch brings points to the second-level cache: the first has too few buffers for a block of misses.
INLINE void packed_prefetch(const uint8_t *points, const uint32_t *refs) {
	UNROLL for (int i = 0; i < WIDTH; i++) {
		const char *at = (const char *)points + (size_t)(refs[i] & ~NEGATED) * POINT_BYTES;
		UNROLL for (int line = 0; line < POINT_BYTES; line += 64) _mm_prefetch(at + line, _MM_HINT_T1);
		if ((uintptr_t)points % 64 != 0) _mm_prefetch(at + POINT_BYTES - 1, _MM_HINT_T1);
	}
}

INLINE void slot_coord(coord *r, const uint8_t *slots, const lanes offsets[VECS], int at) {
	EACH_PART EACH_LIMB
		r->c[d].l[i][k] = _mm512_i64gather_epi64(offsets[k], slots + 8 * WIDTH * ((at * DEGREE + d) * LIMBS + i), 1);
}

INLINE void slot_load(point *r, const point *slots, const uint32_t *refs) {
	lanes offsets[VECS];
	EACH_VEC {
		lanes ref = references_widen(refs, k), inside = _mm512_and_si512(ref, lanes_all(WIDTH - 1));
		lanes block = _mm512_mul_epu32(_mm512_srli_epi64(ref, 4), lanes_all(sizeof(point)));
		offsets[k] = _mm512_add_epi64(block, _mm512_slli_epi64(inside, 3));
	}
	slot_coord(&r->x, (const uint8_t *)slots, offsets, 0);
	slot_coord(&r->y, (const uint8_t *)slots, offsets, 1);
}

// slot_limb is the place of a slot's first limb; the next are WIDTH words apart.
INLINE uint64_t *slot_limb(point *slots, uint32_t slot) {
	return (uint64_t *)(slots + slot / WIDTH) + slot % WIDTH;
}

INLINE void slot_copy(point *slots, uint32_t to, uint32_t from) {
	uint64_t *t = slot_limb(slots, to), *f = slot_limb(slots, from);
	UNROLL for (int i = 0; i < SLOT_LIMBS; i++) t[WIDTH * i] = f[WIDTH * i];
}

INLINE int slot_is_infinity(point *slots, uint32_t slot) {
	uint64_t any = 0, *f = slot_limb(slots, slot);
	for (int i = 0; i < SLOT_LIMBS; i++) any |= f[WIDTH * i];
	return any == 0;
}

// point_settle brings a loaded or computed point below 3p; infinity does not stay all zero.
INLINE void point_settle(point *r, const point *p) {
	coord_settle(&r->x, &p->x, BIAS4);
	coord_settle(&r->y, &p->y, BIAS);
}

// block_pack writes the first count points of a block as packed points.
static void block_pack(uint8_t *out, const point *block, size_t count) {
	uint64_t words[WIDTH * POINT_WORDS];
	const fe to_words = fe_const(TO_WORDS);
	point settled;
	point_settle(&settled, block);
	const fe *part = settled.x.c;
	for (int i = 0; i < 2 * DEGREE; i++) {
		fe v;
		fe_mul(&v, part + i, &to_words);
		fe_to_words(words + i * WORDS, POINT_WORDS, fe_canonical(v));
	}
	memcpy(out, words, count * POINT_BYTES);
}
