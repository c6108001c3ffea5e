#include "stream.h"

#include <thread>

#include "settings.h"

namespace standin {

void Mark::pass(const pg_error& status) {
  std::lock_guard<std::mutex> lock(mutex_);
  passed_ = true;
  status_ = status;
  time_ = Clock::now();
  changed_.notify_all();
}

pg_error Mark::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return passed_; });
  return status_;
}

bool Mark::passed() {
  std::lock_guard<std::mutex> lock(mutex_);
  return passed_;
}

pg_error Mark::status() {
  std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

Mark::Clock::time_point Mark::time() {
  std::lock_guard<std::mutex> lock(mutex_);
  return time_;
}

std::shared_ptr<Queue> Queue::start(int device) {
  std::shared_ptr<Queue> queue(new Queue(device));
  std::thread([queue] { queue->run(); }).detach();
  return queue;
}

pg_error Queue::push(Job job) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (failure_.code && !job.mark) return failure_;
  jobs_.push_back(std::move(job));
  pushed_++;
  changed_.notify_all();
  return failure_;
}

pg_error Queue::synchronize() {
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t until = pushed_;
  changed_.wait(lock, [&] { return done_ >= until; });
  return failure_;
}

pg_error Queue::query() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (failure_.code) return failure_;
  if (done_ < pushed_) return FAILURE(PG_NOT_READY, "%llu operations are queued", (unsigned long long)(pushed_ - done_));
  return success();
}

void Queue::close() {
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void Queue::run() {
  for (Job job; next(&job); job = Job{}) {
    if (job.delayed) std::this_thread::sleep_for(std::chrono::microseconds(settings().delay_us));
    bool failed;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      failed = failure_.code != 0;
    }
    finish(&job, failed || !job.work ? success() : job.work());
  }
}

bool Queue::next(Job* job) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
  if (jobs_.empty()) return false;
  *job = std::move(jobs_.front());
  jobs_.pop_front();
  return true;
}

// Memory is let go first, so that whoever has waited may free it.
void Queue::finish(Job* job, const pg_error& result) {
  job->holds.clear();
  std::lock_guard<std::mutex> lock(mutex_);
  if (result.code && !failure_.code) failure_ = within(job->function, result);
  if (job->mark) job->mark->pass(failure_);
  done_++;
  changed_.notify_all();
}

}  // namespace standin
