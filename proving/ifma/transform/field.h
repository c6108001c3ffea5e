// Eight scalars at a time: radix 2^52, five limbs, Montgomery products with R = 2^260.
//
// Limbs are never negative. Scalars are *normal* when every limb is below 2^52, which the factors of a product must be, and
// *loose* when limbs merely add up to the value. Values are not reduced: bounds are multiples of p, and stated. R is 84 p for
// BN254 and 35 p for BLS12-381.
#pragma once
#include "lanes.h"

typedef struct { lanes l[LIMBS]; } scalars;
typedef transform_field field;

INLINE scalars scalars_all(const uint64_t limbs[LIMBS]) {
	scalars r;
	EACH_LIMB r.l[i] = lanes_all(limbs[i]);
	return r;
}

// scalars_add: limb by limb; loose.
INLINE scalars scalars_add(scalars a, scalars b) {
	EACH_LIMB a.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
	return a;
}

// scalars_sub is a - b + (2^k + 1) p for b below (2^k + 1) p with limbs below 2^(57+k); loose.
INLINE scalars scalars_sub(const field *f, scalars a, scalars b, int k) {
	EACH_LIMB a.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], lanes_all(f->bias[k][i])), b.l[i]);
	return a;
}

// scalars_normal carries; the top limb keeps what is above.
INLINE scalars scalars_normal(scalars a) {
	UNROLL for (int i = 0; i + 1 < LIMBS; i++) {
		a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], lanes_carry(a.l[i]));
		a.l[i] = lanes_low52(a.l[i]);
	}
	return a;
}

// scalars_mul is a b / R, below a b / R + p; loose, limbs below 2^57. All columns of the product come first. Then each of the lower
// ones becomes a multiple of 2^52 when q p is added, hence is rounded up to one, which need not wait for q; the chain from a q to
// the next is two multiplications and an addition.
INLINE scalars scalars_mul(const field *f, scalars a, scalars b) {
	lanes t[2 * LIMBS];
	const lanes zero = _mm512_setzero_si512(), round = lanes_all((1ULL << LIMB_BITS) - 1);
	UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = zero;
	UNROLL for (int j = 0; j < LIMBS; j++) {
		EACH_LIMB t[i + j] = _mm512_madd52lo_epu64(t[i + j], a.l[i], b.l[j]);
		EACH_LIMB t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a.l[i], b.l[j]);
	}
	UNROLL for (int j = 0; j < LIMBS; j++) {
		const lanes q = _mm512_madd52lo_epu64(zero, t[j], lanes_all(f->minus_inverse));
		const lanes carry = lanes_carry(_mm512_add_epi64(t[j], round));
		t[j + 1] = _mm512_madd52lo_epu64(t[j + 1], q, lanes_all(f->p[1]));
		t[j + 1] = _mm512_add_epi64(t[j + 1], _mm512_madd52hi_epu64(carry, q, lanes_all(f->p[0])));
		UNROLL for (int i = 2; i < LIMBS; i++) t[i + j] = _mm512_madd52lo_epu64(t[i + j], q, lanes_all(f->p[i]));
		UNROLL for (int i = 1; i < LIMBS; i++) t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], q, lanes_all(f->p[i]));
	}
	scalars r;
	EACH_LIMB r.l[i] = t[LIMBS + i];
	return r;
}

// scalars_reduce brings a loose value below 2^12 p, limbs below 2^62, into [0, p + p/2^30): it subtracts q p, where q is the
// quotient estimated from the top limb, never too large. Normal.
INLINE scalars scalars_reduce(const field *f, scalars a) {
	const lanes top = _mm512_srli_epi64(a.l[LIMBS - 1], 8); // a / 2^216
	const lanes q = _mm512_srli_epi64(_mm512_madd52hi_epu64(_mm512_setzero_si512(), top, lanes_all(f->quotient)), 36);
	EACH_LIMB a.l[i] = _mm512_madd52lo_epu64(a.l[i], q, lanes_all(f->complement[i]));
	UNROLL for (int i = 0; i + 1 < LIMBS; i++) a.l[i + 1] = _mm512_madd52hi_epu64(a.l[i + 1], q, lanes_all(f->complement[i]));
	a = scalars_normal(a);
	a.l[LIMBS - 1] = lanes_low52(a.l[LIMBS - 1]); // a + q (R - p) = a - q p  (mod R)
	return a;
}

// scalars_canonical brings a normal value below 2p into [0, p).
INLINE scalars scalars_canonical(const field *f, scalars a) {
	scalars less = scalars_normal(scalars_add(a, scalars_all(f->complement)));
	const __mmask8 fits = _mm512_test_epi64_mask(less.l[LIMBS - 1], lanes_all(1ULL << LIMB_BITS));
	less.l[LIMBS - 1] = lanes_low52(less.l[LIMBS - 1]);
	EACH_LIMB a.l[i] = _mm512_mask_blend_epi64(fits, a.l[i], less.l[i]);
	return a;
}
