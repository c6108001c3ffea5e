// A coordinate of a point: an element of the base field (DEGREE 1, G1) or of its quadratic extension by u^2 = -1 (DEGREE 2, G2).
//
// Bounds, in multiples of p, with L = 2^SHIFT: a coordinate loaded from memory is below L, one computed here below 3. See batch.h
// for the differences that are formed of them.
#pragma once
#include "field.h"

typedef struct { fe c[DEGREE]; } coord;

#define EACH_PART for (int d = 0; d < DEGREE; d++)

INLINE void coord_zero(coord *r) { EACH_PART r->c[d] = fe_zero(); }

INLINE void coord_one(coord *r) {
	coord_zero(r);
	r->c[0] = fe_const(ONE);
}

// coord_difference is a - b + bias, normal; coord_difference_reduced brings it below 3p.
INLINE void coord_difference(coord *r, const coord *a, const coord *b, const uint64_t bias[LIMBS]) {
	EACH_PART fe_difference(r->c + d, a->c + d, b->c + d, bias);
}

INLINE void coord_difference_reduced(coord *r, const coord *a, const coord *b, const uint64_t bias[LIMBS]) {
	EACH_PART fe_difference_reduced(r->c + d, a->c + d, b->c + d, bias);
}

// coord_settle is a + bias, normal and below 3p.
INLINE void coord_settle(coord *r, const coord *a, const uint64_t bias[LIMBS]) {
	EACH_PART r->c[d] = fe_reduce(fe_bias(a->c[d], bias));
}

// coord_triple and coord_double are 3 a and 2 a, normal.
INLINE void coord_triple(coord *r, const coord *a) { EACH_PART r->c[d] = fe_normal(fe_add(a->c[d], fe_add(a->c[d], a->c[d]))); }
INLINE void coord_double(coord *r, const coord *a) { EACH_PART r->c[d] = fe_normal(fe_add(a->c[d], a->c[d])); }

// coord_copy_in copies a to the lanes of set.
INLINE void coord_copy_in(coord *r, lane_set set, const coord *a) { EACH_PART r->c[d] = fe_blend(set, r->c[d], a->c[d]); }

INLINE lane_set coord_divisible(const coord *a) {
	lane_set all = fe_divisible(a->c[0]);
	for (int d = 1; d < DEGREE; d++) all = set_and(all, fe_divisible(a->c[d]));
	return all;
}

INLINE lane_set coord_is_zero(const coord *a) {
	lane_set all = fe_is_zero(a->c[0]);
	for (int d = 1; d < DEGREE; d++) all = set_and(all, fe_is_zero(a->c[d]));
	return all;
}

// In what follows bias is a multiple of p above the first factor, and results are loose where the name says so.
#if DEGREE == 1

INLINE void coord_mul_loose(coord *r, const coord *a, const coord *b, const uint64_t bias[LIMBS]) {
	(void)bias;
	fe_mul_loose(r->c, a->c, b->c);
}

// coord_square_loose is a^2, given a below 4p.
INLINE void coord_square_loose(coord *r, const coord *a) { fe_mul_loose(r->c, a->c, a->c); }

// coord_norm is what is inverted in the base field for 1/a.
INLINE const fe *coord_norm(fe *room, const coord *a) {
	(void)room;
	return a->c;
}

// coord_quotient is b/a, normal, given 1/norm(a); bias is a multiple of p above b.
INLINE void coord_quotient(coord *r, const coord *b, const coord *a, const fe *inverse, const uint64_t bias[LIMBS]) {
	(void)a, (void)bias;
	fe_mul(r->c, b->c, inverse);
}

#else

INLINE void coord_mul_loose(coord *r, const coord *a, const coord *b, const uint64_t bias[LIMBS]) {
	fe minus;
	fe_opposite(&minus, a->c + 1, bias);
	fe_dot_loose(r->c, a->c, b->c, &minus, b->c + 1);
	fe_dot_loose(r->c + 1, a->c, b->c + 1, a->c + 1, b->c);
}

// (a + b u)^2 = (a + b)(a - b) + 2 a b u.
INLINE void coord_square_loose(coord *r, const coord *a) {
	fe sum = fe_normal(fe_add(a->c[0], a->c[1])), difference;
	fe_difference(&difference, a->c, a->c + 1, BIAS4);
	fe_mul_loose(r->c, &sum, &difference);
	fe_mul_loose(r->c + 1, a->c, a->c + 1);
	r->c[1] = fe_add(r->c[1], r->c[1]);
}

// 1/(a + b u) = (a - b u) / (a^2 + b^2).
INLINE const fe *coord_norm(fe *room, const coord *a) {
	fe_dot(room, a->c, a->c, a->c + 1, a->c + 1);
	return room;
}

INLINE void coord_quotient(coord *r, const coord *b, const coord *a, const fe *inverse, const uint64_t bias[LIMBS]) {
	fe real, minus, opposite;
	fe_mul(&real, a->c, inverse);
	fe_mul(&minus, a->c + 1, inverse);
	fe_opposite(&opposite, b->c, bias);
	fe_dot(r->c, b->c, &real, b->c + 1, &minus);
	fe_dot(r->c + 1, b->c + 1, &real, &opposite, &minus);
}

#endif
