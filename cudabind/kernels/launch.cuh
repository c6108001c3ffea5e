// Errors by value and the few lines every launch needs. Nothing here or above it aborts the process.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

#include "proofgraph_cuda.h"

namespace pg {

inline pg_error success() { return pg_error{}; }

inline pg_error failure(int code, const char* name, const char* expression, const char* file, int line) {
  pg_error e{};
  e.code = code;
  e.line = line;
  std::snprintf(e.name, sizeof e.name, "%s", name);
  std::snprintf(e.file, sizeof e.file, "%s", file);
  std::snprintf(e.expression, sizeof e.expression, "%s", expression);
  return e;
}

inline pg_error check(cudaError_t status, const char* expression, const char* file, int line) {
  if (status == cudaSuccess) return success();
  cudaGetLastError();  // a failed call must not be reported again by the next launch
  return failure(int(status), cudaGetErrorName(status), expression, file, line);
}

// Returns from the enclosing function with a CUDA error, told with its expression and place.
#define PG_TRY_CUDA(expression)                                                              \
  do {                                                                                       \
    if (pg_error e_ = ::pg::check((expression), #expression, __FILE__, __LINE__); e_.code) return e_; \
  } while (0)

// Returns from the enclosing function with a pg_error that is not success.
#define PG_TRY(expression)                          \
  do {                                              \
    if (pg_error e_ = (expression); e_.code) return e_; \
  } while (0)

// Refuses an argument that does not satisfy `condition`.
#define PG_REQUIRE(condition)                                                                          \
  do {                                                                                                 \
    if (!(condition))                                                                                  \
      return ::pg::failure(PG_INVALID_ARGUMENT, "PG_INVALID_ARGUMENT", #condition, __FILE__, __LINE__); \
  } while (0)

// Launches a kernel and returns from the enclosing function when the launch is refused.
#define PG_LAUNCH(kernel, blocks, threads, shared, stream, ...)        \
  do {                                                                 \
    kernel<<<dim3(blocks), dim3(threads), shared, stream>>>(__VA_ARGS__); \
    PG_TRY_CUDA(cudaPeekAtLastError());                                \
  } while (0)

constexpr long ceil_div(long a, long b) { return (a + b - 1) / b; }
constexpr size_t align_up(size_t bytes) { return (bytes + 255) / 256 * 256; }

// Hands out aligned parts of one caller's buffer, or with a null base only adds up their sizes.
class Carver {
 public:
  explicit Carver(void* base) : base_(static_cast<char*>(base)) {}

  template <class T>
  T* take(size_t count) {
    char* part = base_ ? base_ + used_ : nullptr;
    used_ += align_up(count * sizeof(T));
    return reinterpret_cast<T*>(part);
  }

  size_t used() const { return used_; }

 private:
  char* base_;
  size_t used_ = 0;
};

// 128-bit copies of packed elements and points, whose sizes are multiples of 16 bytes.
template <class T>
__device__ __forceinline__ T load_wide(const T* from) {
  static_assert(sizeof(T) % 16 == 0, "whole 16-byte words");
  T value;
  const uint4* source = reinterpret_cast<const uint4*>(from);
  uint4* target = reinterpret_cast<uint4*>(&value);
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / 16); i++) target[i] = source[i];
  return value;
}

template <class T>
__device__ __forceinline__ void store_wide(T* to, const T& value) {
  static_assert(sizeof(T) % 16 == 0, "whole 16-byte words");
  const uint4* source = reinterpret_cast<const uint4*>(&value);
  uint4* target = reinterpret_cast<uint4*>(to);
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / 16); i++) target[i] = source[i];
}

}  // namespace pg
