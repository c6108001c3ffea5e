// The interface: copies and fills. They need no alignment.
#include "operation.h"

using namespace standin;

namespace {

std::function<pg_error()> copying(void* to, const void* from, size_t bytes) {
  return [=] {
    if (bytes) std::memcpy(to, from, bytes);
    return success();
  };
}

}  // namespace

extern "C" {

pg_error pg_copy_to_device(pg_stream* stream, void* device_to, const void* host_from, size_t bytes) {
  Operation call(stream, __func__);
  void* to = call.writes("the device's side", device_to, bytes, 1);
  const void* from = call.reads_host("the host's side", host_from, bytes);
  return call.queue(copying(to, from, bytes));
}

pg_error pg_copy_to_host(pg_stream* stream, void* host_to, const void* device_from, size_t bytes) {
  Operation call(stream, __func__);
  void* to = call.writes_host("the host's side", host_to, bytes);
  const void* from = call.reads("the device's side", device_from, bytes, 1);
  return call.queue(copying(to, from, bytes));
}

pg_error pg_copy_on_device(pg_stream* stream, void* device_to, const void* device_from, size_t bytes) {
  Operation call(stream, __func__);
  void* to = call.writes("the destination", device_to, bytes, 1);
  const void* from = call.reads("the source", device_from, bytes, 1);
  return call.queue(copying(to, from, bytes));
}

pg_error pg_fill(pg_stream* stream, void* device_to, int32_t byte, size_t bytes) {
  Operation call(stream, __func__);
  void* to = call.writes("the destination", device_to, bytes, 1);
  return call.queue([=] {
    if (bytes) std::memset(to, byte, bytes);
    return success();
  });
}

}  // extern "C"
