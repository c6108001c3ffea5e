// Operations of the base field by number, one block of WIDTH elements at a time: for tests, which see no other way in.
#pragma once
#include "group.h"
#include "inverse.h"

static int probe(int operation, const uint64_t *a, const uint64_t *b, uint64_t *out) {
	fe x, y, r = fe_zero();
	int fine = 1;
	memcpy(&x, a, sizeof x), memcpy(&y, b, sizeof y);
	switch (operation) {
	case IFMA_MUL: fe_mul(&r, &x, &y); break;
	case IFMA_DOT: fe_dot(&r, &x, &y, &y, &y); break;
	case IFMA_DIFFERENCE: fe_difference(&r, &x, &y, BIAS); break;
	case IFMA_REDUCE: r = fe_reduce(x); break;
	case IFMA_CANONICAL: r = fe_canonical(x); break;
	case IFMA_INVERSE: fine = fe_inverse(&r, &x); break;
	default: fine = 0;
	}
	memcpy(out, &r, sizeof r);
	return fine;
}
