// The C side of the package: what Go calls. No function here allocates or keeps memory; every pointer is the caller's.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define LIMBS 5     // of 52 bits, of a scalar inside
#define WORDS 4     // of 64 bits, of a scalar in memory
#define MAX_DEPTH 5 // stages that one pass joins

// A prime field with 2^253 < p < 2^255, as 52-bit limbs, least first. R is 2^260.
typedef struct {
	uint64_t p[LIMBS];
	uint64_t complement[LIMBS];               // R - p
	uint64_t bias[MAX_DEPTH][LIMBS];          // (2^k + 1) p, its lower limbs raised by 2^(57+k) at the next ones' cost
	uint64_t minus_inverse;                   // -1/p mod 2^52
	uint64_t quotient;                        // floor(2^304 / p)
} transform_field;

// A table of twiddle factors holds the sequence T as T[h 2^TABLE_BITS + l] = high[h] low[l], each entry times R, in words: the low
// entries first, 2^TABLE_BITS of them.
#define TABLE_BITS 8

// Elementwise operations, on count scalars of WORDS words; dst may be an operand.
enum {
	TRANSFORM_MUL,     // a b / 2^256
	TRANSFORM_SUB,     // a - b
	TRANSFORM_MUL_SUB, // a b / 2^256 - c
	TRANSFORM_SCALE,   // a b[0] / R
};
void transform_vector(const transform_field *f, int operation, uint64_t *dst, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                      size_t count);

// transform_columns joins `depth` stages of the blocks of 2^log_block elements of v. A tile is eight neighbouring columns of a
// block seen as a matrix of 2^depth rows; tiles [from, to) are done, counted through all blocks. merge tells the direction, final
// whether the results are to be fully reduced.
void transform_columns(const transform_field *f, const uint64_t *table, uint64_t *v, uint32_t log_block, uint32_t depth,
                       size_t from, size_t to, int merge, int final);

// The steps that transform_leaves does with the blocks of eight elements, in this order.
enum {
	TRANSFORM_SPLIT = 1,  // the last three stages from natural to bit-reversed places
	TRANSFORM_SCALED = 2, // times the factor
	TRANSFORM_SHIFT = 4,  // element i times T[i], and times the factor
	TRANSFORM_MERGE = 8,  // the first three stages back
	TRANSFORM_FINAL = 16, // results are fully reduced
};
// transform_leaves works on groups [from, to) of 64 elements of v. The split has a table of its own. factor is one scalar, times R.
void transform_leaves(const transform_field *f, const uint64_t *split_table, const uint64_t *table, const uint64_t *factor,
                      uint64_t *v, size_t from, size_t to, int steps);

// transform_rows evaluates rows [first_row, first_row + rows) from the count coefficient records that they have, in the order of
// rows: see engine.ConstraintEngine. witness is canonical, `signals` scalars of 32 bytes at any alignment, as records are; a, b and c
// are where the rows go, or NULL. It returns 0, or 1 where a record is out of range.
int transform_rows(const transform_field *f, const uint8_t *records, size_t count, size_t first_row, size_t rows,
                   const uint8_t *witness, size_t signals, uint64_t *a, uint64_t *b, uint64_t *c);

// transform_supported tells whether this processor and system can run the kernels.
int transform_supported(void);
