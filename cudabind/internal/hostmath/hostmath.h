#pragma once
#include <stdint.h>

#include "../../kernels/proofgraph_cuda.h"

enum {
  HOSTMATH_BN254_FP,
  HOSTMATH_BN254_FR,
  HOSTMATH_BN254_FP2,
  HOSTMATH_BLS12_381_FP,
  HOSTMATH_BLS12_381_FR,
  HOSTMATH_BLS12_381_FP2,
  HOSTMATH_BN254_FP2_HALVES, /* the same, held by two lanes: two threads here */
  HOSTMATH_BLS12_381_FP2_HALVES,
};

enum {
  HOSTMATH_ADD,
  HOSTMATH_SUB,
  HOSTMATH_MUL,
  HOSTMATH_SQUARE,
  HOSTMATH_DOT, /* ab + ba under one reduction */
  HOSTMATH_INVERSE,
  HOSTMATH_NEGATE,
};

enum {
  HOSTMATH_LIFTED,
  HOSTMATH_LOWERED_TO_FLOOR, /* lowered(floor) */
  HOSTMATH_LOWERED,          /* lowered(0) */
  HOSTMATH_REDUCED,
  HOSTMATH_NOT_BELOW_ZERO,
};

#ifdef __cplusplus
extern "C" {
#endif

/* out = op(a, b), elements in memory form (Montgomery, little-endian). */
void hostmath_field(int field, int op, const void *a, const void *b, void *out);

/* out = 2^doublings times the signed sum of n affine points; halves: as two sums added at the end. */
void hostmath_sum(int field, const void *points, const uint8_t *negative, long n, long doublings, int halves,
                  void *out);

/* Rows of a constraint system, with the steps of a block of so many threads taken one thread after the other. All
 * pointers are the host's; field is a scalar field. */
void hostmath_evaluate(int field, const pg_constraints *of, long threads, const void *witness, void *a, void *b, void *c);
/* Sums of runs of equal keys among n affine points with their keys, after `rounds` rounds of affine additions: writes
 * a key and an affine point for each run, and returns how many. */
long hostmath_runs(int field, const void *points, const uint8_t *negative, const uint32_t *keys, long n, int rounds,
                   uint32_t *out_keys, void *out);

/* A known factor from its element: the factor, its quotient (a word more), and its product with x, any 32 bytes. field
 * is a scalar field. */
void hostmath_known(int field, const void *element, const void *x, void *factor, void *quotient, void *out);
/* out = op(x), any 32 bytes, and the floor in ulps. */
uint32_t hostmath_loose(int field, int op, const void *x, void *out);

/* The same with the products of the device. */
long hostmath_rows_runs(int field, const void *points, const uint8_t *negative, const uint32_t *keys, long n,
                        int rounds, uint32_t *out_keys, void *out);
void hostmath_rows_field(int field, int op, const void *a, const void *b, void *out);
void hostmath_rows_sum(int field, const void *points, const uint8_t *negative, long n, long doublings, int halves,
                       void *out);
void hostmath_rows_evaluate(int field, const pg_constraints *of, long threads, const void *witness, void *a, void *b,
                            void *c);

#ifdef __cplusplus
}
#endif
