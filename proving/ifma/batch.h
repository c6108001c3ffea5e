// Affine additions in batches: 5 products and a square each, with one inversion for the whole batch (Montgomery's trick).
//
//     slope = (y2 - y1) / (x2 - x1),  x3 = slope^2 - x1 - x2,  y3 = slope (x1 - x3) - y1
//
// The fast path has no branch and assumes that all x1 differ from their x2. A pair with x1 = x2 makes the batch's product zero:
// then batch_add_careful does the batch again, where doublings, opposite points and infinity have their own rules.
//
// Bounds, in multiples of p, where a loaded x is below L = 2^SHIFT, a loaded y in (-L, L), computed ones in [0, 3):
//     dx < 2L + 4    dy < 4L + 8    slope < 4    x3 before reduction in [4, 2L + 8)    y3 before reduction in [4, 2L + 8).
#pragma once
#include "inverse.h"
#include "points.h"

// What the way down leaves for the way back: one entry per WIDTH additions.
typedef struct {
	coord x1, y1, dx, dy;
	fe before; // product of the denominators of all entries before this one
#if DEGREE > 1
	fe denominator;
#endif
} pending;

typedef struct {
	const uint8_t *points; // packed points, or NULL where the operands are slots
	slot_block *slots;
	pending *pending;
	int has_infinity; // set where some sum was infinity
} adder;

INLINE point operand_load(const adder *a, const uint32_t *refs, int packed) {
	return packed ? packed_load(a->points, refs) : slot_load(a->slots, refs);
}

INLINE coord difference_x(point p, point q) { return coord_normal(coord_bias(coord_sub(p.x, q.x), BIAS)); }

// difference_y has the sign of difference_x: y1 - y2.
INLINE coord difference_y(point p, point q) { return coord_normal(coord_bias(coord_sub(p.y, q.y), BIAS2)); }

// sum_finish is the sum, given the slope and x1 + x2 loose.
INLINE point sum_finish(coord slope, coord x1, coord y1, coord both) {
	coord x3 = coord_reduce(coord_bias(coord_sub(coord_square(slope), both), BIAS2));
	coord back = coord_normal(coord_bias(coord_sub(x1, x3), BIAS4));
	return (point){x3, coord_reduce(coord_bias(coord_sub(coord_mul(slope, back, BIAS4), y1), BIAS))};
}

#if DEGREE == 1
#define DENOMINATOR(entry) ((entry)->dx.c[0])
#else
#define DENOMINATOR(entry) ((entry)->denominator)
#endif

// batch_down multiplies up the denominators of `blocks` blocks of additions.
INLINE fe batch_down(const adder *a, const uint32_t *left, const uint32_t *right, size_t blocks, int packed) {
	fe product = fe_const(ONE);
	for (size_t b = 0; b < blocks; b++) {
		pending *entry = a->pending + b;
		if (packed) packed_prefetch(a->points, left + WIDTH * (b + 2)), packed_prefetch(a->points, right + WIDTH * (b + 2));
		point p = operand_load(a, left + WIDTH * b, packed), q = operand_load(a, right + WIDTH * b, packed);
		entry->x1 = p.x, entry->y1 = p.y;
		entry->dx = difference_x(p, q), entry->dy = difference_y(p, q);
		fe denominator = coord_norm(entry->dx);
#if DEGREE > 1
		entry->denominator = denominator;
#endif
		entry->before = product;
		product = fe_mul_normal(product, denominator);
	}
	return product;
}

// batch_back turns the inverse of the whole product into each addition's, last first, and writes the sums.
INLINE void batch_back(const adder *a, fe inverse, size_t blocks, slot_block *out) {
	for (size_t b = blocks; b-- > 0;) {
		const pending *entry = a->pending + b;
		fe own = fe_mul_normal(inverse, entry->before);
		inverse = fe_mul_normal(inverse, DENOMINATOR(entry));
		coord slope = coord_normal(coord_quotient(entry->dy, entry->dx, own, BIAS4X));
		coord both = coord_sub(coord_bias(coord_add(entry->x1, entry->x1), BIAS), entry->dx);
		out[b] = sum_finish(slope, entry->x1, entry->y1, both);
	}
}

// point_settle brings an operand into slot form.
INLINE point point_settle(point p) {
	return (point){coord_reduce(coord_bias(p.x, BIAS4)), coord_reduce(coord_bias(p.y, BIAS))};
}

// One block of careful additions: which lanes are special, and their operands.
typedef struct {
	point p, q;
	lane_set first, second, cancels; // q is infinity: p; p is infinity: q; p = -q
	coord dx, dy;
} careful;

// careful_classify sets up the slope dy/dx of every lane; lanes whose result needs no slope get dx = 1.
INLINE void careful_classify(careful *c) {
	lane_set none1 = coord_is_zero(c->p.y), none2 = coord_is_zero(c->q.y); // no point of odd order has y = 0
	c->dx = difference_x(c->p, c->q), c->dy = difference_y(c->p, c->q);
	lane_set same_x = set_without(coord_divisible(c->dx), set_or(none1, none2));
	lane_set doubles = set_and(same_x, coord_divisible(c->dy));
	point p = point_settle(c->p);
	lane_set flat = set_and(doubles, coord_divisible(p.y)); // order two: not in the groups, but input may be anything
	coord square = coord_square(p.x), triple = coord_normal(coord_add(square, coord_add(square, square)));
	c->dx = coord_blend(doubles, c->dx, coord_normal(coord_add(p.y, p.y)));
	c->dy = coord_blend(doubles, c->dy, triple);
	c->first = none2, c->second = none1;
	c->cancels = set_or(flat, set_without(same_x, doubles));
	c->dx = coord_blend(set_or(c->cancels, set_or(none1, none2)), c->dx, coord_const(ONE));
}

INLINE point point_blend(lane_set set, point a, point b) {
	return (point){coord_blend(set, a.x, b.x), coord_blend(set, a.y, b.y)};
}

#define CAREFUL_BLOCKS 16

// batch_add_careful handles every pair of points, a few blocks to an inversion.
INLINE void batch_add_careful(adder *a, const uint32_t *left, const uint32_t *right, size_t blocks, slot_block *out, int packed) {
	careful block[CAREFUL_BLOCKS];
	fe before[CAREFUL_BLOCKS];
	for (size_t start = 0; start < blocks; start += CAREFUL_BLOCKS) {
		size_t count = blocks - start < CAREFUL_BLOCKS ? blocks - start : CAREFUL_BLOCKS;
		fe product = fe_const(ONE);
		for (size_t b = 0; b < count; b++) {
			careful *c = block + b;
			c->p = operand_load(a, left + WIDTH * (start + b), packed);
			c->q = operand_load(a, right + WIDTH * (start + b), packed);
			careful_classify(c);
			before[b] = product;
			product = fe_mul_normal(product, coord_norm(c->dx));
		}
		int zero;
		fe inverse = fe_inverse(product, &zero);
		for (size_t b = count; b-- > 0;) {
			careful *c = block + b;
			fe own = fe_mul_normal(inverse, before[b]);
			inverse = fe_mul_normal(inverse, coord_norm(c->dx));
			coord slope = coord_normal(coord_quotient(c->dy, c->dx, own, BIAS4X));
			point sum = sum_finish(slope, c->p.x, c->p.y, coord_add(c->p.x, c->q.x));
			sum = point_blend(c->second, sum, point_settle(c->q));
			sum = point_blend(c->first, sum, point_settle(c->p));
			lane_set infinite = set_or(c->cancels, set_and(c->first, c->second));
			out[start + b] = point_blend(infinite, sum, (point){coord_zero(), coord_zero()});
			a->has_infinity |= set_bits(infinite) != 0;
		}
	}
}

// references_pad repeats the last pair to the end of its block, and some blocks more for what is prefetched.
INLINE void references_pad(uint32_t *left, uint32_t *right, size_t count) {
	for (size_t i = count; i < count + 4 * WIDTH; i++) left[i] = left[count - 1], right[i] = right[count - 1];
}

// batch_add writes left[i] + right[i] to slot out + i; out is a multiple of WIDTH. It pads left and right.
INLINE void batch_add(adder *a, uint32_t *left, uint32_t *right, size_t count, uint32_t out, int packed) {
	if (count == 0) return;
	references_pad(left, right, count);
	size_t blocks = (count + WIDTH - 1) / WIDTH;
	slot_block *to = a->slots + out / WIDTH;
	if (!a->has_infinity) {
		int zero;
		fe inverse = fe_inverse(batch_down(a, left, right, blocks, packed), &zero);
		if (!zero) {
			batch_back(a, inverse, blocks, to);
			return;
		}
	}
	batch_add_careful(a, left, right, blocks, to, packed);
}

static __attribute__((noinline)) void packed_add(adder *a, uint32_t *left, uint32_t *right, size_t count, uint32_t out) {
	batch_add(a, left, right, count, out, 1);
}

static __attribute__((noinline)) void slots_add(adder *a, uint32_t *left, uint32_t *right, size_t count, uint32_t out) {
	batch_add(a, left, right, count, out, 0);
}

// packed_unpack writes packed points refs[i] to slot out + i; out is a multiple of WIDTH.
static __attribute__((noinline)) void packed_unpack(adder *a, uint32_t *refs, size_t count, uint32_t out) {
	if (count == 0) return;
	references_pad(refs, refs, count);
	for (size_t b = 0; b * WIDTH < count; b++) a->slots[out / WIDTH + b] = point_settle(packed_load(a->points, refs + WIDTH * b));
}
