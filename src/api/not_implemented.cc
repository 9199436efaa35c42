// The status of an entry without an implementation.
#include "not_implemented.h"

#include <cstdio>

#include "status_handle.h"

namespace sdx::api {

OrtStatus* not_implemented(const char* entry) noexcept {
  char message[160];
  std::snprintf(message, sizeof message, "%s is not implemented", entry);
  return make_status(ORT_NOT_IMPLEMENTED, message);
}

}  // namespace sdx::api
