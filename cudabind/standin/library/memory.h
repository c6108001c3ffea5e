// Memory of devices, and page-locked memory of the host.
//
// A device's address is that of a mapping without any access, so a host that follows one crashes; the bytes lie in a
// second mapping that only the library knows. Addresses are never given out twice: what has been freed stays
// recognisable, and a host that still follows a freed address, a pinned one too, crashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "errors.h"

namespace standin {

constexpr int poison = 0xDB;  // of fresh memory: no element and no coordinate, being above every modulus

enum class Kind { device, pinned, registered };

struct Allocation {
  Kind kind;
  int device;     // of Kind::device
  char* address;  // as the caller knows it
  char* data;     // where the bytes are; null once freed
  size_t bytes;
};

// Work that holds one keeps the allocation from being freed.
using Hold = std::shared_ptr<Allocation>;

// The allocation, live or freed, that an address lies in; null for memory that is none of ours.
Hold find_allocation(const void* address);

uint64_t used_bytes(int device);

pg_error device_alloc(int device, size_t bytes, void** address);
pg_error device_free(int device, void* address);
pg_error pinned_alloc(size_t bytes, void** address);
pg_error pinned_free(void* address);
pg_error register_pages(void* address, size_t bytes);
pg_error unregister_pages(void* address);

}  // namespace standin
