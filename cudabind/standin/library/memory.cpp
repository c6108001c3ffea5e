#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "settings.h"

namespace standin {
namespace {

struct Memory {
  std::mutex mutex;
  std::map<uintptr_t, Hold> by_address;
  uint64_t used[most_devices] = {};
};

Memory& memory() {
  static Memory& m = *new Memory;
  return m;
}

uintptr_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

size_t pages(size_t bytes) {
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

constexpr uint64_t charged(size_t bytes) { return (uint64_t(bytes) + 255) / 256 * 256; }

// One page more than asked for, so that no two allocations touch.
char* map_pages(size_t bytes, int protection) {
  void* at = mmap(nullptr, pages(bytes + 1), protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}

char* poisoned_pages(size_t bytes) {
  char* at = map_pages(bytes, PROT_READ | PROT_WRITE);
  if (at) std::memset(at, poison, bytes);
  return at;
}

// Gives the bytes back but keeps the addresses, without any access.
void retire(char* address, size_t bytes) {
  mmap(address, pages(bytes + 1), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void note(Memory& m, Allocation a) { m.by_address[number(a.address)] = std::make_shared<Allocation>(a); }

// The live allocation that begins at an address, if nothing queued holds it.
pg_error begins_at(Memory& m, void* address, Kind kind, Hold** found) {
  const auto at = m.by_address.find(number(address));
  REFUSE_UNLESS(at != m.by_address.end() && at->second->kind == kind, "%p was not allocated by this function's pair",
                address);
  REFUSE_UNLESS(at->second->data, "%p has been freed already", address);
  REFUSE_UNLESS(at->second.use_count() == 1, "%p is freed while queued work uses it: wait for the stream first",
                address);
  *found = &at->second;
  return success();
}

}  // namespace

Hold find_allocation(const void* address) {
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  const auto after = m.by_address.upper_bound(number(address));
  if (after == m.by_address.begin()) return nullptr;
  const Hold& a = std::prev(after)->second;
  return number(address) < number(a->address) + a->bytes ? a : nullptr;
}

uint64_t used_bytes(int device) {
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  return m.used[device];
}

pg_error device_alloc(int device, size_t bytes, void** address) {
  *address = nullptr;
  if (bytes == 0) return success();  // as cudaMalloc
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  const uint64_t total = settings().memory;
  if (bytes > total || m.used[device] + charged(bytes) > total)
    return FAILURE(memory_allocation, "%zu bytes of device %d, where %llu of %llu are used", bytes, device,
                   (unsigned long long)m.used[device], (unsigned long long)total);
  char* view = map_pages(bytes, PROT_NONE);
  char* data = view ? poisoned_pages(bytes) : nullptr;
  if (!data) return FAILURE(memory_allocation, "the host has no %zu bytes for the device's memory", bytes);
  m.used[device] += charged(bytes);
  note(m, {Kind::device, device, view, data, bytes});
  *address = view;
  return success();
}

pg_error device_free(int device, void* address) {
  if (!address) return success();
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  Hold* found;
  PG_TRY(begins_at(m, address, Kind::device, &found));
  Allocation& a = **found;
  REFUSE_UNLESS(a.device == device, "%p is memory of device %d, not %d", address, a.device, device);
  munmap(a.data, pages(a.bytes + 1));
  a.data = nullptr;
  m.used[device] -= charged(a.bytes);
  return success();
}

pg_error pinned_alloc(size_t bytes, void** address) {
  *address = nullptr;
  if (bytes == 0) return success();
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  char* data = poisoned_pages(bytes);
  if (!data) return FAILURE(memory_allocation, "the host has no %zu bytes to pin", bytes);
  note(m, {Kind::pinned, -1, data, data, bytes});
  *address = data;
  return success();
}

pg_error pinned_free(void* address) {
  if (!address) return success();
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  Hold* found;
  PG_TRY(begins_at(m, address, Kind::pinned, &found));
  Allocation& a = **found;
  retire(a.data, a.bytes);
  a.data = nullptr;
  return success();
}

pg_error register_pages(void* address, size_t bytes) {
  REFUSE_UNLESS(address && bytes, "%zu bytes at %p cannot be pinned", bytes, address);
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  const auto next = m.by_address.lower_bound(number(address) + bytes);
  if (next != m.by_address.begin()) {
    const Allocation& a = *std::prev(next)->second;
    if (number(a.address) + a.bytes > number(address))
      return FAILURE(already_registered, "%p overlaps memory that is %s already", address,
                     a.kind == Kind::device ? "a device's" : "pinned");
  }
  const uintptr_t page = number(address) / pages(1) * pages(1);
  const size_t span = pages(number(address) + bytes - page);
  std::vector<unsigned char> resident(span / pages(1));
  REFUSE_UNLESS(mincore(reinterpret_cast<void*>(page), span, resident.data()) == 0,
                "%zu bytes at %p are not all mapped", bytes, address);
  char* at = static_cast<char*>(address);
  note(m, {Kind::registered, -1, at, at, bytes});
  return success();
}

pg_error unregister_pages(void* address) {
  Memory& m = memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  const auto at = m.by_address.find(number(address));
  if (at == m.by_address.end() || at->second->kind != Kind::registered)
    return FAILURE(not_registered, "%p is not registered", address);
  Hold* found;
  PG_TRY(begins_at(m, address, Kind::registered, &found));
  m.by_address.erase(at);
  return success();
}

}  // namespace standin
