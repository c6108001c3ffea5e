// Affine additions in batches: 5 products and a square each, with one inversion for the whole batch (Montgomery's trick).
//
//     slope = (y1 - y2) / (x1 - x2),  x3 = slope^2 - x1 - x2,  y3 = slope (x1 - x3) - y1
//
// The fast path has no branch and assumes that all x1 differ from their x2. A pair with x1 = x2 makes the batch's product zero:
// then add_carefully does the batch again, where doublings, opposite points and infinity have their own rules.
//
// Bounds, in multiples of p, where a loaded x is below L = 2^SHIFT, a loaded y in (-L, L), computed ones in [0, 3):
//     dx < 2L + 4    dy < 4L + 8    slope < 4    x3 before reduction in [4, 2L + 8)    y3 before reduction in [4, 2L + 8).
#pragma once
#include "inverse.h"
#include "points.h"

#define AHEAD 4                              // blocks between a point's prefetch and its use
#define REFERENCES_PAD ((AHEAD + 2) * WIDTH) // references that are written past the end of a batch's

// What the way down leaves for the way back: one entry per WIDTH additions.
typedef struct {
	coord dx, dy;
	fe before; // product of the denominators of all entries before this one
#if DEGREE > 1
	fe norm;
#endif
} pending;

typedef struct {
	const uint8_t *points; // packed points
	point *slots;
	pending *pending;
	int has_infinity; // set where some sum was infinity
} adder;

// Where the operands of a batch are: both packed, both in slots, or the first in the block that gets the sum, the second packed.
enum operands { BOTH_PACKED, BOTH_SLOTS, ONTO_SUM };

// A batch of blocks of WIDTH additions; sums go to consecutive blocks.
typedef struct {
	const uint32_t *left, *right; // references; no left with ONTO_SUM
	size_t count;                 // of additions; with ONTO_SUM the last block's other lanes are left as they are
	point *sums;
} batch;

INLINE size_t batch_blocks(const batch *b) { return (b->count + WIDTH - 1) / WIDTH; }

// batch_load puts block i's first operands where the sums go, and its second in q.
INLINE void batch_load(const adder *a, const batch *b, size_t i, point *q, enum operands from) {
	if (from == BOTH_SLOTS) {
		slot_load(b->sums + i, a->slots, b->left + WIDTH * i);
		slot_load(q, a->slots, b->right + WIDTH * i);
		return;
	}
	if (from == BOTH_PACKED) {
		packed_prefetch(a->points, b->left + WIDTH * (i + AHEAD));
		packed_load(b->sums + i, a->points, b->left + WIDTH * i);
	}
	packed_prefetch(a->points, b->right + WIDTH * (i + AHEAD));
	packed_load(q, a->points, b->right + WIDTH * i);
}

// batch_down multiplies up the denominators.
INLINE void batch_down(const adder *a, const batch *b, fe *product, enum operands from) {
	*product = fe_const(ONE);
	for (size_t i = 0; i < batch_blocks(b); i++) {
		pending *entry = a->pending + i;
		const point *p = b->sums + i;
		point q;
		batch_load(a, b, i, &q, from);
		coord_difference(&entry->dx, &p->x, &q.x, BIAS);
		coord_difference(&entry->dy, &p->y, &q.y, BIAS2);
		entry->before = *product;
#if DEGREE > 1
		fe_mul(product, product, coord_norm(&entry->norm, &entry->dx));
#else
		fe_mul(product, product, coord_norm(NULL, &entry->dx));
#endif
	}
}

// fe_third is square - 2 x1 + dx + L p, which is slope^2 - x1 - x2 mod p, since dx = x1 - x2 + (L + 4) p; reduced.
static OUTLINE void fe_third(fe *r, const fe *square, const fe *x1, const fe *dx) {
	fe both = fe_sub(fe_add(*x1, *x1), *dx);
	*r = fe_reduce(fe_bias(fe_sub(*square, both), LOADED));
}

// point_finish is the sum, given the slope; sum holds the first operand before, and may be the same.
INLINE void point_finish(point *sum, const point *p, const coord *dx, const coord *slope) {
	coord square, x3, back;
	coord_square_loose(&square, slope);
	EACH_PART fe_third(x3.c + d, square.c + d, p->x.c + d, dx->c + d);
	coord_difference(&back, &p->x, &x3, BIAS4);
	coord_mul_loose(&square, slope, &back, BIAS4);
	coord_difference_reduced(&sum->y, &square, &p->y, BIAS);
	sum->x = x3;
}

// set_below is the lanes below count.
INLINE lane_set set_below(size_t count) {
	lane_set set;
	EACH_VEC set.m[k] = (__mmask8)((1u << (count > LANES * (k + 1u) ? LANES : count > LANES * (size_t)k ? count - LANES * k : 0)) - 1);
	return set;
}

INLINE void point_copy_in(point *r, lane_set set, const point *a) {
	coord_copy_in(&r->x, set, &a->x);
	coord_copy_in(&r->y, set, &a->y);
}

// batch_back turns the inverse of the whole product into each addition's, last first, and writes the sums.
INLINE void batch_back(const adder *a, const batch *b, fe *inverse) {
	for (size_t i = batch_blocks(b); i-- > 0;) {
		const pending *entry = a->pending + i;
		fe own;
		coord slope;
		fe_mul(&own, inverse, &entry->before);
#if DEGREE > 1
		fe_mul(inverse, inverse, &entry->norm);
#else
		fe_mul(inverse, inverse, entry->dx.c);
#endif
		coord_quotient(&slope, &entry->dy, &entry->dx, &own, BIAS4X);
		if (b->count >= WIDTH * (i + 1)) {
			point_finish(b->sums + i, b->sums + i, &entry->dx, &slope);
		} else {
			point sum;
			point_finish(&sum, b->sums + i, &entry->dx, &slope);
			point_copy_in(b->sums + i, set_below(b->count - WIDTH * i), &sum);
		}
	}
}

// One block of careful additions: its lanes by what they need, and their slope's parts.
typedef struct {
	point q;
	lane_set keep, take, cancel; // q is infinity: p; p is infinity: q; the sum is infinity
	coord dx, dy, span;          // dx for the slope, and x1 - x2 for the sum
} careful;

// careful_classify sets up the slope dy/dx of every lane; lanes whose result needs no slope get dx = 1.
static OUTLINE void careful_classify(careful *c, const point *p) {
	point settled;
	coord one, square;
	lane_set none1 = coord_is_zero(&p->y), none2 = coord_is_zero(&c->q.y), none = set_or(none1, none2); // no y is 0 else
	coord_difference(&c->dx, &p->x, &c->q.x, BIAS), coord_difference(&c->dy, &p->y, &c->q.y, BIAS2);
	c->span = c->dx;
	lane_set same_x = set_without(coord_divisible(&c->dx), none), doubles = set_and(same_x, coord_divisible(&c->dy));
	point_settle(&settled, p);
	lane_set flat = set_and(doubles, coord_divisible(&settled.y)); // order two: in no group here, but input may be anything
	coord_square_loose(&square, &settled.x);
	coord_triple(&square, &square);
	coord_copy_in(&c->dy, doubles, &square);
	coord_double(&square, &settled.y);
	coord_copy_in(&c->dx, doubles, &square);
	c->keep = set_without(none2, none1), c->take = set_without(none1, none2);
	c->cancel = set_or(set_or(flat, set_without(same_x, doubles)), set_and(none1, none2));
	coord_one(&one);
	coord_copy_in(&c->dx, set_or(c->cancel, none), &one);
}

// careful_finish writes a block's sums to the lanes of valid; the lanes where some were infinity are returned.
static OUTLINE lane_set careful_finish(careful *c, point *p, const fe *inverse, lane_set valid) {
	coord slope;
	point sum, kept;
	coord_quotient(&slope, &c->dy, &c->dx, inverse, BIAS4X);
	point_finish(&sum, p, &c->span, &slope);
	point_settle(&kept, p);
	point_copy_in(&sum, c->keep, &kept);
	point_settle(&kept, &c->q);
	point_copy_in(&sum, c->take, &kept);
	coord_zero(&kept.x), coord_zero(&kept.y);
	point_copy_in(&sum, c->cancel, &kept);
	point_copy_in(p, valid, &sum);
	return set_and(c->cancel, valid);
}

#define CAREFUL_BLOCKS (8 / DEGREE) // they are on the stack

// careful_add does up to CAREFUL_BLOCKS blocks whose operands are loaded.
static OUTLINE void careful_add(adder *a, careful *block, point *sums, size_t blocks, size_t count) {
	fe before[CAREFUL_BLOCKS], product = fe_const(ONE), own, norm;
	for (size_t i = 0; i < blocks; i++) {
		careful_classify(block + i, sums + i);
		before[i] = product;
		fe_mul(&product, &product, coord_norm(&norm, &block[i].dx));
	}
	fe_inverse(&product, &product);
	for (size_t i = blocks; i-- > 0;) {
		fe_mul(&own, &product, before + i);
		fe_mul(&product, &product, coord_norm(&norm, &block[i].dx));
		a->has_infinity |= set_bits(careful_finish(block + i, sums + i, &own, set_below(count - WIDTH * i))) != 0;
	}
}

// add_carefully handles every pair of points, a few blocks to an inversion.
INLINE void add_carefully(adder *a, const batch *b, enum operands from) {
	careful block[CAREFUL_BLOCKS];
	for (size_t start = 0, blocks = batch_blocks(b), some; start < blocks; start += some) {
		some = blocks - start < CAREFUL_BLOCKS ? blocks - start : CAREFUL_BLOCKS;
		for (size_t i = 0; i < some; i++) batch_load(a, b, start + i, &block[i].q, from);
		careful_add(a, block, b->sums + start, some, b->count - WIDTH * start);
	}
}

INLINE void batch_add(adder *a, const batch *b, enum operands from) {
	fe product;
	if (!a->has_infinity) {
		batch_down(a, b, &product, from);
		if (fe_inverse(&product, &product)) {
			batch_back(a, b, &product);
			return;
		}
	}
	add_carefully(a, b, from);
}

// references_pad repeats the last reference to the end of its block, and some blocks more for what is prefetched.
INLINE void references_pad(uint32_t *refs, size_t count) {
	for (size_t i = count; i < count + REFERENCES_PAD; i++) refs[i] = refs[count - 1];
}

// packed_add and slots_add write left[i] + right[i] to slot out + i; out is a multiple of WIDTH. They pad the references.
static OUTLINE void packed_add(adder *a, uint32_t *left, uint32_t *right, size_t count, uint32_t out) {
	if (count == 0) return;
	references_pad(left, count), references_pad(right, count);
	batch_add(a, &(batch){left, right, count, a->slots + out / WIDTH}, BOTH_PACKED);
}

static OUTLINE void slots_add(adder *a, uint32_t *left, uint32_t *right, size_t count, uint32_t out) {
	if (count == 0) return;
	references_pad(left, count), references_pad(right, count);
	batch_add(a, &(batch){left, right, count, a->slots + out / WIDTH}, BOTH_SLOTS);
}

// packed_add_onto adds packed points refs[i] to slot to + i; to is a multiple of WIDTH.
static OUTLINE void packed_add_onto(adder *a, uint32_t *refs, size_t count, uint32_t to) {
	references_pad(refs, count);
	batch_add(a, &(batch){NULL, refs, count, a->slots + to / WIDTH}, ONTO_SUM);
}

// packed_unpack writes packed points refs[i] to slot out + i; out is a multiple of WIDTH.
static OUTLINE void packed_unpack(adder *a, uint32_t *refs, size_t count, uint32_t out) {
	if (count == 0) return;
	references_pad(refs, count);
	for (size_t b = 0; b * WIDTH < count; b++) {
		packed_prefetch(a->points, refs + WIDTH * (b + AHEAD));
		packed_load(a->slots + out / WIDTH + b, a->points, refs + WIDTH * b);
	}
}
