//go:build amd64

// The narrow stages, in blocks of eight elements: eight neighbouring blocks make a group, lane i holding block i of it, so that
// butterflies join whole vectors here too. Lanes differ in their twiddle factors then. Those of group c are
// T[(8c + i) 2^j + b] = T[8c 2^j] T[i 2^j + b]: a scalar of the group times a vector that all groups share.
#include "lanes.h"
#include "stages.h"
#include "twiddles.h"

#define BLOCK 8 // elements
#define DEPTH 3 // log of it
#define GROUP (BLOCK * LANES)

static const uint64_t ramp_values[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};

// shared is the part of the factors that all groups share: place p of a heap of twice its size, whose upper half are the T[8i + b].
typedef struct { scalars place[2 * BLOCK]; } shared;

static void shared_fill(const field *f, const twiddles *t, shared *s) {
	const lanes ramp = _mm512_loadu_si512(ramp_values);
	for (uint64_t p = 1; p < 2 * BLOCK; p++) s->place[p] = heap_twiddles(f, t, ramp, lanes_all(p));
}

// own is the part of a group's factors that its lanes share: T[8c 2^j] for j up to DEPTH.
typedef struct { uint64_t limb[LIMBS][LANES]; } own;

static void own_fill(const field *f, const twiddles *t, own *o, size_t group) {
	const lanes j = _mm512_min_epi64(_mm512_loadu_si512(ramp_values), lanes_all(DEPTH));
	const scalars s = twiddles_at(f, t, _mm512_sllv_epi64(lanes_all(LANES * group), j));
	memcpy(o->limb, &s, sizeof o->limb);
}

INLINE scalars own_scalar(const own *o, int j) {
	scalars s;
	EACH_LIMB s.l[i] = lanes_all(o->limb[i][j]);
	return s;
}

// heap_fill makes a group's factors for the stages.
static void heap_fill(const field *f, scalars w[BLOCK], const shared *s, const own *o) {
	for (int j = 0; j < DEPTH; j++) {
		const scalars mine = own_scalar(o, j);
		for (int p = 1 << j; p < 2 << j; p++) w[p] = scalars_normal(scalars_mul(f, s->place[p], mine));
	}
}

// scale multiplies all by a number.
static void scale(const field *f, scalars v[BLOCK], scalars by) {
	for (int i = 0; i < BLOCK; i++) v[i] = scalars_mul(f, scalars_normal(v[i]), by);
}

// shift multiplies element i of block b by T[8b + i] and by a number.
static void shift(const field *f, scalars v[BLOCK], const shared *s, const own *o, scalars by) {
	by = scalars_normal(scalars_mul(f, own_scalar(o, DEPTH), by));
	for (int i = 0; i < BLOCK; i++) {
		const scalars factor = scalars_normal(scalars_mul(f, s->place[BLOCK + i], by));
		v[i] = scalars_mul(f, scalars_normal(v[i]), factor);
	}
}

static void reduce(const field *f, scalars v[BLOCK]) {
	for (int i = 0; i < BLOCK; i++) v[i] = scalars_reduce(f, v[i]);
}

void transform_leaves(const transform_field *f, const uint64_t *split_table, const uint64_t *table, const uint64_t *factor,
                      uint64_t *v, size_t from, size_t to, int steps) {
	const twiddles t[2] = {twiddles_in(split_table), twiddles_in(table)};
	shared in, out;
	own mine;
	scalars e[BLOCK], w[BLOCK];
	if (steps & TRANSFORM_SPLIT) shared_fill(f, &t[0], &in);
	if (steps & (TRANSFORM_SHIFT | TRANSFORM_MERGE)) shared_fill(f, &t[1], &out);
	const scalars by = rows_limbs(rows_load_strided(factor, 0), 0);
	for (size_t group = from; group < to; group++) {
		uint64_t *at = v + WORDS * GROUP * group;
		for (int i = 0; i < BLOCK; i++) e[i] = rows_limbs(rows_load_strided(at + WORDS * i, WORDS * BLOCK), 0);
		if (steps & TRANSFORM_SPLIT) {
			own_fill(f, &t[0], &mine, group);
			heap_fill(f, w, &in, &mine);
			split_stages(f, e, DEPTH, w, 0);
		}
		if (steps & TRANSFORM_SCALED) scale(f, e, by);
		if (steps & (TRANSFORM_SHIFT | TRANSFORM_MERGE)) own_fill(f, &t[1], &mine, group);
		if (steps & TRANSFORM_SHIFT) shift(f, e, &out, &mine, by);
		if (steps & TRANSFORM_MERGE) {
			reduce(f, e);
			heap_fill(f, w, &out, &mine);
			merge_stages(f, e, DEPTH, w, 0);
		}
		for (int i = 0; i < BLOCK; i++) rows_store_strided(at + WORDS * i, WORDS * BLOCK, stored(f, e[i], steps & TRANSFORM_FINAL));
	}
}
