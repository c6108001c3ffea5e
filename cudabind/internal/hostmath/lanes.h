// Two lanes as two threads that meet whenever they exchange words.
#pragma once

#include <array>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "../../kernels/lanes.cuh"

namespace pg {

class Meeting {
 public:
  // Neither comes to the meeting after the next before both have left this one: two rooms suffice.
  void exchange(int lane, uint32_t* words, int count) {
    std::unique_lock<std::mutex> lock(mutex_);
    const unsigned meeting = begun_[lane]++;
    auto& room = rooms_[meeting % 2];
    std::memcpy(room[lane].data(), words, 4 * size_t(count));
    came_.notify_one();
    came_.wait(lock, [&] { return begun_[1 - lane] > meeting; });
    std::memcpy(words, room[1 - lane].data(), 4 * size_t(count));
  }

 private:
  static constexpr int most_words = 16;

  std::mutex mutex_;
  std::condition_variable came_;
  unsigned begun_[2] = {};
  std::array<uint32_t, most_words> rooms_[2][2];
};

struct Attendant final : Partner {
  Meeting& meeting;

  Attendant(Meeting& m, int which) : meeting(m) { lane = which; }
  void exchange(uint32_t* words, int count) override { meeting.exchange(lane, words, count); }
};

// Runs work(lane) in both lanes; what it returns in the first.
template <class Work>
auto in_lanes(Work work) {
  Meeting meeting;
  const auto in_lane = [&](int lane) {
    Attendant attendant(meeting, lane);
    partner = &attendant;
    const auto result = work(lane);
    partner = nullptr;
    return result;
  };
  std::thread second(in_lane, 1);
  const auto result = in_lane(0);
  second.join();
  return result;
}

}  // namespace pg
