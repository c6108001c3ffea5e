// Scalars into digits, WIDTH at a time.
//
// A scalar k above (r - 1)/2 becomes r - k, with a sign: so -1 is a unit and small negative numbers stay small. Signed digits
// need no carry from window to window: half of a window's range is added to every window but the last, and the digit is what the
// window then holds less that half, which is how it is stored.
#pragma once
#include "field.h"
#include "group.h"

#define SCALAR_BYTES 32
#define NEGATED 0x80000000u

// Scalars as sign and magnitude.
typedef struct {
	fe magnitude;
	lane_set negative, general, unit;
} scalars;

INLINE fe scalars_load(const uint8_t *from) {
	lanes w[WORDS][VECS];
	const lanes ramp = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
	UNROLL for (int i = 0; i < WORDS; i++) EACH_VEC
		w[i][k] = _mm512_i64gather_epi64(_mm512_slli_epi64(ramp, 5), from + SCALAR_BYTES * LANES * k + 8 * i, 1);
	return fe_from_words(w, 0);
}

INLINE scalars scalars_read(const uint8_t *from, int montgomery) {
	fe v = scalars_load(from);
	const fe to_plain = fe_const(TO_PLAIN);
	if (montgomery) fe_mul(&v, &v, &to_plain);
	else v = fe_reduce(fe_bias(v, P));
	v = fe_canonical(v);
	scalars s;
	fe room = fe_normal(fe_sub(fe_const(HALF), v));
	EACH_VEC s.negative.m[k] = _mm512_movepi64_mask(room.l[LIMBS - 1][k]);
	s.magnitude = fe_blend(s.negative, v, fe_normal(fe_sub(fe_const(P), v)));
	static const uint64_t one[LIMBS] = {1};
	s.unit = fe_equals(s.magnitude, one);
	lane_set small = set_or(s.unit, fe_is_zero(s.magnitude));
	EACH_VEC s.general.m[k] = (__mmask8)~small.m[k];
	return s;
}

// scalars_next reads up to WIDTH scalars, with zeros for those that are not there.
INLINE scalars scalars_next(const uint8_t *from, size_t count, int montgomery) {
	uint8_t padded[SCALAR_BYTES * WIDTH] = {0};
	if (__builtin_expect(count < WIDTH, 0)) from = memcpy(padded, from, SCALAR_BYTES * count);
	return scalars_read(from, montgomery);
}

INLINE uint32_t limbs_bits(const uint64_t limbs[LIMBS]) {
	for (int i = LIMBS; i-- > 0;)
		if (limbs[i]) return (uint32_t)(LIMB_BITS * i + 64 - (int)_lzcnt_u64(limbs[i]));
	return 0;
}

// census_add counts the lanes of s; any gathers the bits of all magnitudes.
INLINE void census_add(ifma_census *c, fe *any, const scalars *s) {
	c->general += (uint64_t)_mm_popcnt_u32(set_bits(s->general));
	c->units += (uint64_t)_mm_popcnt_u32(set_bits(s->unit));
	EACH_LIMB any->l[i][k] = _mm512_or_si512(any->l[i][k], s->magnitude.l[i][k]);
}

static uint32_t fe_bits(const fe *any) {
	uint64_t limbs[LIMBS] = {0};
	for (int i = 0; i < LIMBS; i++) for (int k = 0; k < VECS; k++) limbs[i] |= (uint64_t)_mm512_reduce_or_epi64(any->l[i][k]);
	return limbs_bits(limbs);
}

static void census(const void *bytes, size_t count, int montgomery, ifma_census *out) {
	fe any = fe_zero();
	ifma_census c = {0, 0, 0};
	for (size_t i = 0; i < count; i += WIDTH) {
		scalars s = scalars_next((const uint8_t *)bytes + SCALAR_BYTES * i, count - i, montgomery);
		census_add(&c, &any, &s);
	}
	c.bits = fe_bits(&any);
	*out = c;
}

// references_keep appends the references of the lanes in set; how many.
INLINE size_t references_keep(uint32_t *to, __m512i refs, lane_set set) {
	__mmask16 bits = (__mmask16)set_bits(set);
	uint32_t kept = (uint32_t)_mm_popcnt_u32(bits);
	_mm512_mask_storeu_epi32(to, (__mmask16)((1u << kept) - 1), _mm512_maskz_compress_epi32(bits, refs));
	return kept;
}

// The rows of limbs of a biased magnitude, and one of zeros that the last window's read may touch.
typedef struct { lanes l[LIMBS + 1][VECS]; } limb_rows;

// digits_window is window w of all lanes, as 16-bit numbers.
INLINE __m256i digits_window(const limb_rows *v, ifma_cut cut, uint32_t w) {
	uint32_t bit = cut.bits * w, limb = bit / LIMB_BITS, offset = bit % LIMB_BITS;
	const lanes mask = lanes_all((1ULL << cut.bits) - 1), down = lanes_all(offset), up = lanes_all(LIMB_BITS - offset);
	__m128i half[VECS];
	EACH_VEC {
		lanes d = _mm512_or_si512(_mm512_srlv_epi64(v->l[limb][k], down), _mm512_sllv_epi64(v->l[limb + 1][k], up));
		half[k] = _mm512_cvtepi64_epi16(_mm512_and_si512(d, mask));
	}
	return _mm256_inserti128_si256(_mm256_castsi128_si256(half[0]), half[1], 1);
}

// cut_bias is half a window's range in every window but the last.
static void cut_bias(uint64_t bias[LIMBS], ifma_cut cut) {
	memset(bias, 0, LIMBS * sizeof *bias);
	for (uint32_t w = 0; w + 1 < cut.windows; w++) {
		uint32_t bit = cut.bits * w + cut.bits - 1;
		bias[bit / LIMB_BITS] |= 1ULL << (bit % LIMB_BITS);
	}
}

static int cut(const void *bytes, size_t first, size_t count, int montgomery, ifma_cut shape, const ifma_census *counted,
               uint32_t *general, uint16_t *digits, size_t stride, uint32_t *units) {
	const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m256i half = _mm256_set1_epi16((short)(1u << (shape.bits - 1)));
	uint64_t bias[LIMBS];
	cut_bias(bias, shape);
	const uint8_t *from = (const uint8_t *)bytes + SCALAR_BYTES * first;
	fe any = fe_zero();
	ifma_census found = {0, 0, 0};
	for (size_t i = 0; i < count; i += WIDTH) {
		scalars s = scalars_next(from + SCALAR_BYTES * i, count - i, montgomery);
		census_add(&found, &any, &s);
		if (found.general > counted->general || found.units > counted->units) return 1;
		__m512i refs = _mm512_add_epi32(ramp, _mm512_set1_epi32((int)(first + i)));
		refs = _mm512_mask_or_epi32(refs, (__mmask16)set_bits(s.negative), refs, _mm512_set1_epi32((int)NEGATED));
		units += references_keep(units, refs, s.unit);
		size_t kept = references_keep(general, refs, s.general);
		general += kept;
		fe biased = fe_normal(fe_bias(s.magnitude, bias));
		limb_rows rows = {0};
		memcpy(rows.l, biased.l, sizeof biased.l);
		__mmask16 lanes_kept = (__mmask16)set_bits(s.general), stored = (__mmask16)((1u << kept) - 1);
		for (uint32_t w = 0; w < shape.windows && kept > 0; w++) {
			__m256i d = digits_window(&rows, shape, w);
			if (w + 1 == shape.windows) d = _mm256_add_epi16(d, half);
			_mm256_mask_storeu_epi16(digits + w * stride, stored, _mm256_maskz_compress_epi16(lanes_kept, d));
		}
		digits += kept;
	}
	return found.general != counted->general || found.units != counted->units || fe_bits(&any) != counted->bits;
}

const ifma_scalars EXPORT = {census, cut};
