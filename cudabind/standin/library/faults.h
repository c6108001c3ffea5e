// Failures on request: "pg_msm_start:3" makes the third call of pg_msm_start fail, "pg_msm_start:3:later" the work
// that this call queues, "pg_msm_start:3:ever" this call and from then on every call that needs a device, as CUDA does
// once a kernel has gone astray. Several are separated by commas.
#pragma once

#include "errors.h"

namespace standin {

enum class Fault { none, now, later, ever };

// Takes the list in; null or empty asks for nothing. Counting starts anew when the list is another than before.
pg_error request_faults(const char* list);

// Counts a call of the function and says whether it is to fail.
Fault count_call(const char* function);

// Says whether every call is to fail.
bool lost();

// The failure to report: memory_allocation for functions that allocate, illegal_address for all others.
pg_error requested_failure(const char* function);

// For calls that queue nothing: counts, and fails at once when asked to.
pg_error enter(const char* function);

}  // namespace standin
