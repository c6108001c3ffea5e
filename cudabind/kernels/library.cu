// The C interface: arguments checked, devices made current, and the call sent to its field or group.
#include <cstdlib>
#include <new>

#include "moduli.cuh"
#include "fp2.cuh"
#include "msm.cuh"
#include "vectors.cuh"

#ifndef PG_ARCHITECTURES
#define PG_ARCHITECTURES "unknown"
#endif

struct pg_stream {
  int device;
  cudaStream_t handle;
};

struct pg_event {
  int device;
  cudaEvent_t handle;
};

using namespace pg;

namespace {

pg_error not_ready(const char* expression) {
  return failure(PG_NOT_READY, "PG_NOT_READY", expression, __FILE__, __LINE__);
}

pg_error enter(const pg_stream* stream) {
  PG_REQUIRE(stream != nullptr);
  PG_TRY_CUDA(cudaSetDevice(stream->device));
  return success();
}

// Calls `with` with the vectors of the curve's scalar field.
template <class With>
pg_error for_curve(int32_t curve, With with) {
  PG_REQUIRE(curve == PG_BN254 || curve == PG_BLS12_381);
  return curve == PG_BN254 ? with(Vectors<Bn254Fr>{}) : with(Vectors<Bls381Fr>{});
}

template <class With>
auto for_group(int32_t group, With with) {
  switch (group) {
    case PG_BN254_G1: return with(Msm<Field<Bn254Fp>, Bn254Fr>{});
    case PG_BN254_G2: return with(Msm<Quadratic<Bn254Fp>, Bn254Fr>{});
    case PG_BLS12_381_G1: return with(Msm<Field<Bls381Fp>, Bls381Fr>{});
    default: return with(Msm<Quadratic<Bls381Fp>, Bls381Fr>{});
  }
}

pg_error check_log(int32_t log_n) {
  PG_REQUIRE(1 <= log_n && log_n <= 28);
  return success();
}

pg_error check_constraints(const pg_constraints* c) {
  PG_REQUIRE(c != nullptr);
  PG_REQUIRE(c->terms <= PG_TERM_OF_B && c->parts < PG_TERM_OF_B && c->wires <= PG_TERM_OF_B);
  PG_REQUIRE(c->rows == 0 || (c->parts && c->device_starts && c->device_parts));
  PG_REQUIRE(c->terms == 0 || (c->device_term_wires && c->device_elements));
  PG_REQUIRE(c->device_term_codes || c->values == c->terms);
  return success();
}

bool known_group(int32_t group) { return PG_BN254_G1 <= group && group <= PG_BLS12_381_G2; }

pg_error check_config(const pg_msm_config* config) {
  PG_REQUIRE(config != nullptr);
  PG_REQUIRE(known_group(config->group));
  PG_REQUIRE(2 <= config->window_bits && config->window_bits <= 23);
  PG_REQUIRE(1 <= config->copies && config->copies <= 64);
  return success();
}

}  // namespace

extern "C" {

pg_handshake_info pg_handshake(void) {
  pg_handshake_info info{};
  info.abi_version = PG_ABI_VERSION;
  info.error_bytes = sizeof(pg_error);
  info.device_bytes = sizeof(pg_device_info);
  info.msm_bytes = sizeof(pg_msm_config);
  info.constraints_bytes = sizeof(pg_constraints);
  if (cudaRuntimeGetVersion(&info.cuda_runtime) != cudaSuccess) info.cuda_runtime = 0;
  if (cudaDriverGetVersion(&info.cuda_driver) != cudaSuccess) info.cuda_driver = 0;
  std::snprintf(info.architectures, sizeof info.architectures, "%s", PG_ARCHITECTURES);
  return info;
}

pg_error pg_device_count(int32_t* count) {
  *count = 0;
  PG_TRY_CUDA(cudaGetDeviceCount(count));
  return success();
}

pg_error pg_device_describe(int32_t device, pg_device_info* info) {
  cudaDeviceProp properties{};
  PG_TRY_CUDA(cudaGetDeviceProperties(&properties, device));
  *info = pg_device_info{};
  std::snprintf(info->name, sizeof info->name, "%s", properties.name);
  PG_TRY_CUDA(cudaDeviceGetPCIBusId(info->pci, sizeof info->pci, device));
  info->total_bytes = properties.totalGlobalMem;
  info->major = properties.major;
  info->minor = properties.minor;
  info->multiprocessors = properties.multiProcessorCount;
  info->l2_bytes = properties.l2CacheSize;
  return success();
}

// Threads that wait sleep: by default each would keep a core busy that stages of the CPU could use.
pg_error pg_device_open(int32_t device) {
  PG_TRY_CUDA(cudaSetDevice(device));
  PG_TRY_CUDA(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  PG_TRY_CUDA(cudaFree(nullptr));
  return success();
}

pg_error pg_device_memory(int32_t device, uint64_t* free_bytes, uint64_t* total_bytes) {
  size_t free_now = 0, total = 0;
  PG_TRY_CUDA(cudaSetDevice(device));
  PG_TRY_CUDA(cudaMemGetInfo(&free_now, &total));
  *free_bytes = free_now;
  *total_bytes = total;
  return success();
}

pg_error pg_device_alloc(int32_t device, size_t bytes, void** device_pointer) {
  *device_pointer = nullptr;
  PG_TRY_CUDA(cudaSetDevice(device));
  PG_TRY_CUDA(cudaMalloc(device_pointer, bytes));
  return success();
}

pg_error pg_device_free(int32_t device, void* device_pointer) {
  PG_TRY_CUDA(cudaSetDevice(device));
  PG_TRY_CUDA(cudaFree(device_pointer));
  return success();
}

pg_error pg_pinned_alloc(size_t bytes, void** host_pointer) {
  *host_pointer = nullptr;
  PG_TRY_CUDA(cudaHostAlloc(host_pointer, bytes, cudaHostAllocPortable));
  return success();
}

pg_error pg_pinned_free(void* host_pointer) {
  PG_TRY_CUDA(cudaFreeHost(host_pointer));
  return success();
}

pg_error pg_pinned_register(void* host_pointer, size_t bytes) {
  PG_TRY_CUDA(cudaHostRegister(host_pointer, bytes, cudaHostRegisterPortable));
  return success();
}

pg_error pg_pinned_unregister(void* host_pointer) {
  PG_TRY_CUDA(cudaHostUnregister(host_pointer));
  return success();
}

pg_error pg_stream_create(int32_t device, pg_stream** stream) {
  *stream = nullptr;
  cudaStream_t handle;
  PG_TRY_CUDA(cudaSetDevice(device));
  PG_TRY_CUDA(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking));
  *stream = new (std::nothrow) pg_stream{device, handle};
  PG_REQUIRE(*stream != nullptr);
  return success();
}

pg_error pg_stream_destroy(pg_stream* stream) {
  PG_TRY(enter(stream));
  const cudaError_t status = cudaStreamDestroy(stream->handle);
  delete stream;
  PG_TRY_CUDA(status);
  return success();
}

pg_error pg_stream_synchronize(pg_stream* stream) {
  PG_TRY(enter(stream));
  PG_TRY_CUDA(cudaStreamSynchronize(stream->handle));
  return success();
}

pg_error pg_stream_query(pg_stream* stream) {
  PG_TRY(enter(stream));
  const cudaError_t status = cudaStreamQuery(stream->handle);
  if (status == cudaErrorNotReady) return not_ready("cudaStreamQuery");
  PG_TRY_CUDA(status);
  return success();
}

pg_error pg_stream_wait(pg_stream* stream, pg_event* event) {
  PG_TRY(enter(stream));
  PG_REQUIRE(event != nullptr);
  PG_TRY_CUDA(cudaStreamWaitEvent(stream->handle, event->handle, 0));
  return success();
}

pg_error pg_event_create(int32_t device, pg_event** event) {
  *event = nullptr;
  cudaEvent_t handle;
  PG_TRY_CUDA(cudaSetDevice(device));
  PG_TRY_CUDA(cudaEventCreateWithFlags(&handle, cudaEventBlockingSync));
  *event = new (std::nothrow) pg_event{device, handle};
  PG_REQUIRE(*event != nullptr);
  return success();
}

pg_error pg_event_destroy(pg_event* event) {
  PG_REQUIRE(event != nullptr);
  PG_TRY_CUDA(cudaSetDevice(event->device));
  const cudaError_t status = cudaEventDestroy(event->handle);
  delete event;
  PG_TRY_CUDA(status);
  return success();
}

pg_error pg_event_record(pg_event* event, pg_stream* stream) {
  PG_TRY(enter(stream));
  PG_REQUIRE(event != nullptr);
  PG_TRY_CUDA(cudaEventRecord(event->handle, stream->handle));
  return success();
}

pg_error pg_event_synchronize(pg_event* event) {
  PG_REQUIRE(event != nullptr);
  PG_TRY_CUDA(cudaSetDevice(event->device));
  PG_TRY_CUDA(cudaEventSynchronize(event->handle));
  return success();
}

pg_error pg_event_query(pg_event* event) {
  PG_REQUIRE(event != nullptr);
  PG_TRY_CUDA(cudaSetDevice(event->device));
  const cudaError_t status = cudaEventQuery(event->handle);
  if (status == cudaErrorNotReady) return not_ready("cudaEventQuery");
  PG_TRY_CUDA(status);
  return success();
}

pg_error pg_event_elapsed(pg_event* from, pg_event* to, float* milliseconds) {
  PG_REQUIRE(from != nullptr && to != nullptr);
  PG_TRY_CUDA(cudaSetDevice(from->device));
  PG_TRY_CUDA(cudaEventElapsedTime(milliseconds, from->handle, to->handle));
  return success();
}

pg_error pg_copy_to_device(pg_stream* stream, void* to, const void* from, size_t bytes) {
  PG_TRY(enter(stream));
  PG_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream->handle));
  return success();
}

pg_error pg_copy_to_host(pg_stream* stream, void* to, const void* from, size_t bytes) {
  PG_TRY(enter(stream));
  PG_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream->handle));
  return success();
}

pg_error pg_copy_on_device(pg_stream* stream, void* to, const void* from, size_t bytes) {
  PG_TRY(enter(stream));
  PG_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream->handle));
  return success();
}

pg_error pg_fill(pg_stream* stream, void* to, int32_t byte, size_t bytes) {
  PG_TRY(enter(stream));
  PG_TRY_CUDA(cudaMemsetAsync(to, byte, bytes, stream->handle));
  return success();
}

pg_error pg_pointwise(pg_stream* stream, int32_t curve, int32_t operation, size_t n, const void* a, const void* b,
                      const void* c, void* out) {
  PG_TRY(enter(stream));
  PG_REQUIRE(PG_ADD <= operation && operation <= PG_TO_MONTGOMERY);
  PG_REQUIRE(n == 0 || (a && out && (b || operation >= PG_TO_CANONICAL) && (c || operation != PG_MUL_SUB)));
  return for_curve(curve, [&](auto v) { return v.pointwise(stream->handle, operation, n, a, b, c, out); });
}

size_t pg_ntt_table_bytes(int32_t curve, int32_t log_n) {
  if (check_log(log_n).code) return 0;
  return curve == PG_BN254 ? Vectors<Bn254Fr>::table_bytes(log_n) : Vectors<Bls381Fr>::table_bytes(log_n);
}

pg_error pg_ntt_table_build(pg_stream* stream, int32_t curve, int32_t log_n, const void* root, void* table) {
  PG_TRY(enter(stream));
  PG_TRY(check_log(log_n));
  PG_REQUIRE(root && table);
  return for_curve(curve, [&](auto v) { return v.build_table(stream->handle, log_n, root, table); });
}

size_t pg_powers_bytes(int32_t curve, int32_t log_n) {
  if (check_log(log_n).code) return 0;
  return curve == PG_BN254 ? Vectors<Bn254Fr>::powers_bytes(log_n) : Vectors<Bls381Fr>::powers_bytes(log_n);
}

pg_error pg_powers_build(pg_stream* stream, int32_t curve, int32_t log_n, const void* base, const void* factor,
                         void* powers) {
  PG_TRY(enter(stream));
  PG_TRY(check_log(log_n));
  PG_REQUIRE(base && factor && powers);
  return for_curve(curve, [&](auto v) { return v.build_powers(stream->handle, log_n, base, factor, powers); });
}

pg_error pg_ntt(pg_stream* stream, int32_t curve, int32_t log_n, const void* table, int32_t direction, int32_t order,
                const void* powers, void* data) {
  PG_TRY(enter(stream));
  PG_TRY(check_log(log_n));
  PG_REQUIRE(table && data);
  PG_REQUIRE(direction == PG_FORWARD || direction == PG_INVERSE);
  PG_REQUIRE(PG_NATURAL <= order && order <= PG_FROM_REVERSED);
  return for_curve(curve, [&](auto v) { return v.ntt(stream->handle, log_n, table, direction, order, powers, data); });
}

pg_error pg_bit_reverse(pg_stream* stream, int32_t curve, int32_t log_n, void* data) {
  PG_TRY(enter(stream));
  PG_TRY(check_log(log_n));
  PG_REQUIRE(data != nullptr);
  return for_curve(curve, [&](auto v) { return v.bit_reverse(stream->handle, log_n, data); });
}

pg_error pg_quotient(pg_stream* stream, int32_t curve, int32_t log_n, const void* table, const void* forth,
                     const void* back, int32_t canonical, void* a, void* b, void* c) {
  PG_TRY(enter(stream));
  PG_TRY(check_log(log_n));
  PG_REQUIRE(table && forth && a && b && c);
  return for_curve(curve, [&](auto v) {
    return v.quotient(stream->handle, log_n, table, forth, back, canonical != 0, a, b, c);
  });
}

pg_error pg_evaluate(pg_stream* stream, int32_t curve, const pg_constraints* constraints, const void* witness, void* a,
                     void* b, void* c) {
  PG_TRY(enter(stream));
  PG_TRY(check_constraints(constraints));
  PG_REQUIRE(constraints->rows == 0 || (a && b && c));
  PG_REQUIRE(constraints->terms == 0 || witness);
  return for_curve(curve, [&](auto v) { return v.evaluate(stream->handle, *constraints, witness, a, b, c); });
}

pg_error pg_msm_configure(pg_msm_config* config, size_t n) {
  PG_REQUIRE(config != nullptr);
  PG_REQUIRE(known_group(config->group));
  if (config->copies < 1) config->copies = 1;
  if (config->window_bits == 0)
    config->window_bits =
        for_group(config->group, [&](auto m) { return decltype(m)::best_window_bits(n, config->copies); });
  PG_TRY(check_config(config));
  config->copies = for_group(config->group, [&](auto m) { return decltype(m)::useful_copies(*config); });
  return success();
}

size_t pg_msm_scratch_bytes(const pg_msm_config* config, size_t n) {
  if (check_config(config).code) return 0;
  return for_group(config->group, [&](auto m) { return decltype(m)::scratch_bytes(*config, n); });
}

size_t pg_msm_result_bytes(const pg_msm_config* config) {
  if (check_config(config).code) return 0;
  return for_group(config->group, [&](auto m) { return decltype(m)::result_bytes(*config); });
}

pg_error pg_msm_start(pg_stream* stream, const pg_msm_config* config, size_t n, const void* bases,
                      const void* scalars, void* scratch, void* result) {
  PG_TRY(enter(stream));
  PG_TRY(check_config(config));
  PG_REQUIRE(result && (n == 0 || (bases && scalars && scratch)));
  return for_group(config->group, [&](auto m) {
    return decltype(m)::start(stream->handle, *config, n, bases, scalars, scratch, result);
  });
}

pg_error pg_msm_finish(const pg_msm_config* config, const void* result, void* point) {
  PG_TRY(check_config(config));
  PG_REQUIRE(result && point);
  return for_group(config->group, [&](auto m) { return decltype(m)::finish(*config, result, point); });
}

size_t pg_msm_table_scratch_bytes(const pg_msm_config* config, size_t n) {
  if (check_config(config).code) return 0;
  return for_group(config->group, [&](auto m) { return decltype(m)::table_scratch_bytes(n); });
}

pg_error pg_msm_table_build(pg_stream* stream, const pg_msm_config* config, size_t n, const void* bases, void* table,
                            void* scratch) {
  PG_TRY(enter(stream));
  PG_TRY(check_config(config));
  PG_REQUIRE(n == 0 || (bases && table && scratch));
  return for_group(config->group, [&](auto m) {
    return decltype(m)::build_table(stream->handle, *config, n, bases, table, scratch);
  });
}

size_t pg_fixed_base_scratch_bytes(int32_t group, size_t n) {
  if (!known_group(group)) return 0;
  return for_group(group, [&](auto m) { return decltype(m)::fixed_base_scratch_bytes(n); });
}

pg_error pg_fixed_base_start(pg_stream* stream, int32_t group, size_t n, const void* base, const void* scalars,
                             int32_t scalars_montgomery, void* scratch, void* out) {
  PG_TRY(enter(stream));
  PG_REQUIRE(known_group(group));
  PG_REQUIRE(base && (n == 0 || (scalars && scratch && out)));
  return for_group(group, [&](auto m) {
    return decltype(m)::fixed_base(stream->handle, n, base, scalars, scalars_montgomery != 0, scratch, out);
  });
}

}  // extern "C"
