// A prime field, WIDTH elements at a time: radix 2^52, Montgomery form with R = 2^(52 LIMBS).
//
// FIELD names the prime (BN254_FP, ...); constants.h holds what follows from it. An element is LIMBS rows of VECS vectors. Two
// vectors go side by side through every operation, because one product alone waits on its own carries.
//
// An element is *normal* when every limb is in [0, 2^52), which a factor of a product must be, and *loose* when its limbs are
// any signed numbers that add up to the value. Values are not reduced: their bounds, in multiples of p, are stated where they
// matter. R/p > 80 for BN254 and > 2^35 for BLS12-381, and a product of a and b is below a b / R + p.
#pragma once
#include "constants.h"
#include "lanes.h"

#define FIELD_(name) CONCAT(FIELD, name)
#define LIMBS FIELD_(_LIMBS)
#define WORDS FIELD_(_WORDS)
#define SHIFT FIELD_(_SHIFT)

#define VECS 2
#define WIDTH (VECS * LANES)
#define EACH_VEC UNROLL for (int k = 0; k < VECS; k++)
#define EACH_LIMB UNROLL for (int i = 0; i < LIMBS; i++) EACH_VEC

typedef struct { lanes l[LIMBS][VECS]; } fe;
typedef struct { __mmask8 m[VECS]; } lane_set; // a subset of the WIDTH lanes

#define FIELD_CONSTANT(name) static const uint64_t name[LIMBS] __attribute__((unused)) = FIELD_(_##name)
FIELD_CONSTANT(P);
FIELD_CONSTANT(P_TWICE);
FIELD_CONSTANT(P_NEG);
FIELD_CONSTANT(LOADED);
FIELD_CONSTANT(BIAS4);
FIELD_CONSTANT(BIAS);
FIELD_CONSTANT(BIAS2);
FIELD_CONSTANT(BIAS4X);
FIELD_CONSTANT(ONE);
FIELD_CONSTANT(R3);
FIELD_CONSTANT(TO_WORDS);
FIELD_CONSTANT(TO_PLAIN);
FIELD_CONSTANT(HALF);

INLINE fe fe_const(const uint64_t c[LIMBS]) {
	fe r;
	EACH_LIMB r.l[i][k] = lanes_all(c[i]);
	return r;
}

INLINE fe fe_zero(void) {
	fe r;
	EACH_LIMB r.l[i][k] = _mm512_setzero_si512();
	return r;
}

// fe_add, fe_sub: limb by limb, nothing carried; loose.
INLINE fe fe_add(fe a, fe b) {
	EACH_LIMB a.l[i][k] = _mm512_add_epi64(a.l[i][k], b.l[i][k]);
	return a;
}

INLINE fe fe_sub(fe a, fe b) {
	EACH_LIMB a.l[i][k] = _mm512_sub_epi64(a.l[i][k], b.l[i][k]);
	return a;
}

// fe_bias adds a multiple of p, to keep a difference positive.
INLINE fe fe_bias(fe a, const uint64_t bias[LIMBS]) { return fe_add(a, fe_const(bias)); }

// fe_normal carries a loose value; one in [0, R) becomes normal, of others the top limb keeps the sign.
INLINE fe fe_normal(fe a) {
	UNROLL for (int i = 0; i + 1 < LIMBS; i++) EACH_VEC {
		a.l[i + 1][k] = _mm512_add_epi64(a.l[i + 1][k], lanes_carry(a.l[i][k]));
		a.l[i][k] = lanes_low52(a.l[i][k]);
	}
	return a;
}

// fe_reduce brings a loose value in [p, R) into [0, 3p), normal: it subtracts q p, where q is the quotient estimated from the
// top limb. The error of q is below 2: one for what the top limb leaves out, one for the fraction that MU leaves out.
INLINE fe fe_reduce(fe a) {
	lanes q[VECS];
	EACH_VEC q[k] = _mm512_madd52hi_epu64(_mm512_setzero_si512(), a.l[LIMBS - 1][k], lanes_all(FIELD_(_MU)));
	EACH_LIMB {
		a.l[i][k] = _mm512_madd52lo_epu64(a.l[i][k], q[k], lanes_all(P_NEG[i]));
		if (i + 1 < LIMBS) a.l[i + 1][k] = _mm512_madd52hi_epu64(a.l[i + 1][k], q[k], lanes_all(P_NEG[i]));
	}
	a = fe_normal(a);
	EACH_VEC a.l[LIMBS - 1][k] = lanes_low52(a.l[LIMBS - 1][k]); // a + q (R - p) = a - q p  (mod R)
	return a;
}

// What a reduction reads: p and -1/p mod 2^52. It is handed on as an address that the compiler knows nothing of, so that the
// products take p from memory (a port that is idle) and do not build it in registers.
typedef struct { uint64_t p[LIMBS], inverse; } modulus;
static const modulus MODULUS = {FIELD_(_P), FIELD_(_P_INV)};

INLINE const modulus *modulus_address(void) {
	const modulus *m = &MODULUS;
	__asm__("" : "+r"(m));
	return m;
}

// A product in progress: LIMBS + 1 columns, shifted down by a limb a step.
typedef struct { lanes l[LIMBS + 1][VECS]; } columns;

INLINE columns columns_zero(void) {
	columns t;
	UNROLL for (int i = 0; i <= LIMBS; i++) EACH_VEC t.l[i][k] = _mm512_setzero_si512();
	return t;
}

// columns_madd adds a times limb of b.
INLINE columns columns_madd(columns t, fe a, const lanes b[VECS]) {
	EACH_LIMB t.l[i][k] = _mm512_madd52lo_epu64(t.l[i][k], a.l[i][k], b[k]);
	EACH_LIMB t.l[i + 1][k] = _mm512_madd52hi_epu64(t.l[i + 1][k], a.l[i][k], b[k]);
	return t;
}

// columns_step is Montgomery's step: adds the multiple q p that clears the lowest limb, and drops that limb.
INLINE columns columns_step(columns t, const modulus *m) {
	lanes q[VECS];
	EACH_VEC q[k] = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t.l[0][k], lanes_all(m->inverse));
	EACH_LIMB t.l[i][k] = _mm512_madd52lo_epu64(t.l[i][k], q[k], lanes_all(m->p[i]));
	EACH_LIMB t.l[i + 1][k] = _mm512_madd52hi_epu64(t.l[i + 1][k], q[k], lanes_all(m->p[i]));
	EACH_VEC t.l[1][k] = _mm512_add_epi64(t.l[1][k], lanes_carry(t.l[0][k]));
	EACH_LIMB t.l[i][k] = t.l[i + 1][k];
	EACH_VEC t.l[LIMBS][k] = _mm512_setzero_si512();
	return t;
}

INLINE fe columns_value(columns t) {
	fe r;
	EACH_LIMB r.l[i][k] = t.l[i][k];
	return r;
}

// What follows works on memory and is called, not inlined: the bodies are long, and elements live in memory anyway.

// fe_mul_loose is a b / R, loose, below a b / R + p; a and b are normal.
static OUTLINE void fe_mul_loose(fe *r, const fe *a, const fe *b) {
	const fe factor = *a;
	const modulus *m = modulus_address();
	columns t = columns_zero();
	UNROLL for (int j = 0; j < LIMBS; j++) t = columns_step(columns_madd(t, factor, b->l[j]), m);
	*r = columns_value(t);
}

// fe_mul is fe_mul_loose, carried.
static OUTLINE void fe_mul(fe *r, const fe *a, const fe *b) {
	const fe factor = *a;
	const modulus *m = modulus_address();
	columns t = columns_zero();
	UNROLL for (int j = 0; j < LIMBS; j++) t = columns_step(columns_madd(t, factor, b->l[j]), m);
	*r = fe_normal(columns_value(t));
}

// fe_dot_loose is (a b + c d) / R, loose, with one reduction.
static OUTLINE void fe_dot_loose(fe *r, const fe *a, const fe *b, const fe *c, const fe *d) {
	const modulus *m = modulus_address();
	columns t = columns_zero();
	UNROLL for (int j = 0; j < LIMBS; j++) t = columns_step(columns_madd(columns_madd(t, *a, b->l[j]), *c, d->l[j]), m);
	*r = columns_value(t);
}

// fe_dot is fe_dot_loose, carried.
INLINE void fe_dot(fe *r, const fe *a, const fe *b, const fe *c, const fe *d) {
	fe_dot_loose(r, a, b, c, d);
	*r = fe_normal(*r);
}

// fe_difference is a - b + bias, normal.
static OUTLINE void fe_difference(fe *r, const fe *a, const fe *b, const uint64_t bias[LIMBS]) {
	*r = fe_normal(fe_bias(fe_sub(*a, *b), bias));
}

// fe_difference_reduced is a - b + bias, normal and below 3p.
static OUTLINE void fe_difference_reduced(fe *r, const fe *a, const fe *b, const uint64_t bias[LIMBS]) {
	*r = fe_reduce(fe_bias(fe_sub(*a, *b), bias));
}

// fe_opposite is bias - a, normal.
static OUTLINE void fe_opposite(fe *r, const fe *a, const uint64_t bias[LIMBS]) { *r = fe_normal(fe_sub(fe_const(bias), *a)); }

// fe_blend is b in the lanes of set, else a.
INLINE fe fe_blend(lane_set set, fe a, fe b) {
	EACH_LIMB a.l[i][k] = _mm512_mask_blend_epi64(set.m[k], a.l[i][k], b.l[i][k]);
	return a;
}

// fe_negate_in is -a in the lanes of set, loose.
INLINE fe fe_negate_in(lane_set set, fe a) {
	EACH_LIMB a.l[i][k] = _mm512_mask_sub_epi64(a.l[i][k], set.m[k], _mm512_setzero_si512(), a.l[i][k]);
	return a;
}

// fe_equals tells the lanes where a normal a is, limb for limb, the constant c.
INLINE lane_set fe_equals(fe a, const uint64_t c[LIMBS]) {
	lane_set same;
	EACH_VEC same.m[k] = 0xff;
	EACH_LIMB same.m[k] &= _mm512_cmpeq_epi64_mask(a.l[i][k], lanes_all(c[i]));
	return same;
}

INLINE lane_set set_or(lane_set a, lane_set b) {
	EACH_VEC a.m[k] |= b.m[k];
	return a;
}

INLINE lane_set set_without(lane_set a, lane_set b) {
	EACH_VEC a.m[k] &= (__mmask8)~b.m[k];
	return a;
}

INLINE lane_set set_and(lane_set a, lane_set b) {
	EACH_VEC a.m[k] &= b.m[k];
	return a;
}

// set_bits has bit i for lane i.
INLINE uint32_t set_bits(lane_set a) {
	uint32_t bits = 0;
	EACH_VEC bits |= (uint32_t)a.m[k] << (LANES * k);
	return bits;
}

// fe_is_zero tells the lanes whose limbs are all zero.
INLINE lane_set fe_is_zero(fe a) {
	static const uint64_t zero[LIMBS];
	return fe_equals(a, zero);
}

// fe_divisible tells the lanes where p divides a loose value in [0, R - p).
INLINE lane_set fe_divisible(fe a) {
	a = fe_reduce(fe_bias(a, P));
	return set_or(fe_is_zero(a), set_or(fe_equals(a, P), fe_equals(a, P_TWICE)));
}

// fe_canonical brings a normal value in [0, 3p) into [0, p).
INLINE fe fe_canonical(fe a) {
	UNROLL for (int times = 0; times < 2; times++) {
		fe less = fe_normal(fe_sub(a, fe_const(P)));
		lane_set fits;
		EACH_VEC fits.m[k] = (__mmask8)~_mm512_movepi64_mask(less.l[LIMBS - 1][k]);
		a = fe_blend(fits, a, less);
	}
	return a;
}

// fe_from_words cuts v 2^shift into limbs, from v's 64-bit words.
INLINE fe fe_from_words(lanes w[WORDS][VECS], int shift) {
	fe r;
	EACH_LIMB {
		int bit = LIMB_BITS * i - shift, word = bit / 64, offset = bit % 64;
		lanes high = word + 1 < WORDS ? w[word + 1][k] : _mm512_setzero_si512();
		lanes cut = bit < 0 ? _mm512_sllv_epi64(w[0][k], lanes_all((uint64_t)-bit))
		                    : _mm512_shrdv_epi64(w[word][k], high, lanes_all((uint64_t)offset));
		r.l[i][k] = lanes_low52(cut);
	}
	return r;
}

// fe_to_words writes the words of a normal value below 2^(64 WORDS), lane by lane: WORDS words every stride words.
INLINE void fe_to_words(uint64_t *out, size_t stride, fe a) {
	uint64_t limb[LIMBS * WIDTH];
	memcpy(limb, &a, sizeof limb);
	for (int lane = 0; lane < WIDTH; lane++) {
		for (int w = 0; w < WORDS; w++) {
			unsigned __int128 bits = 0;
			for (int i = 64 * w / LIMB_BITS, at = i * LIMB_BITS - 64 * w; i < LIMBS && at < 64; i++, at += LIMB_BITS)
				bits |= at < 0 ? (unsigned __int128)limb[i * WIDTH + lane] >> -at : (unsigned __int128)limb[i * WIDTH + lane] << at;
			out[lane * stride + w] = (uint64_t)bits;
		}
	}
}
