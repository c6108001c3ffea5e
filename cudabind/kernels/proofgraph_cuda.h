/* The C interface of proofgraph's CUDA kernels: what cudabind loads at run time.
 *
 * Conventions
 *  - Every call returns a pg_error by value; code 0 is success. Nothing aborts, throws or exits.
 *  - No call but pg_device_alloc and pg_pinned_alloc takes device or pinned memory. Operations say beforehand how
 *    many bytes of tables and scratch they need (pg_..._bytes) and the caller hands these in, aligned to 256 bytes
 *    (as pg_device_alloc returns them). (Creating a device's context, pg_device_open, costs what CUDA costs.)
 *  - Operations are queued on a stream and return at once; their arguments must live until the stream has passed
 *    them. "device" and "host" in a comment say where a pointer points.
 *  - Field elements: 32-bit words, least significant first, Montgomery form with R = 2^(8 bytes), below p. Points:
 *    affine x, y (G2: x.c0, x.c1, y.c0, y.c1), infinity all zero. This is how gnark-crypto, snarkjs (.zkey) and
 *    little-endian machines in general lay them out. Scalars: 32 bytes, canonical or Montgomery by a flag.
 */
#ifndef PROOFGRAPH_CUDA_H
#define PROOFGRAPH_CUDA_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a signature, a struct or a meaning below changes. */
#define PG_ABI_VERSION 3

/* Codes of pg_error beyond CUDA's own (which are positive and below 10000). */
enum {
  PG_INVALID_ARGUMENT = 10001,
  PG_NOT_READY = 10002 /* pg_stream_query, pg_event_query: work is still under way */
};

typedef struct pg_error {
  int32_t code;
  int32_t line;
  char name[64];        /* CUDA's name of the error, or this header's */
  char file[160];       /* source file of the library */
  char expression[256]; /* what failed */
} pg_error;

/* 88 bytes in every version, with the number of the version first: a program of another one can read that it is. */
typedef struct pg_handshake_info {
  uint32_t abi_version;
  uint32_t error_bytes; /* sizeof(pg_error), pg_device_info, pg_msm_config, pg_constraints: the library's */
  uint32_t device_bytes;
  uint32_t msm_bytes;
  uint32_t constraints_bytes;
  int32_t cuda_runtime;   /* e.g. 13000 */
  int32_t cuda_driver;    /* 0 when no driver is installed */
  char architectures[64 - sizeof(uint32_t)]; /* the machine code inside, e.g. "80 90" */
} pg_handshake_info;

pg_handshake_info pg_handshake(void);

/* ---- devices -------------------------------------------------------------------------------------------- */

typedef struct pg_device_info {
  char name[256];
  char pci[32];
  uint64_t total_bytes;
  int32_t major, minor; /* compute capability */
  int32_t multiprocessors;
  int32_t l2_bytes;
} pg_device_info;

pg_error pg_device_count(int32_t *count);
pg_error pg_device_describe(int32_t device, pg_device_info *info);
pg_error pg_device_open(int32_t device); /* creates the device's context now rather than at first use */
pg_error pg_device_memory(int32_t device, uint64_t *free_bytes, uint64_t *total_bytes);

pg_error pg_device_alloc(int32_t device, size_t bytes, void **device_pointer);
pg_error pg_device_free(int32_t device, void *device_pointer);
pg_error pg_pinned_alloc(size_t bytes, void **host_pointer);
pg_error pg_pinned_free(void *host_pointer);
pg_error pg_pinned_register(void *host_pointer, size_t bytes); /* pins pages that exist already */
pg_error pg_pinned_unregister(void *host_pointer);

/* ---- streams and events --------------------------------------------------------------------------------- */

typedef struct pg_stream pg_stream;
typedef struct pg_event pg_event;

pg_error pg_stream_create(int32_t device, pg_stream **stream);
pg_error pg_stream_destroy(pg_stream *stream);
pg_error pg_stream_synchronize(pg_stream *stream);
pg_error pg_stream_query(pg_stream *stream); /* success, or PG_NOT_READY */
pg_error pg_stream_wait(pg_stream *stream, pg_event *event);

pg_error pg_event_create(int32_t device, pg_event **event);
pg_error pg_event_destroy(pg_event *event);
pg_error pg_event_record(pg_event *event, pg_stream *stream);
pg_error pg_event_synchronize(pg_event *event);
pg_error pg_event_query(pg_event *event);
pg_error pg_event_elapsed(pg_event *from, pg_event *to, float *milliseconds);

pg_error pg_copy_to_device(pg_stream *stream, void *device_to, const void *host_from, size_t bytes);
pg_error pg_copy_to_host(pg_stream *stream, void *host_to, const void *device_from, size_t bytes);
pg_error pg_copy_on_device(pg_stream *stream, void *device_to, const void *device_from, size_t bytes);
pg_error pg_fill(pg_stream *stream, void *device_to, int32_t byte, size_t bytes);

/* ---- vectors over the scalar fields --------------------------------------------------------------------- */

enum { PG_BN254 = 1, PG_BLS12_381 = 2 }; /* curves; their scalar fields name the vectors' fields */

enum {
  PG_ADD,     /* out = a + b */
  PG_SUB,     /* out = a - b */
  PG_MUL,     /* out = a b */
  PG_MUL_SUB, /* out = a b - c */
  PG_SCALE,   /* out = a k, k one element at b (device) */
  PG_TO_CANONICAL,
  PG_TO_MONTGOMERY
};

/* Element by element; unused operands may be null, out may be any operand. */
pg_error pg_pointwise(pg_stream *stream, int32_t curve, int32_t operation, size_t n, const void *device_a,
                      const void *device_b, const void *device_c, void *device_out);

/* ---- number-theoretic transforms ------------------------------------------------------------------------ */

enum { PG_FORWARD, PG_INVERSE };
enum {
  PG_NATURAL,     /* in and out in natural order */
  PG_TO_REVERSED, /* natural in, bit-reversed out: the cheaper one of a pair */
  PG_FROM_REVERSED
};

/* The twiddle table of transforms of 2^log_n elements, 1 <= log_n <= 28; root (host): the primitive 2^log_n-th
 * root of unity that a forward transform takes the powers of. */
size_t pg_ntt_table_bytes(int32_t curve, int32_t log_n);
pg_error pg_ntt_table_build(pg_stream *stream, int32_t curve, int32_t log_n, const void *host_root,
                            void *device_table);

/* factor base^i for i < 2^log_n, kept as two short rows; for cosets and scaling. base, factor (host). */
size_t pg_powers_bytes(int32_t curve, int32_t log_n);
pg_error pg_powers_build(pg_stream *stream, int32_t curve, int32_t log_n, const void *host_base,
                         const void *host_factor, void *device_powers);

/* In place. The inverse is scaled by 1/n. powers (device, may be null): coefficient i is multiplied by powers[i],
 * before a forward and after an inverse transform, whatever the order. With powers the inverse is not scaled:
 * give 1/n as their factor. */
pg_error pg_ntt(pg_stream *stream, int32_t curve, int32_t log_n, const void *device_table, int32_t direction,
                int32_t order, const void *device_powers, void *device_data);

pg_error pg_bit_reverse(pg_stream *stream, int32_t curve, int32_t log_n, void *device_data);

/* Groth16's quotient from the evaluations a, b, c (device, natural order, all three overwritten; the result is in
 * a). forth: powers of the coset's shift with factor 1/n.
 *  back null: the evaluations of A B - C on the coset, which snarkjs's keys take (shift a 2^(log_n+1)-th root of
 *  unity).
 *  back given: the coefficients of (A B - C) Z^-1, which bellman's keys take; back holds powers of the inverse
 *  shift with factor 1/(n Z(shift)), Z(shift) = shift^n - 1.
 * canonical: not zero for a result in plain integers, as pg_msm_start takes by default. */
pg_error pg_quotient(pg_stream *stream, int32_t curve, int32_t log_n, const void *device_table,
                     const void *device_forth, const void *device_back, int32_t canonical, void *device_a,
                     void *device_b, void *device_c);

/* ---- constraint systems --------------------------------------------------------------------------------- */

/* Set in a term's wire where the term is of B: wires are numbered below it. */
#define PG_TERM_OF_B 0x80000000u

/* The most terms of a part of several rows. */
#define PG_PART_TERMS 1024

/* The coefficients of A and B, row by row. The numbers on the device have 32 bits; there are at most 2^31 wires and
 * terms.
 *  starts: rows + 1, the last being `terms`: row r has the terms starts[r] to starts[r + 1] - 1, A's and B's in any order.
 *  parts: parts + 1 numbers of rows, from 0 to `rows`: what a block of threads evaluates. A part has at most
 *    PG_PART_TERMS terms, or is a single row.
 *  term_wires: a term's wire, below `wires`, with PG_TERM_OF_B.
 *  term_codes: which of the values is the term's; null: term i has value i.
 *  elements: the values, coefficients times R^2: a product with a canonical witness is in Montgomery form. */
typedef struct pg_constraints {
  size_t rows, parts, terms, values, wires;
  const void *device_starts, *device_parts, *device_term_wires, *device_term_codes, *device_elements;
} pg_constraints;

/* a = A w, b = B w and c = a b, `rows` elements each in Montgomery form, from the canonical witness w of `wires`
 * elements. constraints (host) is read before the call returns. */
pg_error pg_evaluate(pg_stream *stream, int32_t curve, const pg_constraints *constraints, const void *device_witness,
                     void *device_a, void *device_b, void *device_c);

/* ---- multi-scalar multiplication ------------------------------------------------------------------------ */

enum { PG_BN254_G1 = 1, PG_BN254_G2 = 2, PG_BLS12_381_G1 = 3, PG_BLS12_381_G2 = 4 };

typedef struct pg_msm_config {
  int32_t group;
  int32_t window_bits;         /* 0: chosen by pg_msm_configure */
  int32_t copies;              /* of each base in the table: 1 for plain bases, see pg_msm_table_build */
  int32_t scalars_montgomery;  /* 0: canonical integers */
} pg_msm_config;

/* Fills in window_bits where it is 0, for sums of about n points with full-width scalars, lowers copies to those that
 * would be used, and checks the rest. Any number of points may then be summed with the config; where most scalars are
 * 0 or 1, n should count the others. */
pg_error pg_msm_configure(pg_msm_config *config, size_t n);

/* Device scratch of one MSM of up to n points, and its pinned (or plain) host result. config as configured. */
size_t pg_msm_scratch_bytes(const pg_msm_config *config, size_t n);
size_t pg_msm_result_bytes(const pg_msm_config *config);

/* Queues the MSM of n scalars and bases (device); the sum's parts arrive in result (host). Bases are of the group's
 * prime order: a scalar s may be taken as its negative's negative, s - r. */
pg_error pg_msm_start(pg_stream *stream, const pg_msm_config *config, size_t n, const void *device_bases,
                      const void *device_scalars, void *device_scratch, void *host_result);

/* Adds up the parts, on the CPU, once the stream has passed; point (host): affine. */
pg_error pg_msm_finish(const pg_msm_config *config, const void *host_result, void *host_point);

/* Fixed bases with precomputed multiples: copy j of the n bases holds 2^(j s) times each, so that an MSM needs a
 * copies-th of the buckets. Table: copies * n points, in copies blocks of n. Scratch: pg_msm_table_scratch_bytes. */
size_t pg_msm_table_scratch_bytes(const pg_msm_config *config, size_t n);
pg_error pg_msm_table_build(pg_stream *stream, const pg_msm_config *config, size_t n, const void *device_bases,
                            void *device_table, void *device_scratch);

/* Many multiples of one point (development keys): out[i] = scalars[i] * base, affine. base (host). */
size_t pg_fixed_base_scratch_bytes(int32_t group, size_t n);
pg_error pg_fixed_base_start(pg_stream *stream, int32_t group, size_t n, const void *host_base,
                             const void *device_scalars, int32_t scalars_montgomery, void *device_scratch,
                             void *device_out);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
