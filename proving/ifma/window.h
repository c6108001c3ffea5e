// One window of an MSM: its points sorted into buckets, the buckets summed, and the sums weighed.
//
// A bucket's number is its weight. Weighing is summing too: with number = high 2^s + low, the buckets are summed by high and by
// low (an addition each per bucket, in any order, so in batches like all others), and these few sums once more by each bit of
// high and low. What is left for the caller is one point a bit.
#pragma once
#include "group.h"
#include "probe.h"
#include "stacks.h"

typedef struct {
	stacks stacks;
	uint32_t *fill;                // by bucket: count, then next position
	uint32_t *row, *column;        // numbers of the sums by high and by low
	uint32_t row_slot, column_slot, bit_slot;
	size_t bytes;
} workspace;

#define MAX_BITS 16 // of a digit

// reserve takes bytes from the workspace, in whole cache lines.
INLINE void *reserve(uint8_t *base, size_t *used, size_t bytes) {
	void *at = base ? base + *used : NULL;
	*used += (bytes + 63) / 64 * 64;
	return at;
}

INLINE uint32_t *reserve_numbers(uint8_t *base, size_t *used, size_t count) {
	return reserve(base, used, (count + LIST_PAD) * sizeof(uint32_t));
}

INLINE size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
INLINE size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// What a workspace is measured by.
typedef struct { size_t count, buckets, sums, side, chunk, list, batch, ordered; } extent;

static extent extent_of(size_t count, size_t buckets) {
	extent e = {.count = count, .buckets = buckets, .sums = smaller(count, buckets)};
	e.side = smaller(SIDE, block_align(e.sums));
	e.chunk = smaller(CHUNK, larger(count, CHUNK / 8));
	e.list = e.chunk + CARRY_LIMIT;
	e.batch = larger(smaller(STACKS, e.sums), e.list / 2);
	e.ordered = count + 2 * e.side * MAX_BITS;
	return e;
}

// slots_lay gives every kind of sum its slots: buckets, rows (before them, in the same place, the stacks' rest), columns, bits,
// what chunks carry, and a chunk's own; the number of all.
static size_t slots_lay(workspace *w, const extent *e) {
	stacks *t = &w->stacks;
	summer *s = &t->summer;
	w->row_slot = t->rest_slot = block_align(e->sums);
	w->column_slot = w->row_slot + (uint32_t)e->side;
	w->bit_slot = w->column_slot + (uint32_t)e->side;
	s->carry_slots[0] = w->bit_slot + 2 * WIDTH;
	s->carry_slots[1] = s->carry_slots[0] + CARRY_LIMIT;
	s->chunk_slot = s->carry_slots[1] + CARRY_LIMIT;
	return block_align(s->chunk_slot + e->list) + 20 * WIDTH; // each round of a chunk begins a block
}

// workspace_lay lays out a workspace at base for count points and `buckets` buckets, or measures it where base is NULL.
static workspace workspace_lay(uint8_t *base, size_t count, size_t buckets) {
	const extent e = extent_of(count, buckets);
	workspace w;
	memset(&w, 0, sizeof w);
	size_t *used = &w.bytes;
	stacks *t = &w.stacks;
	summer *s = &t->summer;
	s->chunk = e.chunk;
	s->adder.slots = reserve(base, used, slots_lay(&w, &e) / WIDTH * sizeof(point));
	s->adder.pending = reserve(base, used, (e.batch / WIDTH + 2) * sizeof(pending));
	s->ref = reserve_numbers(base, used, e.list + REFERENCES_PAD);
	s->rank = reserve_numbers(base, used, e.list);
	s->left = reserve_numbers(base, used, e.list / 2 + REFERENCES_PAD);
	s->right = reserve_numbers(base, used, e.list / 2 + REFERENCES_PAD);
	s->singles = reserve_numbers(base, used, e.list + REFERENCES_PAD);
	t->number = reserve_numbers(base, used, buckets);
	t->start = reserve_numbers(base, used, buckets);
	t->size = reserve_numbers(base, used, buckets);
	w.fill = reserve_numbers(base, used, buckets);
	w.row = t->rest_key = reserve_numbers(base, used, e.side);
	w.column = reserve_numbers(base, used, e.side);
	t->order = reserve_numbers(base, used, e.ordered);
	t->sorted = reserve_numbers(base, used, count);
	t->starts = reserve(base, used, e.ordered / 8 + 16);
	return w;
}

// Digits and signs of a window's terms.
typedef struct {
	const uint64_t *infinity;
	const uint32_t *refs;
	const uint16_t *digits;
	size_t count;
	uint32_t half, low, high; // digits are stored + half; buckets in use are [low, high)
} window_terms;

// term_bucket is term i's bucket, or 0; *ref gets its reference, with the digit's sign.
INLINE uint32_t term_bucket(const window_terms *t, size_t i, uint32_t *ref, int check_infinity) {
	int32_t digit = (int32_t)t->digits[i] - (int32_t)t->half, sign = digit >> 31;
	uint32_t bucket = (uint32_t)((digit ^ sign) - sign);
	*ref = t->refs[i] ^ ((uint32_t)sign & NEGATED);
	if (check_infinity && bit_get(t->infinity, *ref & ~NEGATED)) return 0;
	return bucket;
}

INLINE void window_count(const window_terms *t, uint32_t *fill, int check_infinity) {
	uint32_t ref;
	for (size_t i = 0; i < t->count; i++) fill[term_bucket(t, i, &ref, check_infinity)]++;
}

// term_prefetch makes the place ready where a term a little later will be written.
INLINE void term_prefetch(const window_terms *t, size_t i, const uint32_t *fill, const uint32_t *sorted) {
	int32_t digit = (int32_t)t->digits[i] - (int32_t)t->half, sign = digit >> 31;
	__builtin_prefetch(sorted + fill[(uint32_t)((digit ^ sign) - sign)], 1);
}

#define SCATTER_AHEAD 16 // terms

INLINE void window_scatter(const window_terms *t, uint32_t *fill, uint32_t *sorted, int check_infinity) {
	for (size_t i = 0; i < t->count; i++) {
		if (i + SCATTER_AHEAD < t->count) term_prefetch(t, i + SCATTER_AHEAD, fill, sorted);
		uint32_t ref, bucket = term_bucket(t, i, &ref, check_infinity);
		if (bucket - t->low < t->high - t->low) sorted[fill[bucket]++] = ref;
	}
}

// window_order gives the buckets that are not empty an order, larger ones first, and each its part of the sorted terms.
static size_t window_order(workspace *w, const window_terms *t) {
	stacks *s = &w->stacks;
	uint32_t place[TALLEST + 1] = {0}, total = 0, next = 0;
	for (uint32_t bucket = t->low; bucket < t->high; bucket++) place[smaller(w->fill[bucket], TALLEST)]++;
	size_t used = t->high - t->low - place[0];
	for (uint32_t size = TALLEST + 1, here; size-- > 0; next += here) here = place[size], place[size] = next;
	for (uint32_t bucket = t->low; bucket < t->high; bucket++) {
		uint32_t size = w->fill[bucket], at = place[smaller(size, TALLEST)]++;
		s->number[at] = bucket, s->start[at] = total, s->size[at] = size;
		w->fill[bucket] = total, total += size;
	}
	return used;
}

// window_sort sorts the terms by bucket; the number of buckets that have some.
static size_t window_sort(workspace *w, const window_terms *t) {
	memset(w->fill, 0, (t->half + 1) * sizeof *w->fill);
	if (t->infinity) window_count(t, w->fill, 1);
	else window_count(t, w->fill, 0);
	size_t used = window_order(w, t);
	if (t->infinity) window_scatter(t, w->fill, w->stacks.sorted, 1);
	else window_scatter(t, w->fill, w->stacks.sorted, 0);
	return used;
}

// sums_by lists the bucket sums by a part of their numbers, a counting sort; 0 is left out.
static void sums_by(workspace *w, segment_list *list, uint32_t *key, size_t sums, uint32_t shift, uint32_t mask) {
	stacks *s = &w->stacks;
	size_t segments = 0;
	*list = list_begin(s, key, sums, 0);
	memset(w->fill, 0, ((size_t)mask + 1) * sizeof *w->fill);
	for (size_t i = 0; i < sums; i++) w->fill[s->number[i] >> shift & mask]++;
	for (uint32_t part = 1; part <= mask; part++) {
		uint32_t terms = w->fill[part];
		w->fill[part] = (uint32_t)list->count;
		if (terms > 0) key[segments++] = part, bit_set(list->starts, list->count);
		list->count += terms;
	}
	for (size_t i = 0; i < sums; i++) {
		uint32_t part = s->number[i] >> shift & mask;
		if (part != 0) list->ref[w->fill[part]++] = (uint32_t)i;
	}
}

// sums_by_bit appends, for each bit of the numbers, the sums that have it; keys are the bit's weight, from `weight` on.
static size_t sums_by_bit(segment_list *list, size_t segments, const uint32_t *number, size_t sums, uint32_t slot, uint32_t bits, uint32_t weight) {
	for (uint32_t bit = 0; bit < bits; bit++) {
		size_t start = list->count;
		for (size_t i = 0; i < sums; i++)
			if (number[i] >> bit & 1) list->ref[list->count++] = slot + (uint32_t)i;
		if (list->count > start) bit_set(list->starts, start), list->key[segments++] = weight + bit;
	}
	return segments;
}

// window_weigh sums the bucket sums by the bits of their numbers, and packs those sums to out, by weight.
static int window_weigh(workspace *w, size_t sums, uint32_t bits, uint8_t *out) {
	uint32_t split = bits / 2, weight[2 * MAX_BITS];
	summer *s = &w->stacks.summer;
	segment_list list;
	sums_by(w, &list, w->row, sums, split, (1u << (bits - split)) - 1);
	long rows = segments_sum(s, &list, w->row_slot);
	sums_by(w, &list, w->column, sums, 0, (1u << split) - 1);
	long columns = rows < 0 ? -1 : segments_sum(s, &list, w->column_slot);
	if (columns < 0) return 1;
	list = list_begin(&w->stacks, weight, (size_t)(rows + columns) * MAX_BITS, 0);
	size_t segments = sums_by_bit(&list, 0, w->column, (size_t)columns, w->column_slot, split, 0);
	sums_by_bit(&list, segments, w->row, (size_t)rows, w->row_slot, bits - split, split);
	long parts = segments_sum(s, &list, w->bit_slot);
	if (parts < 0) return 1;
	uint8_t packed[2 * WIDTH * POINT_BYTES];
	for (int b = 0; b < 2; b++) block_pack(packed + b * WIDTH * POINT_BYTES, s->adder.slots + w->bit_slot / WIDTH + b, WIDTH);
	memset(out, 0, bits * POINT_BYTES);
	for (long i = 0; i < parts; i++) memcpy(out + weight[i] * POINT_BYTES, packed + i * POINT_BYTES, POINT_BYTES);
	return 0;
}

// workspace_open lays out a workspace for a call.
static workspace workspace_open(void *memory, size_t count, size_t buckets, const void *points, const int32_t *cancelled) {
	workspace w = workspace_lay(memory, count, buckets);
	w.stacks.summer.adder.points = points, w.stacks.summer.cancelled = cancelled;
	return w;
}

static int window_sums(const void *points, const uint64_t *infinity, const uint32_t *refs, const uint16_t *digits, size_t count,
                       uint32_t bits, uint32_t low, uint32_t high, void *out, void *memory, const int32_t *cancelled) {
	window_terms terms = {infinity, refs, digits, count, 1u << (bits - 1), low, high};
	workspace w = workspace_open(memory, count, terms.half + 1, points, cancelled);
	size_t used = window_sort(&w, &terms);
	return stacks_sum(&w.stacks, used) ? 1 : window_weigh(&w, used, bits, out);
}

static int plain_sum(const void *points, const uint64_t *infinity, const uint32_t *refs, size_t count, void *out, void *memory,
                     const int32_t *cancelled) {
	workspace w = workspace_open(memory, count, 1, points, cancelled);
	segment_list list = list_begin(&w.stacks, w.row, count, 1);
	for (size_t i = 0; i < count; i++)
		if (!infinity || !bit_get(infinity, refs[i] & ~NEGATED)) list.ref[list.count++] = refs[i];
	long sums = segments_sum(&w.stacks.summer, &list, 0);
	memset(out, 0, POINT_BYTES);
	if (sums > 0) block_pack(out, w.stacks.summer.adder.slots, 1);
	return sums < 0;
}

static size_t find_infinity(const void *packed, size_t first, size_t count, uint64_t *infinity) {
	const uint8_t *points = packed;
	size_t found = 0;
	for (size_t i = 0; i < count; i += 64) {
		uint64_t bits = 0;
		for (size_t j = i; j < count && j < i + 64; j++) {
			uint64_t word, any = 0;
			const uint8_t *y = points + (first + j) * POINT_BYTES + POINT_BYTES / 2;
			memcpy(&word, y, sizeof word);
			if (__builtin_expect(word != 0, 1)) continue;
			for (int k = 0; k < POINT_WORDS / 2; k++) memcpy(&word, y + 8 * k, sizeof word), any |= word;
			bits |= (uint64_t)(any == 0) << (j - i);
		}
		infinity[i / 64] = bits;
		found += (size_t)_mm_popcnt_u64(bits);
	}
	return found;
}

static size_t workspace_bytes(size_t count, uint32_t buckets) { return workspace_lay(NULL, count, buckets).bytes; }

const ifma_group EXPORT = {workspace_bytes, find_infinity, window_sums, plain_sum, probe};
