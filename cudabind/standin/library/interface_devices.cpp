// The interface: the handshake, devices and memory.
#include "faults.h"
#include "memory.h"
#include "settings.h"

using namespace standin;

extern "C" {

pg_handshake_info pg_handshake(void) {
  pg_handshake_info info{};
  info.abi_version = PG_ABI_VERSION;
  info.error_bytes = sizeof(pg_error);
  info.device_bytes = sizeof(pg_device_info);
  info.msm_bytes = sizeof(pg_msm_config);
  info.constraints_bytes = sizeof(pg_constraints);
  std::snprintf(info.architectures, sizeof info.architectures, "none: CPU stand-in");
  return info;
}

pg_error pg_device_count(int32_t* count) {
  *count = 0;
  PG_TRY(refresh_settings());
  PG_TRY(enter(__func__));
  if (settings().devices == 0) return FAILURE(no_device, "PG_STANDIN_DEVICES=0");
  *count = settings().devices;
  return success();
}

pg_error pg_device_describe(int32_t device, pg_device_info* info) {
  PG_TRY(enter(__func__));
  PG_TRY(check_device(device));
  *info = pg_device_info{};
  std::snprintf(info->name, sizeof info->name, "CPU stand-in (tests only)");
  std::snprintf(info->pci, sizeof info->pci, "0000:%02x:00.0", device);
  info->total_bytes = settings().memory;
  info->multiprocessors = 1;
  return success();
}

pg_error pg_device_open(int32_t device) {
  PG_TRY(refresh_settings());
  PG_TRY(enter(__func__));
  return check_device(device);
}

pg_error pg_device_memory(int32_t device, uint64_t* free_bytes, uint64_t* total_bytes) {
  PG_TRY(enter(__func__));
  PG_TRY(check_device(device));
  const uint64_t total = settings().memory, used = used_bytes(device);
  *free_bytes = used < total ? total - used : 0;
  *total_bytes = total;
  return success();
}

pg_error pg_device_alloc(int32_t device, size_t bytes, void** device_pointer) {
  *device_pointer = nullptr;
  PG_TRY(enter(__func__));
  PG_TRY(check_device(device));
  PG_TRY(check_works(device));
  return device_alloc(device, bytes, device_pointer);
}

pg_error pg_device_free(int32_t device, void* device_pointer) {
  PG_TRY(enter(__func__));
  PG_TRY(check_works(device));
  return device_free(device, device_pointer);
}

pg_error pg_pinned_alloc(size_t bytes, void** host_pointer) {
  *host_pointer = nullptr;
  PG_TRY(enter(__func__));
  return pinned_alloc(bytes, host_pointer);
}

pg_error pg_pinned_free(void* host_pointer) {
  PG_TRY(enter(__func__));
  return pinned_free(host_pointer);
}

pg_error pg_pinned_register(void* host_pointer, size_t bytes) {
  PG_TRY(enter(__func__));
  return register_pages(host_pointer, bytes);
}

pg_error pg_pinned_unregister(void* host_pointer) {
  PG_TRY(enter(__func__));
  return unregister_pages(host_pointer);
}

}  // extern "C"
