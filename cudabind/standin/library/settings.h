// What the environment asks of the stand-in; doc.go of the Go package describes the variables.
#pragma once

#include <atomic>
#include <cstdint>

#include "errors.h"

namespace standin {

constexpr int most_devices = 16;

struct Settings {
  std::atomic<int> devices{1};
  std::atomic<uint64_t> memory{uint64_t(1) << 30};  // bytes of each device
  std::atomic<uint64_t> delay_us{0};                // before each operation on a stream
  std::atomic<int> broken{most_devices};            // the number of a device that breaks down
  std::atomic<uint64_t> works_for{0};               // and after how many calls
};

const Settings& settings();

// Reads the variables again. Fails on values that are no numbers, leaving those as they were.
pg_error refresh_settings();

pg_error check_device(int device);

// Counts a call that needs a device, and fails on one that has broken down.
pg_error check_works(int device);

}  // namespace standin
