//go:build amd64

// Elementwise operations.
#include "lanes.h"
#include "memory.h"

// product is a b / 2^256: words a 16 and b are multiplied, and divided by R.
INLINE scalars product(const field *f, rows a, rows b) { return scalars_mul(f, rows_limbs(a, 4), rows_limbs(b, 0)); }

// eight does one operation on eight elements.
INLINE rows eight(const field *f, int operation, rows a, rows b, rows c) {
	scalars r;
	switch (operation) {
	case TRANSFORM_SUB: return stored(f, scalars_sub(f, rows_limbs(a, 0), rows_limbs(b, 0), 0), 1);
	case TRANSFORM_MUL_SUB: return stored(f, scalars_sub(f, product(f, a, b), rows_limbs(c, 0), 0), 1);
	case TRANSFORM_MUL: r = product(f, a, b); break;
	default: r = scalars_mul(f, rows_limbs(a, 0), rows_limbs(b, 0));
	}
	return limbs_rows(scalars_canonical(f, scalars_normal(r)));
}

// each goes through whole vectors; an operand that is a single scalar has step 0 and is loaded once.
INLINE void each(const field *f, int operation, uint64_t *dst, const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t count) {
	const rows factor = rows_load_strided(b, 0);
	for (size_t i = 0; i < count; i += LANES) {
		const size_t at = WORDS * i;
		const rows second = operation == TRANSFORM_SCALE ? factor : rows_load(b + at);
		rows_store(dst + at, eight(f, operation, rows_load(a + at), second, operation == TRANSFORM_MUL_SUB ? rows_load(c + at) : second));
	}
}

static void whole(const field *f, int operation, uint64_t *dst, const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t count) {
	switch (operation) {
	case TRANSFORM_MUL: each(f, TRANSFORM_MUL, dst, a, b, c, count); break;
	case TRANSFORM_SUB: each(f, TRANSFORM_SUB, dst, a, b, c, count); break;
	case TRANSFORM_MUL_SUB: each(f, TRANSFORM_MUL_SUB, dst, a, b, c, count); break;
	case TRANSFORM_SCALE: each(f, TRANSFORM_SCALE, dst, a, b, c, count); break;
	}
}

// part copies what is left of an operand, and zeros after it.
static const uint64_t *part(uint64_t to[WORDS * LANES], const uint64_t *from, size_t count) {
	memset(to, 0, sizeof(uint64_t) * WORDS * LANES);
	return memcpy(to, from, sizeof(uint64_t) * WORDS * count);
}

void transform_vector(const transform_field *f, int operation, uint64_t *dst, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                      size_t count) {
	const size_t body = count / LANES * LANES, rest = count - body, at = WORDS * body;
	const int scaled = operation == TRANSFORM_SCALE, three = operation == TRANSFORM_MUL_SUB;
	whole(f, operation, dst, a, b, c, body);
	if (rest == 0) return;
	uint64_t x[WORDS * LANES], y[WORDS * LANES], z[WORDS * LANES];
	whole(f, operation, x, part(x, a + at, rest), scaled ? b : part(y, b + at, rest), three ? part(z, c + at, rest) : NULL, LANES);
	memcpy(dst + at, x, sizeof(uint64_t) * WORDS * rest);
}
