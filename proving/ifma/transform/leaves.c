//go:build amd64

// The narrow stages, in blocks of eight elements: eight neighbouring blocks make a group, lane i holding block i of it, so that
// butterflies join whole vectors here too.
//
// Lanes would differ in their twiddle factors. But the stages of block b are those of block 0 after element j is multiplied by
// T[4b]^j, since T[2b] and T[b] are its second and fourth powers; back it is the transpose, and the factors come last. Block
// 0's factors are all lanes'. With u = T[8b] the powers are u^(2j), or u^(2j+1) where elements are shifted too, by
// T[8b + i] = u T[i]. u itself is a number that all groups share for each lane times one that a group's lanes share.
#include "lanes.h"
#include "stages.h"
#include "twiddles.h"

#define BLOCK 8 // elements
#define DEPTH 3 // log of it
#define GROUP (BLOCK * LANES)

typedef struct { scalars power[BLOCK]; } powers;

// powers_of fills in by T[k]^(2j + odd) for even k, lane by lane; below 2p, normal.
static void powers_of(const field *f, const twiddles *t, powers *p, lanes k, int odd, scalars by) {
	const scalars step = twiddles_at(f, t, _mm512_srli_epi64(k, 1));
	p->power[0] = odd ? scalars_normal(scalars_mul(f, twiddles_at(f, t, k), by)) : by;
	for (int j = 1; j < BLOCK; j++) p->power[j] = scalars_normal(scalars_mul(f, p->power[j - 1], step));
}

// A twist is the powers that a direction multiplies by: those of the lanes, and those of eight groups, one a lane.
typedef struct {
	twiddles table;
	int odd;
	scalars by; // on top
	powers shared, groups;
} twist;

static void twist_init(const field *f, twist *w, const uint64_t *table, int odd, scalars by, scalars one) {
	w->table = twiddles_in(table);
	w->odd = odd;
	w->by = by;
	powers_of(f, &w->table, &w->shared, _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56), odd, one);
}

// twist_groups prepares for the eight groups from one on, but none after the last, for which there may be no factors.
static void twist_groups(const field *f, twist *w, size_t group, size_t last) {
	const lanes each = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), lanes_all(group));
	const lanes own = _mm512_min_epu64(each, lanes_all(last));
	powers_of(f, &w->table, &w->groups, _mm512_slli_epi64(own, 6), w->odd, w->by);
}

// twist_do multiplies elements from one on by their powers, or all by the first power.
INLINE void twist_do(const field *f, scalars e[BLOCK], const twist *w, int group, int from, int all) {
	for (int j = from; j < BLOCK; j++) {
		const int k = all ? 0 : j;
		const scalars factor = scalars_mul(f, w->shared.power[k], scalars_lane(&w->groups.power[k], group));
		e[j] = scalars_mul(f, scalars_normal(e[j]), scalars_normal(factor));
	}
}

// What a call needs throughout.
typedef struct {
	const field *f;
	int steps;
	twist in, out;
	scalars split[BLOCK], merge[BLOCK]; // block 0's factors
	scalars shift[BLOCK];               // T[i]
} leaves;

static void leaves_init(leaves *l, const uint64_t *split_table, const uint64_t *table, const uint64_t *factor) {
	const field *f = l->f;
	const int scaled = (l->steps & TRANSFORM_SCALED) != 0, shifted = (l->steps & TRANSFORM_SHIFT) != 0;
	const scalars by = rows_limbs(rows_load_strided(factor, 0), 0);
	const scalars one = rows_limbs(rows_load_strided(table, 0), 0); // T[0]
	twist_init(f, &l->in, split_table, 0, scaled ? by : one, one);
	twist_init(f, &l->out, table, shifted, shifted ? by : one, one);
	heap_fill(f, &l->in.table, l->split, 0, DEPTH);
	heap_fill(f, &l->out.table, l->merge, 0, DEPTH);
	for (int i = 0; i < BLOCK; i++) l->shift[i] = rows_limbs(rows_load_strided(table + WORDS * i, 0), 0);
}

// shift multiplies by T[i]; T[0] is 1. Below 2p.
static void shift(const leaves *l, scalars e[BLOCK]) {
	e[0] = scalars_reduce(l->f, e[0]);
	for (int i = 1; i < BLOCK; i++) e[i] = scalars_mul(l->f, scalars_normal(e[i]), l->shift[i]);
}

// block does the steps; group is the lane of the group's powers.
static void block(const leaves *l, scalars e[BLOCK], int group) {
	const int steps = l->steps;
	if (steps & TRANSFORM_SPLIT) {
		twist_do(l->f, e, &l->in, group, steps & TRANSFORM_SCALED ? 0 : 1, 0);
		split_stages(l->f, e, DEPTH, l->split, 1, 1);
	}
	if (steps & TRANSFORM_SHIFT) shift(l, e);
	if (steps & TRANSFORM_MERGE) merge_stages(l->f, e, DEPTH, l->merge, 1, 1);
	if (steps & (TRANSFORM_SHIFT | TRANSFORM_MERGE))
		twist_do(l->f, e, &l->out, group, steps & TRANSFORM_SHIFT ? 0 : 1, !(steps & TRANSFORM_MERGE));
}

void transform_leaves(const transform_field *f, const uint64_t *split_table, const uint64_t *table, const uint64_t *factor,
                      uint64_t *v, size_t from, size_t to, int steps) {
	leaves l = {.f = f, .steps = steps};
	scalars e[BLOCK];
	leaves_init(&l, split_table, table, factor);
	for (size_t group = from; group < to; group++) {
		const int lane = (int)((group - from) % LANES);
		if (lane == 0) {
			twist_groups(f, &l.in, group, to - 1);
			twist_groups(f, &l.out, group, to - 1);
		}
		uint64_t *at = v + WORDS * GROUP * group;
		for (int i = 0; i < BLOCK; i++) e[i] = rows_limbs(rows_load_strided(at + WORDS * i, WORDS * BLOCK), 0);
		block(&l, e, lane);
		for (int i = 0; i < BLOCK; i++) rows_store_strided(at + WORDS * i, WORDS * BLOCK, stored(f, e[i], steps & TRANSFORM_FINAL));
	}
}
