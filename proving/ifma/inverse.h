// One inversion for all lanes: their product is inverted as a plain integer, and each lane multiplied by the others' product.
#pragma once
#include "field.h"

typedef unsigned __int128 uint128;
typedef __int128 int128;

// Rows of the transition matrix that INNER steps of the binary GCD apply to (a, b); entries are at most 2^INNER in size.
#define INNER 31
typedef struct { int64_t f, g; } row;

static const uint64_t P_PLAIN[WORDS] = FIELD_(_P_WORDS);

// words_approximate keeps the low INNER bits and the high 64 - INNER bits of v below bit n.
INLINE uint64_t words_approximate(const uint64_t v[WORDS], int n) {
	int bit = n - (64 - INNER), word = bit / 64, offset = bit % 64;
	uint64_t high = v[word] >> offset;
	if (offset > 0 && word + 1 < WORDS) high |= v[word + 1] << (64 - offset);
	return (high << INNER) | (v[0] & ((1ULL << INNER) - 1));
}

// words_bits is the bit length of a | b, at least 64.
INLINE int words_bits(const uint64_t a[WORDS], const uint64_t b[WORDS]) {
	int top = WORDS - 1;
	while (top > 0 && (a[top] | b[top]) == 0) top--;
	return top == 0 ? 64 : 64 * top + 64 - (int)_lzcnt_u64(a[top] | b[top]);
}

// gcd_steps runs INNER steps of the binary GCD on approximations of a and b (Pornin, eprint 2020/972, algorithm 2).
INLINE void gcd_steps(uint64_t a, uint64_t b, row *ra, row *rb) {
	row x = {1, 0}, y = {0, 1};
	for (int i = 0; i < INNER; i++) {
		uint64_t odd = -(a & 1), swap = odd & -(uint64_t)(a < b);
		uint64_t d = (a ^ b) & swap, f = (uint64_t)(x.f ^ y.f) & swap, g = (uint64_t)(x.g ^ y.g) & swap;
		a ^= d, b ^= d, x.f ^= (int64_t)f, y.f ^= (int64_t)f, x.g ^= (int64_t)g, y.g ^= (int64_t)g;
		a = (a - (b & odd)) >> 1;
		x.f -= y.f & (int64_t)odd, x.g -= y.g & (int64_t)odd;
		y.f += y.f, y.g += y.g;
	}
	*ra = x, *rb = y;
}

// words_combine is a f + b g in WORDS + 1 words, two's complement.
INLINE void words_combine(uint64_t out[WORDS + 1], const uint64_t a[WORDS], const uint64_t b[WORDS], row r) {
	int128 carry = 0;
	for (int i = 0; i < WORDS; i++) { // a f, with a's words unsigned and f signed
		uint128 low = (uint128)a[i] * (uint64_t)r.f, more = (uint128)b[i] * (uint64_t)r.g;
		int128 t = (int128)low - (r.f < 0 ? (int128)((uint128)a[i] << 64) : 0);
		int128 u = (int128)more - (r.g < 0 ? (int128)((uint128)b[i] << 64) : 0);
		uint128 sum = (uint128)(uint64_t)t + (uint64_t)u + (uint64_t)carry;
		out[i] = (uint64_t)sum;
		carry = (t >> 64) + (u >> 64) + (carry >> 64) + (int128)(sum >> 64);
	}
	out[WORDS] = (uint64_t)carry;
}

INLINE void words_shift_down(uint64_t out[WORDS], const uint64_t in[WORDS + 1]) {
	for (int i = 0; i < WORDS; i++) out[i] = in[i] >> INNER | in[i + 1] << (64 - INNER);
}

// words_add_p adds p where mask is all ones, nothing where it is zero.
INLINE void words_add_p(uint64_t a[WORDS], uint64_t mask) {
	uint64_t carry = 0;
	for (int i = 0; i < WORDS; i++) {
		uint128 s = (uint128)a[i] + (P_PLAIN[i] & mask) + carry;
		a[i] = (uint64_t)s, carry = (uint64_t)(s >> 64);
	}
}

// words_subtract_p subtracts p unless that is negative.
INLINE void words_subtract_p(uint64_t a[WORDS]) {
	uint64_t less[WORDS], borrow = 0;
	for (int i = 0; i < WORDS; i++) {
		uint128 s = (uint128)a[i] - P_PLAIN[i] - borrow;
		less[i] = (uint64_t)s, borrow = (uint64_t)(s >> 64) & 1;
	}
	if (!borrow) memcpy(a, less, sizeof less);
}

// gcd_update is (a f + b g) / 2^INNER, exact; where that is negative, its opposite, and the row changes sign with it.
INLINE void gcd_update(uint64_t out[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS], row *r) {
	uint64_t t[WORDS + 1];
	words_combine(t, a, b, *r);
	if ((int64_t)t[WORDS] < 0) {
		r->f = -r->f, r->g = -r->g;
		words_combine(t, a, b, *r);
	}
	words_shift_down(out, t);
}

// words_modular is (u f + v g) / 2^INNER mod p, in [0, p].
INLINE void words_modular(uint64_t out[WORDS], const uint64_t u[WORDS], const uint64_t v[WORDS], row r) {
	uint64_t t[WORDS + 1];
	words_combine(t, u, v, r);
	uint64_t q = (t[0] * FIELD_(_P_INV31)) & ((1ULL << INNER) - 1), carry = 0;
	for (int i = 0; i < WORDS; i++) {
		uint128 s = (uint128)P_PLAIN[i] * q + t[i] + carry;
		t[i] = (uint64_t)s, carry = (uint64_t)(s >> 64);
	}
	t[WORDS] += carry;
	words_shift_down(out, t);
	words_add_p(out, (uint64_t)((int64_t)t[WORDS] >> 63));
	words_subtract_p(out);
}

// words_inverse is 1/a mod p, in [0, p]; 0 for a multiple of p. a is below 4p.
static void words_inverse(uint64_t out[WORDS], const uint64_t value[WORDS]) {
	uint64_t a[WORDS], b[WORDS], u[WORDS] = {1}, v[WORDS] = {0};
	memcpy(a, value, sizeof a), memcpy(b, P_PLAIN, sizeof b);
	for (int done = 0; done < 2 * 64 * WORDS - 2; done += INNER) {
		uint64_t a2[WORDS], b2[WORDS], u2[WORDS], v2[WORDS], left = 0;
		for (int i = 0; i < WORDS; i++) left |= a[i];
		if (left == 0) break;
		int n = words_bits(a, b);
		row ra, rb;
		gcd_steps(words_approximate(a, n), words_approximate(b, n), &ra, &rb);
		gcd_update(a2, a, b, &ra), gcd_update(b2, a, b, &rb);
		words_modular(u2, u, v, ra), words_modular(v2, u, v, rb);
		memcpy(a, a2, sizeof a), memcpy(b, b2, sizeof b), memcpy(u, u2, sizeof u), memcpy(v, v2, sizeof v);
	}
	memcpy(out, v, sizeof v);
}

// fe_rotate moves lane i to lane i ^ step.
INLINE void fe_rotate(fe *r, const fe *a, int step) {
	EACH_LIMB {
		if (step == 8) r->l[i][k] = a->l[i][k ^ (VECS - 1)];
		else if (step == 4) r->l[i][k] = _mm512_shuffle_i64x2(a->l[i][k], a->l[i][k], 0x4e);
		else if (step == 2) r->l[i][k] = _mm512_shuffle_i64x2(a->l[i][k], a->l[i][k], 0xb1);
		else r->l[i][k] = _mm512_shuffle_epi32(a->l[i][k], 0x4e);
	}
}

// limbs_to_words and words_to_limbs change the radix of one number, below 2^(64 WORDS).
static void limbs_to_words(uint64_t words[WORDS], const uint64_t limbs[LIMBS]) {
	uint128 bits = 0;
	int have = 0, word = 0;
	for (int i = 0; i < LIMBS && word < WORDS; i++, have += LIMB_BITS) {
		bits |= (uint128)limbs[i] << have;
		if (have + LIMB_BITS >= 64) words[word++] = (uint64_t)bits, bits >>= 64, have -= 64;
	}
	if (word < WORDS) words[word] = (uint64_t)bits;
}

static void words_to_limbs(uint64_t limbs[LIMBS], const uint64_t words[WORDS]) {
	for (int i = 0; i < LIMBS; i++) {
		int word = LIMB_BITS * i / 64, offset = LIMB_BITS * i % 64;
		uint64_t high = offset > 0 && word + 1 < WORDS ? words[word + 1] << (64 - offset) : 0;
		limbs[i] = word < WORDS ? (words[word] >> offset | high) & LIMB_MASK : 0;
	}
}

// fe_lane is the limbs of lane 0.
static void fe_lane(uint64_t limbs[LIMBS], const fe *a) {
	UNROLL for (int i = 0; i < LIMBS; i++) limbs[i] = (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(a->l[i][0]));
}

// fe_inverse is 1/a lane by lane, below 2p, given a below 2p; it returns 0, and garbage, where some lane is zero mod p.
static OUTLINE int fe_inverse(fe *r, const fe *a) {
	fe all = *a, far, others = fe_const(ONE);
	uint64_t words[WORDS], limbs[LIMBS];
#define COMBINE(step) fe_rotate(&far, &all, step), fe_mul(&others, &others, &far), fe_mul(&all, &all, &far)
	COMBINE(8), COMBINE(4), COMBINE(2), COMBINE(1);
	fe_lane(limbs, &all);
	limbs_to_words(words, limbs);
	words_inverse(words, words);
	words_to_limbs(limbs, words);
	fe inverse = fe_const(limbs), cube = fe_const(R3);
	fe_mul(&inverse, &inverse, &cube);
	fe_mul(r, &inverse, &others);
	return !fe_divisible(all).m[0];
}
