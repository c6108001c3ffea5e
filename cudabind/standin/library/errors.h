// Errors by value: what the stand-in refuses, and the failures of CUDA that it plays.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "../../kernels/proofgraph_cuda.h"

namespace standin {

// The codes of cudaError_t that occur here.
enum Cuda {
  memory_allocation = 2,
  no_device = 100,
  invalid_device = 101,
  invalid_handle = 400,
  event_not_ready = 600,
  illegal_address = 700,
  already_registered = 712,
  not_registered = 713,
};

inline const char* name_of(int code) {
  switch (code) {
    case memory_allocation: return "cudaErrorMemoryAllocation";
    case no_device: return "cudaErrorNoDevice";
    case invalid_device: return "cudaErrorInvalidDevice";
    case invalid_handle: return "cudaErrorInvalidResourceHandle";
    case event_not_ready: return "cudaErrorNotReady";
    case illegal_address: return "cudaErrorIllegalAddress";
    case already_registered: return "cudaErrorHostMemoryAlreadyRegistered";
    case not_registered: return "cudaErrorHostMemoryNotRegistered";
    case PG_NOT_READY: return "PG_NOT_READY";
    default: return "PG_INVALID_ARGUMENT";
  }
}

inline pg_error success() { return pg_error{}; }

// The sentence is for a person: it says what was wrong, in the words of the header.
__attribute__((format(printf, 4, 5))) inline pg_error failure(int code, const char* file, int line,
                                                              const char* sentence, ...) {
  pg_error e{};
  e.code = code;
  e.line = line;
  const char* slash = std::strrchr(file, '/');
  std::snprintf(e.name, sizeof e.name, "%s", name_of(code));
  std::snprintf(e.file, sizeof e.file, "%s", slash ? slash + 1 : file);
  va_list arguments;
  va_start(arguments, sentence);
  std::vsnprintf(e.expression, sizeof e.expression, sentence, arguments);
  va_end(arguments);
  return e;
}

// The same error, told with the function it happened in.
inline pg_error within(const char* function, pg_error e) {
  char told[sizeof e.expression];
  std::snprintf(told, sizeof told, "%s", e.expression);
  std::snprintf(e.expression, sizeof e.expression, "%s: %.200s", function, told);
  return e;
}

}  // namespace standin

// Returns from the enclosing function with a pg_error that is not success.
#define PG_TRY(expression)                                  \
  do {                                                      \
    if (pg_error e_ = (expression); e_.code) return e_;     \
  } while (0)

#define FAILURE(code, ...) ::standin::failure(code, __FILE__, __LINE__, __VA_ARGS__)

// Refuses an argument, with a sentence that says why.
#define REFUSE_UNLESS(condition, ...)                                        \
  do {                                                                       \
    if (!(condition)) return FAILURE(PG_INVALID_ARGUMENT, __VA_ARGS__);      \
  } while (0)
