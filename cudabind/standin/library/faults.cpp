#include "faults.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace standin {
namespace {

struct Request {
  std::string function;
  long call;
  Fault fault;
};

struct Requests {
  std::mutex mutex;
  std::string list;
  std::vector<Request> all;
  std::map<std::string, long> calls;
  bool lost = false;  // a fault that is for ever has come
};

Requests& requests() {
  static Requests& r = *new Requests;
  return r;
}

// Whether a function fails on a device that is lost: those that only compute on the host go on.
bool needs_device(const std::string& function) {
  return function != "pg_msm_configure" && function != "pg_msm_finish";
}

// function:call[:later|:ever]
bool parse(const std::string& text, Request* request) {
  const size_t first = text.find(':');
  if (first == 0 || first == std::string::npos) return false;
  char* end = nullptr;
  request->function = text.substr(0, first);
  request->call = std::strtol(text.c_str() + first + 1, &end, 10);
  const std::string rest = end;
  request->fault = rest == ":later" ? Fault::later : rest == ":ever" ? Fault::ever : Fault::now;
  return request->call > 0 && (rest.empty() || request->fault != Fault::now);
}

}  // namespace

pg_error request_faults(const char* list) {
  const std::string wanted = list ? list : "";
  Requests& r = requests();
  std::lock_guard<std::mutex> lock(r.mutex);
  if (wanted == r.list) return success();
  std::vector<Request> all;
  std::istringstream items(wanted);
  for (std::string item; std::getline(items, item, ',');) {
    Request request;
    REFUSE_UNLESS(parse(item, &request), "PG_STANDIN_FAIL: \"%s\" is not function:call, function:call:later or function:call:ever",
                  item.c_str());
    all.push_back(request);
  }
  r.list = wanted;
  r.all = all;
  r.calls.clear();
  r.lost = false;
  return success();
}

Fault count_call(const char* function) {
  Requests& r = requests();
  std::lock_guard<std::mutex> lock(r.mutex);
  if (r.all.empty()) return Fault::none;
  const long call = ++r.calls[function];
  for (const Request& request : r.all)
    if (request.function == function && request.call == call) {
      r.lost = r.lost || request.fault == Fault::ever;
      return request.fault;
    }
  return r.lost && needs_device(function) ? Fault::ever : Fault::none;
}

bool lost() {
  Requests& r = requests();
  std::lock_guard<std::mutex> lock(r.mutex);
  return r.lost;
}

pg_error requested_failure(const char* function) {
  const bool allocates = std::strstr(function, "_alloc") != nullptr && !lost();
  return FAILURE(allocates ? memory_allocation : illegal_address, "a failure that PG_STANDIN_FAIL asked for");
}

pg_error enter(const char* function) {
  return count_call(function) == Fault::none ? success() : within(function, requested_failure(function));
}

}  // namespace standin
