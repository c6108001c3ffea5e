//go:build cgo && linux

#include "loader.h"

#include <dlfcn.h>
#include <stdio.h>

static struct {
#define MEMBER(type, name, parameters, arguments) type(*name) parameters;
  PG_CALLS(MEMBER)
#undef MEMBER
} library;

#define FORWARD(type, name, parameters, arguments) \
  type name parameters { return library.name arguments; }
PG_CALLS(FORWARD)
#undef FORWARD

_Static_assert(sizeof(pg_handshake_info) == 88, "a library of another version writes as many bytes");

static int mismatch(const pg_handshake_info *info, const char *path, char *problem, size_t bytes) {
  if (info->abi_version != PG_ABI_VERSION) {
    snprintf(problem, bytes, "%s speaks version %u of the kernel interface, this program version %d: rebuild one of them",
             path, info->abi_version, PG_ABI_VERSION);
    return 1;
  }
  if (info->error_bytes != sizeof(pg_error) || info->device_bytes != sizeof(pg_device_info) ||
      info->msm_bytes != sizeof(pg_msm_config) || info->constraints_bytes != sizeof(pg_constraints)) {
    snprintf(problem, bytes, "%s was compiled with other struct layouts than this program: rebuild it", path);
    return 1;
  }
  return 0;
}

static int resolve(void *handle, const char *path, char *problem, size_t bytes) {
#define RESOLVE(type, name, parameters, arguments)                                \
  *(void **)&library.name = dlsym(handle, #name);                                 \
  if (!library.name) {                                                            \
    snprintf(problem, bytes, "%s is no proofgraph kernel library of this version: it lacks %s", path, #name); \
    return 0;                                                                     \
  }
  PG_CALLS(RESOLVE)
#undef RESOLVE
  return 1;
}

int load_library(const char *path, pg_handshake_info *info, char *problem, size_t problem_bytes) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(problem, problem_bytes, "%s", dlerror());
    return 0;
  }
  if (resolve(handle, path, problem, problem_bytes)) {
    *info = library.pg_handshake();
    if (!mismatch(info, path, problem, problem_bytes)) return 1;
  }
  dlclose(handle);
  return 0;
}
