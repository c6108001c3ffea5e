// Which additions of a round may go together: pairs inside each segment of a list, found sixteen elements at a time.
//
// A list of points is an array of references and, beside it, each one's rank in its segment (0 for the first). In a round every
// element of even rank takes its successor, if that is in the same segment: the successor's rank is not 0. So no two additions
// of a round touch one point, whatever the segments are, and half the ranks are the next round's.
#pragma once
#include "lanes.h"

typedef __m512i indices; // sixteen 32-bit numbers

#define STEP 16
#define LIST_PAD (2 * STEP) // elements that may be read, and written, past the end of a list

INLINE indices indices_load(const uint32_t *from) { return _mm512_loadu_si512(from); }
INLINE void indices_store(uint32_t *to, indices v) { _mm512_storeu_si512(to, v); }
INLINE indices indices_count(uint32_t from) {
	const indices ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	return _mm512_add_epi32(ramp, _mm512_set1_epi32((int)from));
}
INLINE uint32_t popcount16(__mmask16 m) { return (uint32_t)_mm_popcnt_u32(m); }

// What a round takes from sixteen elements.
typedef struct { __mmask16 stays, pairs; } picks;

INLINE picks picks_at(const uint32_t *rank, size_t i, size_t count) {
	__mmask16 valid = count - i >= STEP ? 0xffff : (__mmask16)((1u << (count - i)) - 1);
	indices next = indices_load(rank + i + 1);
	__mmask16 even = _mm512_mask_testn_epi32_mask(valid, indices_load(rank + i), _mm512_set1_epi32(1));
	return (picks){even, _mm512_mask_test_epi32_mask(even, next, next)};
}

// pairs_count is the number of additions that the next round has.
static size_t pairs_count(const uint32_t *rank, size_t count) {
	size_t pairs = 0;
	for (size_t i = 0; i < count; i += STEP) pairs += popcount16(picks_at(rank, i, count).pairs);
	return pairs;
}

// Where a round's results go: sums to slots from sum_slot, and, where singles is not NULL, the elements left alone, which are
// listed there, to slots from single_slot.
typedef struct {
	uint32_t *left, *right, *singles;
	uint32_t sum_slot, single_slot;
	size_t pair_count, single_count;
} round_plan;

// round_schedule lists the round's additions and writes the next list to ref and rank; from may be ref. The new list's length.
INLINE size_t round_schedule(round_plan *plan, const uint32_t *from, uint32_t *ref, uint32_t *rank, size_t count) {
	size_t kept = 0, pairs = 0, singles = 0;
	for (size_t i = 0; i < count; i += STEP) {
		picks pick = picks_at(rank, i, count);
		__mmask16 alone = pick.stays & (__mmask16)~pick.pairs;
		indices own = indices_load(from + i), next = indices_load(from + i + 1), ranks = indices_load(rank + i);
		indices_store(plan->left + pairs, _mm512_maskz_compress_epi32(pick.pairs, own));
		indices_store(plan->right + pairs, _mm512_maskz_compress_epi32(pick.pairs, next));
		indices result = _mm512_mask_expand_epi32(own, pick.pairs, indices_count(plan->sum_slot + (uint32_t)pairs));
		if (plan->singles) {
			indices_store(plan->singles + singles, _mm512_maskz_compress_epi32(alone, own));
			result = _mm512_mask_expand_epi32(result, alone, indices_count(plan->single_slot + (uint32_t)singles));
		}
		indices_store(ref + kept, _mm512_maskz_compress_epi32(pick.stays, result));
		indices_store(rank + kept, _mm512_maskz_compress_epi32(pick.stays, _mm512_srli_epi32(ranks, 1)));
		pairs += popcount16(pick.pairs), singles += popcount16(alone), kept += popcount16(pick.stays);
	}
	rank[kept] = 0;
	plan->pair_count = pairs, plan->single_count = singles;
	return kept;
}

// A set of positions, one bit each; reads go up to 8 bytes past its end.
INLINE void bit_set(uint64_t *bits, size_t i) { bits[i / 64] |= 1ULL << (i % 64); }
INLINE int bit_get(const uint64_t *bits, size_t i) { return bits[i / 64] >> (i % 64) & 1; }

INLINE __mmask16 bits_at(const uint64_t *bits, size_t i) {
	uint32_t word;
	memcpy(&word, (const uint8_t *)bits + i / 8, sizeof word);
	return (__mmask16)(word >> (i % 8));
}

// bits_last is the last set position in (after, upto], or after.
static size_t bits_last(const uint64_t *bits, size_t after, size_t upto) {
	while (upto > after) {
		uint64_t word = bits[upto / 64] << (63 - upto % 64);
		if (word != 0) {
			size_t found = upto - _lzcnt_u64(word);
			return found > after ? found : after;
		}
		if (upto < 64) break;
		upto = upto / 64 * 64 - 1;
	}
	return after;
}

// running_max is the greatest of each lane and those before it.
INLINE indices running_max(indices v) {
	const indices zero = _mm512_setzero_si512();
	v = _mm512_max_epu32(v, _mm512_alignr_epi32(v, zero, 15));
	v = _mm512_max_epu32(v, _mm512_alignr_epi32(v, zero, 14));
	v = _mm512_max_epu32(v, _mm512_alignr_epi32(v, zero, 12));
	return _mm512_max_epu32(v, _mm512_alignr_epi32(v, zero, 8));
}

// ranks_between writes the ranks of positions [from, to), whose segments begin where starts is set, and one at from.
static void ranks_between(uint32_t *rank, const uint64_t *starts, size_t from, size_t to) {
	indices last = _mm512_set1_epi32((int)from);
	for (size_t i = from; i < to; i += STEP) {
		indices own = indices_count((uint32_t)i);
		last = _mm512_max_epu32(last, running_max(_mm512_maskz_mov_epi32(bits_at(starts, i), own)));
		indices_store(rank + (i - from), _mm512_sub_epi32(own, last));
		last = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), last);
	}
	rank[to - from] = 0;
}
