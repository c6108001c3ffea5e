// Sums of buckets of like size: each bucket is a stack of points, and a round adds the next point of every stack to its sum.
//
// The sums lie in consecutive slots, so that only the points have to be gathered. Stacks are ordered by height, the highest
// first, and taken some thousands at a time, as many as fit the second-level cache: the stacks that still have points are then
// always the first ones. When few are left (or there are few buckets at all), what remains of them is summed as segments.
#pragma once
#include "segments.h"

#define CHUNK (8192 / DEGREE)  // elements of a chunk of segments
#define STACKS (4096 / DEGREE) // stacks taken together
#define FEW_STACKS 128         // not worth a round of their own
#define TALLEST 512            // higher stacks are ordered as if of this height
#define SIDE 256               // sums of bucket sums, by high or by low part of a number; at least FEW_STACKS

typedef struct {
	summer summer;
	uint32_t *sorted;               // references by bucket
	uint32_t *number, *start, *size; // by stack: its bucket's number, 0 when the sum is infinity; and its part of sorted
	uint32_t *order;                // references of a list under construction
	uint64_t *starts;               // its segments
	uint32_t *rest_key, rest_slot;  // for the sums of what remains
} stacks;

// list_begin makes an empty list with room for some elements.
static segment_list list_begin(stacks *t, uint32_t *key, size_t room, int packed) {
	memset(t->starts, 0, room / 8 + 16);
	return (segment_list){t->order, t->starts, key, 0, packed};
}

// stacks_level lists the points at one depth of the first count stacks from base.
static void stacks_level(stacks *t, size_t base, size_t count, uint32_t depth) {
	const uint32_t *start = t->start + base;
	uint32_t *ref = t->summer.ref;
	for (size_t j = 0; j < count; j++) ref[j] = t->sorted[start[j] + depth];
}

// stacks_rest sums what count stacks from base on, at most FEW_STACKS, have left at depth, and adds it to their sums; 1 when
// cancelled.
static int stacks_rest(stacks *t, size_t base, size_t count, uint32_t depth) {
	summer *s = &t->summer;
	int infinite = s->adder.has_infinity;
	size_t left = 0;
	for (size_t j = 0; j < count; j++) left += t->size[base + j] - depth;
	segment_list list = list_begin(t, t->rest_key, left, 1);
	for (size_t j = 0; j < count; j++) {
		size_t more = t->size[base + j] - depth;
		bit_set(list.starts, list.count);
		list.key[j] = (uint32_t)(base + j);
		memcpy(list.ref + list.count, t->sorted + t->start[base + j] + depth, more * sizeof *list.ref);
		list.count += more;
	}
	long sums = segments_sum(s, &list, t->rest_slot);
	if (sums < 0) return 1;
	for (long i = 0; i < sums; i++) s->left[i] = list.key[i], s->right[i] = t->rest_slot + (uint32_t)i;
	s->adder.has_infinity = infinite;
	slots_add(&s->adder, s->left, s->right, (size_t)sums, s->chunk_slot);
	for (long i = 0; i < sums; i++) slot_copy(s->adder.slots, list.key[i], s->chunk_slot + (uint32_t)i);
	return 0;
}

// stacks_sum sums all of count stacks, the i-th to slot i. 1 when cancelled.
static int stacks_sum(stacks *t, size_t count) {
	summer *s = &t->summer;
	for (size_t base = 0, active; base < count; base += STACKS) {
		size_t here = active = count - base < STACKS ? count - base : STACKS;
		uint32_t depth = 0;
		s->adder.has_infinity = 0;
		stacks_level(t, base, here, depth++);
		packed_unpack(&s->adder, s->ref, here, (uint32_t)base);
		for (;; depth++) {
			if (*s->cancelled) return 1;
			while (active > 0 && t->size[base + active - 1] <= depth) active--;
			if (active < FEW_STACKS || depth + 1 == TALLEST) break;
			stacks_level(t, base, active, depth);
			packed_add_onto(&s->adder, s->ref, active, (uint32_t)base);
		}
		for (size_t from = 0; from < active; from += FEW_STACKS) {
			size_t some = active - from < FEW_STACKS ? active - from : FEW_STACKS;
			if (stacks_rest(t, base + from, some, depth)) return 1;
		}
		for (size_t j = 0; s->adder.has_infinity && j < here; j++)
			if (slot_is_infinity(s->adder.slots, (uint32_t)(base + j))) t->number[base + j] = 0;
	}
	return 0;
}
