// Which handles are alive: a stream or event that was closed, or never was one, is refused rather than followed.
#pragma once

#include <mutex>
#include <set>

#include "stream.h"

namespace standin {

template <class Handle>
class Handles {
 public:
  static Handles& all() {
    static Handles& h = *new Handles;
    return h;
  }

  Handle* add(Handle handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    return *live_.insert(new Handle(std::move(handle))).first;
  }

  bool has(Handle* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    return live_.count(handle) != 0;
  }

  // False for one that is not alive. The few bytes of a closed handle are kept, so that its address is not reused.
  bool close(Handle* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    return live_.erase(handle) != 0;
  }

 private:
  std::mutex mutex_;
  std::set<Handle*> live_;
};

inline pg_error check_stream(pg_stream* stream) {
  REFUSE_UNLESS(Handles<pg_stream>::all().has(stream), "%p is no stream, or a closed one", (void*)stream);
  return success();
}

inline pg_error check_event(pg_event* event) {
  REFUSE_UNLESS(Handles<pg_event>::all().has(event), "%p is no event, or a closed one", (void*)event);
  return success();
}

}  // namespace standin
