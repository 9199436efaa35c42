// OrtStatus, the error object of the C ABI. Null means success.
#pragma once

#include <string_view>

#include "onnxruntime_c_api.h"

// One allocation: the text lies behind the struct. Freed by ReleaseStatus only.
struct OrtStatus {
  OrtErrorCode code;
  const char* message;
};

namespace sdx::api {

// Never null: out of memory gives a status that says so and needs no memory.
OrtStatus* make_status(OrtErrorCode code, std::string_view message) noexcept;

}  // namespace sdx::api
