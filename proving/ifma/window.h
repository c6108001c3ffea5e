// One window of an MSM: its points sorted into buckets, the buckets summed, and the sums weighed.
//
// A bucket's number is its weight. Weighing is summing too: with number = high 2^s + low, the buckets are summed by high and by
// low (an addition each per bucket, in any order, so in batches like all others), and these few sums once more by each bit of
// high and low. What is left for the caller is one point a bit.
#pragma once
#include "group.h"
#include "segments.h"

typedef struct {
	summer summer;
	uint32_t *sorted, *order;         // references by bucket; references to sums, by what they are summed by
	uint32_t *fill;                   // by bucket: count, then next position
	uint32_t *number, *row, *column;  // bucket numbers of the bucket sums; numbers of the sums by high and by low
	uint64_t *starts;
	uint32_t bucket_slot, row_slot, column_slot, bit_slot;
	size_t bytes;
} workspace;

#define MAX_BITS 16 // of a digit
#define SIDE 256    // sums by high, or by low, of numbers up to 2^(MAX_BITS - 1)
#define CHUNK (8192 / DEGREE)

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

// workspace_lay lays out a workspace at base for count points and `buckets` buckets, or measures it where base is NULL.
static workspace workspace_lay(uint8_t *base, size_t count, size_t buckets) {
	workspace w;
	size_t used = 0, sums = smaller(count, buckets), side = smaller(SIDE, block_align(sums));
	size_t chunk = smaller(CHUNK, count < CHUNK / 8 ? CHUNK / 8 : count), list = chunk + CARRY_LIMIT;
	memset(&w, 0, sizeof w);
	w.bucket_slot = 0, w.row_slot = block_align(sums), w.column_slot = w.row_slot + (uint32_t)side;
	w.bit_slot = w.column_slot + (uint32_t)side;
	summer *s = &w.summer;
	s->chunk = chunk;
	s->carry_slots[0] = w.bit_slot + 2 * WIDTH, s->carry_slots[1] = s->carry_slots[0] + CARRY_LIMIT;
	s->chunk_slot = s->carry_slots[1] + CARRY_LIMIT;
	size_t slots = s->chunk_slot + list + 20 * WIDTH;
	s->adder.slots = reserve(base, &used, slots / WIDTH * sizeof(slot_block) + sizeof(slot_block));
	s->adder.pending = reserve(base, &used, (list / 2 / WIDTH + 2) * sizeof(pending));
	s->ref = reserve_numbers(base, &used, list);
	s->rank = reserve_numbers(base, &used, list);
	s->left = reserve_numbers(base, &used, list / 2 + 4 * WIDTH);
	s->right = reserve_numbers(base, &used, list / 2 + 4 * WIDTH);
	s->singles = reserve_numbers(base, &used, list + 4 * WIDTH);
	w.fill = reserve_numbers(base, &used, buckets + 2);
	w.number = reserve_numbers(base, &used, sums);
	w.row = reserve_numbers(base, &used, side);
	w.column = reserve_numbers(base, &used, side);
	size_t ordered = sums + 2 * side * MAX_BITS;
	w.order = reserve_numbers(base, &used, ordered);
	w.sorted = reserve_numbers(base, &used, count);
	w.starts = reserve(base, &used, (count > ordered ? count : ordered) / 8 + 16);
	w.bytes = used;
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

INLINE void window_scatter(const window_terms *t, uint32_t *fill, uint32_t *sorted, int check_infinity) {
	for (size_t i = 0; i < t->count; i++) {
		uint32_t ref, bucket = term_bucket(t, i, &ref, check_infinity);
		if (bucket - t->low < t->high - t->low) sorted[fill[bucket]++] = ref;
	}
}

// window_sort makes a list of the terms by bucket, and keeps the numbers of buckets that have some.
static segment_list window_sort(workspace *w, const window_terms *t) {
	memset(w->fill, 0, (t->half + 1) * sizeof *w->fill);
	if (t->infinity) window_count(t, w->fill, 1);
	else window_count(t, w->fill, 0);
	memset(w->starts, 0, t->count / 8 + 16);
	size_t total = 0, used = 0;
	for (uint32_t bucket = t->low; bucket < t->high; bucket++) {
		size_t terms = w->fill[bucket];
		w->fill[bucket] = (uint32_t)total;
		w->number[used] = bucket, used += terms > 0;
		w->starts[total / 64] |= (uint64_t)(terms > 0) << (total % 64);
		total += terms;
	}
	if (t->infinity) window_scatter(t, w->fill, w->sorted, 1);
	else window_scatter(t, w->fill, w->sorted, 0);
	return (segment_list){w->sorted, w->starts, w->number, total};
}

// A list under construction, in order, row after row.
static void list_begin(workspace *w, segment_list *list, uint32_t *key, size_t room) {
	memset(w->starts, 0, room / 8 + 16);
	*list = (segment_list){w->order, w->starts, key, 0};
}

// sums_by_high lists the bucket sums by the high part of their numbers; the numbers are in ascending order.
static size_t sums_by_high(workspace *w, segment_list *list, size_t sums, uint32_t split) {
	size_t rows = 0;
	list_begin(w, list, w->row, sums);
	for (size_t i = 0; i < sums; i++) {
		uint32_t high = w->number[i] >> split;
		if (high == 0) continue;
		if (rows == 0 || w->row[rows - 1] != high) w->row[rows++] = high, bit_set(list->starts, list->count);
		list->ref[list->count++] = w->bucket_slot + (uint32_t)i;
	}
	return rows;
}

// sums_by_low lists them by the low part: a counting sort.
static size_t sums_by_low(workspace *w, segment_list *list, size_t sums, uint32_t split) {
	uint32_t mask = (1u << split) - 1, *fill = w->fill;
	size_t columns = 0;
	list_begin(w, list, w->column, sums);
	memset(fill, 0, ((size_t)mask + 1) * sizeof *fill);
	for (size_t i = 0; i < sums; i++) fill[w->number[i] & mask]++;
	for (uint32_t low = 1; low <= mask; low++) {
		uint32_t terms = fill[low];
		fill[low] = (uint32_t)list->count;
		if (terms > 0) w->column[columns++] = low, bit_set(list->starts, list->count);
		list->count += terms;
	}
	for (size_t i = 0; i < sums; i++) {
		uint32_t low = w->number[i] & mask;
		if (low != 0) list->ref[fill[low]++] = w->bucket_slot + (uint32_t)i;
	}
	return columns;
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
	segment_list list;
	w->summer.adder.points = NULL;
	sums_by_high(w, &list, sums, split);
	long rows = segments_sum(&w->summer, &list, w->row_slot);
	sums_by_low(w, &list, sums, split);
	long columns = rows < 0 ? -1 : segments_sum(&w->summer, &list, w->column_slot);
	if (columns < 0) return 1;
	list_begin(w, &list, weight, (size_t)(rows + columns) * MAX_BITS);
	size_t segments = sums_by_bit(&list, 0, w->column, (size_t)columns, w->column_slot, split, 0);
	sums_by_bit(&list, segments, w->row, (size_t)rows, w->row_slot, bits - split, split);
	long parts = segments_sum(&w->summer, &list, w->bit_slot);
	if (parts < 0) return 1;
	uint8_t packed[2 * WIDTH * POINT_BYTES];
	for (int b = 0; b < 2; b++) slot_block_pack(packed + b * WIDTH * POINT_BYTES, w->summer.adder.slots + w->bit_slot / WIDTH + b, WIDTH);
	memset(out, 0, bits * POINT_BYTES);
	for (long i = 0; i < parts; i++) memcpy(out + weight[i] * POINT_BYTES, packed + i * POINT_BYTES, POINT_BYTES);
	return 0;
}

static int window_sums(const void *points, const uint64_t *infinity, const uint32_t *refs, const uint16_t *digits, size_t count, uint32_t bits, uint32_t low, uint32_t high, void *out, void *memory, const int32_t *cancelled) {
	window_terms terms = {infinity, refs, digits, count, 1u << (bits - 1), low, high};
	workspace w = workspace_lay(memory, count, terms.half + 1);
	w.summer.adder.points = points, w.summer.cancelled = cancelled;
	segment_list list = window_sort(&w, &terms);
	long sums = segments_sum(&w.summer, &list, w.bucket_slot);
	return sums < 0 ? 1 : window_weigh(&w, (size_t)sums, bits, out);
}

static int plain_sum(const void *points, const uint64_t *infinity, const uint32_t *refs, size_t count, void *out, void *memory, const int32_t *cancelled) {
	workspace w = workspace_lay(memory, count, 1);
	w.summer.adder.points = points, w.summer.cancelled = cancelled;
	memset(w.starts, 0, count / 8 + 16);
	segment_list list = {w.sorted, w.starts, w.number, 0};
	for (size_t i = 0; i < count; i++)
		if (!infinity || !bit_get(infinity, refs[i] & ~NEGATED)) list.ref[list.count++] = refs[i];
	w.number[0] = 0;
	long sums = segments_sum(&w.summer, &list, w.bucket_slot);
	memset(out, 0, POINT_BYTES);
	if (sums > 0) slot_block_pack(out, w.summer.adder.slots, 1);
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

const ifma_group EXPORT = {workspace_bytes, find_infinity, window_sums, plain_sum};
