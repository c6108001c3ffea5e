#include "settings.h"

#include <cerrno>
#include <cstdlib>

#include "faults.h"

namespace standin {
namespace {

Settings& mutable_settings() {
  static Settings& s = *new Settings;  // never destroyed: streams' threads may outlive main
  return s;
}

std::atomic<uint64_t> calls_of_broken{0};

pg_error read_number(const char* variable, uint64_t unset, uint64_t most, uint64_t* value) {
  const char* text = std::getenv(variable);
  *value = unset;
  if (!text || !*text) return success();
  char* end = nullptr;
  errno = 0;
  *value = std::strtoull(text, &end, 10);
  REFUSE_UNLESS(!errno && !*end && *text != '-' && *value <= most, "%s=%s is no number up to %llu", variable, text,
                (unsigned long long)most);
  return success();
}

}  // namespace

const Settings& settings() { return mutable_settings(); }

pg_error refresh_settings() {
  uint64_t devices, memory, delay, broken, works_for;
  PG_TRY(read_number("PG_STANDIN_DEVICES", 1, most_devices, &devices));
  PG_TRY(read_number("PG_STANDIN_MEMORY", uint64_t(1) << 30, uint64_t(1) << 46, &memory));
  PG_TRY(read_number("PG_STANDIN_DELAY_US", 0, 60000000, &delay));
  PG_TRY(read_number("PG_STANDIN_BROKEN", most_devices, most_devices, &broken));
  PG_TRY(read_number("PG_STANDIN_WORKS_FOR", 0, uint64_t(1) << 40, &works_for));
  Settings& s = mutable_settings();
  if (s.broken.exchange(int(broken)) != int(broken) || s.works_for.exchange(works_for) != works_for) calls_of_broken = 0;
  s.devices = int(devices);
  s.memory = memory;
  s.delay_us = delay;
  return request_faults(std::getenv("PG_STANDIN_FAIL"));
}

pg_error check_device(int device) {
  if (device < 0 || device >= settings().devices)
    return FAILURE(invalid_device, "device %d of %d", device, settings().devices.load());
  return success();
}

pg_error check_works(int device) {
  if (device == settings().broken && calls_of_broken++ >= settings().works_for)
    return FAILURE(illegal_address, "device %d has broken down (PG_STANDIN_BROKEN)", device);
  return success();
}

}  // namespace standin
