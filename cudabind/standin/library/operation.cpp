#include "operation.h"

#include "faults.h"
#include "handles.h"
#include "settings.h"

namespace standin {

Operation::Operation(pg_stream* stream, const char* function) : function_(function) {
  const Fault fault = count_call(function);
  if (fault == Fault::now || fault == Fault::ever) refusal_ = within(function, requested_failure(function));
  fails_later_ = fault == Fault::later;
  if (accepted(check_stream(stream))) queue_ = stream->queue;
  if (queue_) accepted(check_works(queue_->device()));
}

// Keeps the first refusal.
bool Operation::accepted(const pg_error& e) {
  if (e.code && !refusal_.code) refusal_ = within(function_, e);
  return !refusal_.code;
}

const void* Operation::reads(const char* what, const void* address, size_t bytes, size_t alignment) {
  return device_operand(what, address, bytes, alignment, false);
}

void* Operation::writes(const char* what, void* address, size_t bytes, size_t alignment) {
  return device_operand(what, address, bytes, alignment, true);
}

const void* Operation::reads_host(const char* what, const void* address, size_t bytes) {
  return host_operand(what, address, bytes, false);
}

void* Operation::writes_host(const char* what, void* address, size_t bytes) {
  return host_operand(what, address, bytes, true);
}

char* Operation::device_operand(const char* what, const void* address, size_t bytes, size_t alignment, bool written) {
  Hold found;
  if (bytes == 0 || refusal_.code || !accepted(check(what, address, bytes, alignment, &found))) return nullptr;
  char* data = found->data + (static_cast<const char*>(address) - found->address);
  ranges_.push_back({what, data, bytes, written});
  holds_.push_back(std::move(found));
  return data;
}

char* Operation::host_operand(const char* what, const void* address, size_t bytes, bool written) {
  Hold found;
  if (bytes == 0 || refusal_.code || !accepted(check_host(what, address, bytes, &found))) return nullptr;
  if (found) holds_.push_back(std::move(found));
  else waits_ = true;
  char* data = const_cast<char*>(static_cast<const char*>(address));
  ranges_.push_back({what, data, bytes, written});
  return data;
}

pg_error Operation::check(const char* what, const void* address, size_t bytes, size_t alignment, Hold* found) const {
  REFUSE_UNLESS(address, "%s is null", what);
  const Hold a = find_allocation(address);
  REFUSE_UNLESS(a && a->kind == Kind::device, "%s (%p) lies in no memory of a device", what, address);
  REFUSE_UNLESS(a->data, "%s (%p) lies in device memory that has been freed", what, address);
  REFUSE_UNLESS(a->device == queue_->device(), "%s is memory of device %d, the stream runs on device %d", what,
                a->device, queue_->device());
  const size_t offset = size_t(static_cast<const char*>(address) - a->address);
  REFUSE_UNLESS(offset % alignment == 0, "%s lies at byte %zu of its allocation, no multiple of %zu", what, offset,
                alignment);
  REFUSE_UNLESS(bytes <= a->bytes - offset, "%s needs %zu bytes, its allocation has %zu from there", what, bytes,
                a->bytes - offset);
  *found = a;
  return success();
}

pg_error Operation::check_host(const char* what, const void* address, size_t bytes, Hold* found) const {
  REFUSE_UNLESS(address, "%s is null", what);
  const Hold a = find_allocation(address);
  if (!a) return success();
  REFUSE_UNLESS(a->kind != Kind::device, "%s (%p) is memory of a device, wanted is the host's", what, address);
  REFUSE_UNLESS(a->data, "%s (%p) lies in pinned memory that has been freed", what, address);
  const size_t offset = size_t(static_cast<const char*>(address) - a->address);
  REFUSE_UNLESS(bytes <= a->bytes - offset, "%s needs %zu bytes, its pinned memory has %zu from there", what, bytes,
                a->bytes - offset);
  *found = a;
  return success();
}

pg_error Operation::check_overlaps() const {
  for (size_t i = 0; i < ranges_.size(); i++)
    for (size_t j = 0; j < i; j++) {
      const Range &a = ranges_[i], &b = ranges_[j];
      if (!(a.written || b.written) || a.from + a.bytes <= b.from || b.from + b.bytes <= a.from) continue;
      const bool same = a.from == b.from && a.bytes == b.bytes;
      REFUSE_UNLESS(same && in_place_, "%s and %s overlap", b.what, a.what);
    }
  return success();
}

pg_error Operation::queue(std::function<pg_error()> work) {
  if (refusal_.code || !accepted(check_overlaps())) return refusal_;
  if (fails_later_) work = [function = function_] { return requested_failure(function); };
  PG_TRY(queue_->push({function_, std::move(work), std::move(holds_), nullptr, true}));
  return waits_ ? queue_->synchronize() : success();
}

}  // namespace standin
