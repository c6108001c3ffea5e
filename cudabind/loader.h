/* The kernel library's entry points, found at run time by dlopen and dlsym. */
#pragma once
#include "kernels/proofgraph_cuda.h"

/* X(return type, name, parameters, arguments) for every call, in the header's order. */
#define PG_CALLS(X)                                                                                                    \
  X(pg_handshake_info, pg_handshake, (void), ())                                                                       \
  X(pg_error, pg_device_count, (int32_t * count), (count))                                                             \
  X(pg_error, pg_device_describe, (int32_t device, pg_device_info * info), (device, info))                             \
  X(pg_error, pg_device_open, (int32_t device), (device))                                                              \
  X(pg_error, pg_device_memory, (int32_t device, uint64_t * free_bytes, uint64_t * total), (device, free_bytes, total)) \
  X(pg_error, pg_device_alloc, (int32_t device, size_t bytes, void **pointer), (device, bytes, pointer))               \
  X(pg_error, pg_device_free, (int32_t device, void *pointer), (device, pointer))                                      \
  X(pg_error, pg_pinned_alloc, (size_t bytes, void **pointer), (bytes, pointer))                                       \
  X(pg_error, pg_pinned_free, (void *pointer), (pointer))                                                              \
  X(pg_error, pg_pinned_register, (void *pointer, size_t bytes), (pointer, bytes))                                     \
  X(pg_error, pg_pinned_unregister, (void *pointer), (pointer))                                                        \
  X(pg_error, pg_stream_create, (int32_t device, pg_stream * *stream), (device, stream))                               \
  X(pg_error, pg_stream_destroy, (pg_stream * stream), (stream))                                                       \
  X(pg_error, pg_stream_synchronize, (pg_stream * stream), (stream))                                                   \
  X(pg_error, pg_stream_query, (pg_stream * stream), (stream))                                                         \
  X(pg_error, pg_stream_wait, (pg_stream * stream, pg_event * event), (stream, event))                                 \
  X(pg_error, pg_event_create, (int32_t device, pg_event * *event), (device, event))                                   \
  X(pg_error, pg_event_destroy, (pg_event * event), (event))                                                           \
  X(pg_error, pg_event_record, (pg_event * event, pg_stream * stream), (event, stream))                                \
  X(pg_error, pg_event_synchronize, (pg_event * event), (event))                                                       \
  X(pg_error, pg_event_query, (pg_event * event), (event))                                                             \
  X(pg_error, pg_event_elapsed, (pg_event * from, pg_event * to, float *ms), (from, to, ms))                           \
  X(pg_error, pg_copy_to_device, (pg_stream * s, void *to, const void *from, size_t bytes), (s, to, from, bytes))      \
  X(pg_error, pg_copy_to_host, (pg_stream * s, void *to, const void *from, size_t bytes), (s, to, from, bytes))        \
  X(pg_error, pg_copy_on_device, (pg_stream * s, void *to, const void *from, size_t bytes), (s, to, from, bytes))      \
  X(pg_error, pg_fill, (pg_stream * s, void *to, int32_t byte, size_t bytes), (s, to, byte, bytes))                    \
  X(pg_error, pg_pointwise,                                                                                            \
    (pg_stream * s, int32_t curve, int32_t op, size_t n, const void *a, const void *b, const void *c, void *out),      \
    (s, curve, op, n, a, b, c, out))                                                                                   \
  X(size_t, pg_ntt_table_bytes, (int32_t curve, int32_t log_n), (curve, log_n))                                        \
  X(pg_error, pg_ntt_table_build, (pg_stream * s, int32_t curve, int32_t log_n, const void *root, void *table),        \
    (s, curve, log_n, root, table))                                                                                    \
  X(size_t, pg_powers_bytes, (int32_t curve, int32_t log_n), (curve, log_n))                                           \
  X(pg_error, pg_powers_build,                                                                                         \
    (pg_stream * s, int32_t curve, int32_t log_n, const void *base, const void *factor, void *powers),                 \
    (s, curve, log_n, base, factor, powers))                                                                           \
  X(pg_error, pg_ntt,                                                                                                  \
    (pg_stream * s, int32_t curve, int32_t log_n, const void *table, int32_t direction, int32_t order,                 \
     const void *powers, void *data),                                                                                  \
    (s, curve, log_n, table, direction, order, powers, data))                                                          \
  X(pg_error, pg_bit_reverse, (pg_stream * s, int32_t curve, int32_t log_n, void *data), (s, curve, log_n, data))      \
  X(pg_error, pg_quotient,                                                                                             \
    (pg_stream * s, int32_t curve, int32_t log_n, const void *table, const void *forth, const void *back,              \
     int32_t canonical, void *a, void *b, void *c),                                                                    \
    (s, curve, log_n, table, forth, back, canonical, a, b, c))                                                         \
  X(pg_error, pg_evaluate,                                                                                             \
    (pg_stream * s, int32_t curve, const pg_constraints *constraints, const void *witness, void *a, void *b, void *c), \
    (s, curve, constraints, witness, a, b, c))                                                                         \
  X(pg_error, pg_msm_configure, (pg_msm_config * config, size_t n), (config, n))                                       \
  X(size_t, pg_msm_scratch_bytes, (const pg_msm_config *config, size_t n), (config, n))                                \
  X(size_t, pg_msm_result_bytes, (const pg_msm_config *config), (config))                                              \
  X(pg_error, pg_msm_start,                                                                                            \
    (pg_stream * s, const pg_msm_config *config, size_t n, const void *bases, const void *scalars, void *scratch,      \
     void *result),                                                                                                    \
    (s, config, n, bases, scalars, scratch, result))                                                                   \
  X(pg_error, pg_msm_finish, (const pg_msm_config *config, const void *result, void *point), (config, result, point))  \
  X(size_t, pg_msm_table_scratch_bytes, (const pg_msm_config *config, size_t n), (config, n))                          \
  X(pg_error, pg_msm_table_build,                                                                                      \
    (pg_stream * s, const pg_msm_config *config, size_t n, const void *bases, void *table, void *scratch),             \
    (s, config, n, bases, table, scratch))                                                                             \
  X(size_t, pg_fixed_base_scratch_bytes, (int32_t group, size_t n), (group, n))                                        \
  X(pg_error, pg_fixed_base_start,                                                                                     \
    (pg_stream * s, int32_t group, size_t n, const void *base, const void *scalars, int32_t montgomery, void *scratch, \
     void *out),                                                                                                       \
    (s, group, n, base, scalars, montgomery, scratch, out))

/* Opens the library at path and points every pg_ call of this program at it; loader.c implements those calls by
 * forwarding. Once per process. On failure returns 0 with a sentence in problem, and nothing has changed. */
int load_library(const char *path, pg_handshake_info *info, char *problem, size_t problem_bytes);
