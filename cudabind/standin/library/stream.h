// Streams: queues of work, each with a thread of its own, so that whoever forgets to wait sees it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "memory.h"

namespace standin {

// A point of a stream, as an event keeps it: passed once, with the stream's failure so far.
class Mark {
 public:
  using Clock = std::chrono::steady_clock;

  void pass(const pg_error& status);
  pg_error wait();
  bool passed();
  pg_error status();         // once passed
  Clock::time_point time();  // once passed

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool passed_ = false;
  pg_error status_{};
  Clock::time_point time_;
};

struct Job {
  const char* function;
  std::function<pg_error()> work;  // not called once the stream has failed
  std::vector<Hold> holds;         // let go when the work is done
  std::shared_ptr<Mark> mark;      // passed afterwards, failure or not; may be null
  bool delayed;                    // by the setting
};

// The first failure stays: what is queued after it does not run, and every wait returns it.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  static std::shared_ptr<Queue> start(int device);

  int device() const { return device_; }
  pg_error push(Job job);  // on a failed stream its failure; a mark is passed even then
  pg_error synchronize();  // waits for what has been pushed
  pg_error query();
  void close();  // what is queued still runs; then the thread ends

 private:
  explicit Queue(int device) : device_(device) {}
  void run();
  bool next(Job* job);
  void finish(Job* job, const pg_error& result);

  const int device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  uint64_t pushed_ = 0, done_ = 0;
  bool closed_ = false;
  pg_error failure_{};
};

}  // namespace standin

// The handles of the interface. An event holds the mark of its last record, null before the first.
struct pg_stream {
  std::shared_ptr<standin::Queue> queue;
};

struct pg_event {
  int device;
  std::shared_ptr<standin::Mark> mark;

  std::shared_ptr<standin::Mark> last() const { return std::atomic_load(&mark); }
  void set(std::shared_ptr<standin::Mark> m) { std::atomic_store(&mark, std::move(m)); }
};
