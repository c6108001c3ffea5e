//go:build amd64

// The wide stages: butterflies join whole rows, and all lanes have the same twiddle factor.
#include "lanes.h"
#include "stages.h"
#include "twiddles.h"

#define MAX_ROWS (1 << MAX_DEPTH)

// prefetch asks for the rows of the next tile, which no hardware prefetcher foresees: each is four cache lines.
INLINE void prefetch(const uint64_t *at, size_t row, size_t count) {
	for (size_t r = 0; r < count; r++)
		UNROLL for (int line = 0; line < 4; line++) _mm_prefetch((const char *)(at + WORDS * row * r + 8 * line), _MM_HINT_T1);
}

void transform_columns(const transform_field *f, const uint64_t *table, uint64_t *v, uint32_t log_block, uint32_t depth,
                       size_t from, size_t to, int merge, int final) {
	scalars w[MAX_ROWS], rows[MAX_ROWS];
	const twiddles t = twiddles_in(table);
	const size_t row = (size_t)1 << (log_block - depth), per_block = row / LANES;
	for (size_t tile = from; tile < to; tile++) {
		const size_t block = tile / per_block, column = tile % per_block;
		if (tile == from || column == 0) heap_fill(f, &t, w, block, (int)depth);
		uint64_t *at = v + WORDS * ((block << log_block) + LANES * column);
		for (size_t r = 0; r < (size_t)1 << depth; r++) rows[r] = rows_limbs(rows_load(at + WORDS * row * r), 0);
		prefetch(at + WORDS * LANES, row, (size_t)1 << depth);
		if (merge) merge_stages(f, rows, (int)depth, w, block == 0, 0);
		else split_stages(f, rows, (int)depth, w, block == 0, 0);
		for (size_t r = 0; r < (size_t)1 << depth; r++) rows_store(at + WORDS * row * r, stored(f, rows[r], final));
	}
}
