// Stages of a transform on 2^depth vectors of scalars.
//
// A stage's twiddle factors are those of its blocks, and w holds them as a heap: w[2^j + b] for block b of the 2^j blocks that the
// vectors make at width 2^(depth - j). They are canonical. Values come in below 2^bound p, or p/2^30 above, and go out below
// 40 p, loose; bound + depth is at most MAX_DEPTH.
#pragma once
#include "memory.h"

// split is (x, y) -> (x + w y, x - w y), Cooley and Tukey's butterfly. A product is below 2p.
INLINE void split(const field *f, scalars *x, scalars *y, const scalars *w) {
	const scalars a = *x, product = scalars_mul(f, scalars_normal(*y), *w);
	*x = scalars_add(a, product);
	*y = scalars_sub(f, a, product, 1);
}

// merge is (x, y) -> (x + y, w (x - y)), Gentleman and Sande's, for y below 2^k p.
INLINE void merge(const field *f, scalars *x, scalars *y, const scalars *w, int k) {
	const scalars a = *x, b = *y;
	*x = scalars_add(a, b);
	*y = scalars_mul(f, scalars_normal(scalars_sub(f, a, b, k)), *w);
}

// unit is either with the factor 1, for y below 2^k p.
INLINE void unit(const field *f, scalars *x, scalars *y, int k) {
	const scalars a = *x, b = *y;
	*x = scalars_add(a, b);
	*y = scalars_sub(f, a, b, k);
}

// split_stages runs stages 0 to depth - 1: the widest first. units tells that w[2^j] is 1 for all j. A stage adds 3p, but to values
// on the path of units, which double.
INLINE void split_stages(const field *f, scalars *v, int depth, const scalars *w, int units, int bound) {
	for (int j = 0; j < depth; j++) {
		const int half = 1 << (depth - 1 - j);
		for (int b = 0; b < 1 << j; b++) {
			scalars *x = v + 2 * half * b;
			for (int i = 0; i < half; i++) {
				if (units && b == 0) unit(f, x + i, x + i + half, bound + j);
				else split(f, x + i, x + i + half, w + (1 << j) + b);
			}
		}
	}
}

// merge_stages runs them the other way round: the narrowest first. Values double from stage to stage.
INLINE void merge_stages(const field *f, scalars *v, int depth, const scalars *w, int units, int bound) {
	for (int j = depth - 1; j >= 0; j--) {
		const int half = 1 << (depth - 1 - j), k = bound + depth - 1 - j;
		for (int b = 0; b < 1 << j; b++) {
			scalars *x = v + 2 * half * b;
			for (int i = 0; i < half; i++) {
				if (units && b == 0) unit(f, x + i, x + i + half, k);
				else merge(f, x + i, x + i + half, w + (1 << j) + b, k);
			}
		}
	}
}
