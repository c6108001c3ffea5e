// A coordinate of a point: an element of the base field (DEGREE 1, G1) or of its quadratic extension by u^2 = -1 (DEGREE 2, G2).
//
// Bounds, in multiples of p, with s = SHIFT: a coordinate loaded from memory is below 2^s, one computed here below 3. See batch.h
// for the differences that are formed of them, and notes/ifma.md for the check that all of them stay below R/p.
#pragma once
#include "field.h"

typedef struct { fe c[DEGREE]; } coord;

#define EACH_PART UNROLL for (int d = 0; d < DEGREE; d++)

#define COORD_MAP(expression) \
	coord r; \
	EACH_PART r.c[d] = (expression); \
	return r

INLINE coord coord_zero(void) { COORD_MAP(fe_zero()); }
INLINE coord coord_add(coord a, coord b) { COORD_MAP(fe_add(a.c[d], b.c[d])); }
INLINE coord coord_sub(coord a, coord b) { COORD_MAP(fe_sub(a.c[d], b.c[d])); }
INLINE coord coord_bias(coord a, const uint64_t bias[LIMBS]) { COORD_MAP(fe_bias(a.c[d], bias)); }
INLINE coord coord_normal(coord a) { COORD_MAP(fe_normal(a.c[d])); }
INLINE coord coord_reduce(coord a) { COORD_MAP(fe_reduce(a.c[d])); }
INLINE coord coord_blend(lane_set set, coord a, coord b) { COORD_MAP(fe_blend(set, a.c[d], b.c[d])); }
INLINE coord coord_negate_in(lane_set set, coord a) { COORD_MAP(fe_negate_in(set, a.c[d])); }

INLINE lane_set coord_divisible(coord a) {
	lane_set all = fe_divisible(a.c[0]);
	UNROLL for (int d = 1; d < DEGREE; d++) all = set_and(all, fe_divisible(a.c[d]));
	return all;
}

INLINE lane_set coord_is_zero(coord a) {
	lane_set all = fe_is_zero(a.c[0]);
	UNROLL for (int d = 1; d < DEGREE; d++) all = set_and(all, fe_is_zero(a.c[d]));
	return all;
}

#if DEGREE == 1

INLINE coord coord_const(const uint64_t c[LIMBS]) { return (coord){{fe_const(c)}}; }

// coord_mul is a b, loose; bias is a multiple of p above a.
INLINE coord coord_mul(coord a, coord b, const uint64_t bias[LIMBS]) {
	(void)bias;
	return (coord){{fe_mul(a.c[0], b.c[0])}};
}

// coord_square is a^2, loose, given a below 4p.
INLINE coord coord_square(coord a) { return (coord){{fe_mul(a.c[0], a.c[0])}}; }

// coord_norm is what is inverted in the base field for 1/a.
INLINE fe coord_norm(coord a) { return a.c[0]; }

// coord_quotient is b/a, loose, given 1/norm(a); bias is a multiple of p above b.
INLINE coord coord_quotient(coord b, coord a, fe inverse, const uint64_t bias[LIMBS]) {
	(void)a, (void)bias;
	return (coord){{fe_mul(b.c[0], inverse)}};
}

#else

INLINE coord coord_const(const uint64_t c[LIMBS]) { return (coord){{fe_const(c), fe_zero()}}; }

INLINE fe fe_opposite(fe a, const uint64_t bias[LIMBS]) { return fe_normal(fe_sub(fe_const(bias), a)); }

INLINE coord coord_mul(coord a, coord b, const uint64_t bias[LIMBS]) {
	fe minus = fe_opposite(a.c[1], bias);
	return (coord){{fe_dot(a.c[0], b.c[0], minus, b.c[1]), fe_dot(a.c[0], b.c[1], a.c[1], b.c[0])}};
}

// (a + b u)^2 = (a + b)(a - b) + 2 a b u.
INLINE coord coord_square(coord a) {
	fe sum = fe_normal(fe_add(a.c[0], a.c[1])), difference = fe_normal(fe_bias(fe_sub(a.c[0], a.c[1]), BIAS4));
	fe product = fe_mul(a.c[0], a.c[1]);
	return (coord){{fe_mul(sum, difference), fe_add(product, product)}};
}

// 1/(a + b u) = (a - b u) / (a^2 + b^2).
INLINE fe coord_norm(coord a) { return fe_normal(fe_dot(a.c[0], a.c[0], a.c[1], a.c[1])); }

INLINE coord coord_quotient(coord b, coord a, fe inverse, const uint64_t bias[LIMBS]) {
	fe real = fe_mul_normal(a.c[0], inverse), minus = fe_mul_normal(a.c[1], inverse);
	fe opposite = fe_opposite(b.c[0], bias);
	return (coord){{fe_dot(b.c[0], real, b.c[1], minus), fe_dot(b.c[1], real, opposite, minus)}};
}

#endif
