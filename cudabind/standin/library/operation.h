// One call that queues work. It is told what the work will touch, checks that, and holds the memory until the stream
// has passed. The first thing found wrong is what queue returns, and nothing is queued then:
//
//   Operation call(stream, __func__);
//   const void* from = call.reads("a", a, bytes);
//   void* to = call.writes("out", out, bytes);
//   return call.queue([=] { ... the addresses that reads and writes gave are the library's own ... });
#pragma once

#include <functional>

#include "stream.h"

namespace standin {

constexpr size_t element_alignment = 16;
constexpr size_t table_alignment = 256;  // of tables and scratch

class Operation {
 public:
  Operation(pg_stream* stream, const char* function);

  // Device memory. The result is where its bytes are; null when the operand was refused, or has none.
  const void* reads(const char* what, const void* address, size_t bytes, size_t alignment = element_alignment);
  void* writes(const char* what, void* address, size_t bytes, size_t alignment = element_alignment);

  // Host memory. Unless it is pinned, queue waits until the work is done, as CUDA does.
  const void* reads_host(const char* what, const void* address, size_t bytes);
  void* writes_host(const char* what, void* address, size_t bytes);

  // Operands written may be the very operands read. Otherwise, and where they overlap in part, they are refused.
  void allow_in_place() { in_place_ = true; }

  pg_error queue(std::function<pg_error()> work);

 private:
  struct Range {
    const char* what;
    const char* from;
    size_t bytes;
    bool written;
  };

  char* device_operand(const char* what, const void* address, size_t bytes, size_t alignment, bool written);
  char* host_operand(const char* what, const void* address, size_t bytes, bool written);
  pg_error check(const char* what, const void* address, size_t bytes, size_t alignment, Hold* found) const;
  pg_error check_host(const char* what, const void* address, size_t bytes, Hold* found) const;
  pg_error check_overlaps() const;
  bool accepted(const pg_error& e);

  const char* function_;
  std::shared_ptr<Queue> queue_;
  std::vector<Hold> holds_;
  std::vector<Range> ranges_;
  pg_error refusal_{};
  bool in_place_ = false, waits_ = false, fails_later_ = false;
};

}  // namespace standin
