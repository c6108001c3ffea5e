// Sums of many segments of points at once: the one operation that an MSM is made of.
//
// A list is cut into chunks that fit the second-level cache, at segment borders where it can be. A chunk is summed as a tree,
// round after round, all its segments together. A segment longer than a chunk leaves some partial sums, which the next chunk
// takes in; it is not worth an inversion to add the last few.
#pragma once
#include "batch.h"
#include "schedule.h"

#define CARRY_LIMIT 128 // partial sums that a chunk may leave to the next
#define FEW_PAIRS 48    // not worth a round, where the rest may be carried

// Points in segments. A segment begins at position 0 and wherever starts is set, and has a key.
typedef struct {
	uint32_t *ref;    // to packed points, or to slots; LIST_PAD more may be read
	uint64_t *starts; // bits
	uint32_t *key;    // by segment; compacted to those whose sum is not infinity
	size_t count;
	int packed; // what ref refers to
} segment_list;

typedef struct {
	adder adder;
	uint32_t *ref, *rank, *left, *right, *singles; // of one chunk
	size_t chunk;                                  // elements in one
	uint32_t carry_slots[2], chunk_slot;           // first slots of the two carry areas, and of a chunk's sums
	const volatile int32_t *cancelled;
} summer;

// A chunk on its way to one sum a segment.
typedef struct {
	size_t count;      // elements left
	uint32_t slot;     // next free slot
	int may_carry;     // the chunk is one segment that goes on after it
} chunk_state;

INLINE uint32_t block_align(size_t slot) { return (uint32_t)((slot + WIDTH - 1) / WIDTH * WIDTH); }

// chunk_first does the first round on packed points: pairs are added, and those left alone are unpacked.
static void chunk_first(summer *s, const uint32_t *from, chunk_state *c) {
	size_t pairs = pairs_count(s->rank, c->count);
	uint32_t single_slot = block_align(c->slot + pairs);
	round_plan plan = {s->left, s->right, s->singles, c->slot, single_slot, 0, 0};
	c->count = round_schedule(&plan, from, s->ref, s->rank, c->count);
	packed_add(&s->adder, s->left, s->right, plan.pair_count, c->slot);
	packed_unpack(&s->adder, s->singles, plan.single_count, single_slot);
	c->slot = block_align(single_slot + plan.single_count);
}

// chunk_take_carry puts the partial sums of the chunk before in front of the first segment.
static void chunk_take_carry(summer *s, chunk_state *c, uint32_t carry_slot, size_t carried) {
	if (carried == 0) return;
	memmove(s->ref + carried, s->ref, (c->count + 1) * sizeof *s->ref);
	memmove(s->rank + carried, s->rank, (c->count + 1) * sizeof *s->rank);
	c->count += carried;
	for (size_t i = 0; i < carried; i++) s->ref[i] = carry_slot + (uint32_t)i, s->rank[i] = (uint32_t)i;
	for (size_t i = carried; i < c->count && (i == carried || s->rank[i] != 0); i++) s->rank[i] += (uint32_t)carried;
}

// chunk_rounds adds slots until each segment has one sum left, or a carried one few.
static void chunk_rounds(summer *s, chunk_state *c) {
	for (;;) {
		size_t pairs = pairs_count(s->rank, c->count);
		if (pairs == 0 || (c->may_carry && pairs <= FEW_PAIRS)) return;
		round_plan plan = {s->left, s->right, NULL, c->slot, 0, 0, 0};
		c->count = round_schedule(&plan, s->ref, s->ref, s->rank, c->count);
		slots_add(&s->adder, s->left, s->right, pairs, c->slot);
		c->slot = block_align(c->slot + pairs);
	}
}

// chunk_emit copies sums to slots from `to` on, with their keys, leaving out infinity; how many it wrote.
static size_t chunk_emit(summer *s, size_t count, uint32_t to, const uint32_t *key, uint32_t *key_out) {
	size_t written = 0;
	for (size_t i = 0; i < count; i++) {
		if (s->adder.has_infinity && slot_is_infinity(s->adder.slots, s->ref[i])) continue;
		slot_copy(s->adder.slots, to + (uint32_t)written, s->ref[i]);
		key_out[written++] = key[i];
	}
	return written;
}

// chunk_leave_carry copies the partial sums left to the carry area, without infinity; how many there are.
static size_t chunk_leave_carry(summer *s, size_t count, uint32_t to) {
	size_t carried = 0;
	for (size_t i = 0; i < count; i++)
		if (!s->adder.has_infinity || !slot_is_infinity(s->adder.slots, s->ref[i]))
			slot_copy(s->adder.slots, to + (uint32_t)carried++, s->ref[i]);
	return carried;
}

// segments_sum writes the sums of the list's segments to slots from `to` on; their number, or -1 when cancelled.
static long segments_sum(summer *s, segment_list *list, uint32_t to) {
	size_t written = 0, segment = 0, carried = 0;
	for (size_t from = 0, turn = 0; from < list->count; turn ^= 1) {
		if (*s->cancelled) return -1;
		size_t end = from + s->chunk < list->count ? from + s->chunk : list->count, border = end;
		if (end < list->count) border = bits_last(list->starts, from, end);
		chunk_state c = {0, s->chunk_slot, border == from};
		if (!c.may_carry) end = border;
		c.count = end - from;
		s->adder.has_infinity = 0;
		ranks_between(s->rank, list->starts, from, end);
		if (list->packed) chunk_first(s, list->ref + from, &c);
		else memcpy(s->ref, list->ref + from, c.count * sizeof *s->ref);
		chunk_take_carry(s, &c, s->carry_slots[turn ^ 1], carried);
		chunk_rounds(s, &c);
		carried = 0;
		if (c.may_carry) {
			carried = chunk_leave_carry(s, c.count, s->carry_slots[turn]);
		} else {
			written += chunk_emit(s, c.count, to + (uint32_t)written, list->key + segment, list->key + written);
			segment += c.count;
		}
		from = end;
	}
	return (long)written;
}
