// The last stop of every exception, and the checks that each entry begins with.
#pragma once

#include <new>

#include "base/status.h"
#include "status_handle.h"

namespace sdx::api {

inline OrtStatus* to_handle(const Status& status) noexcept {
  if (status.ok()) [[likely]]
    return nullptr;
  return make_status(static_cast<OrtErrorCode>(status.code()), status.message());
}

// For the current exception; called within a handler.
OrtStatus* status_of_exception() noexcept;

// Runs an entry's body, which returns a Status and may throw anything.
template <typename Body>
OrtStatus* answer(Body body) noexcept {
  try {
    return to_handle(body());
  } catch (...) {
    return status_of_exception();
  }
}

// For entries that return no status: what is thrown is lost.
template <typename Body>
void attempt(Body body) noexcept {
  try {
    body();
  } catch (...) {
    static_cast<void>(0);
  }
}

// A status that a callback of the caller's returned; frees it.
Status take_status(OrtStatus* status);

}  // namespace sdx::api

// Within an entry's body.
#define SDX_NEED(parameter)                                                                \
  do {                                                                                     \
    if ((parameter) == nullptr) [[unlikely]]                                               \
      return ::sdx::invalid_argument("the argument \"{}\" is a null pointer", #parameter); \
  } while (false)
