// Why a session runs as it does, for SdxApi.
#pragma once

#include <string>

#include "runtime/compiled.h"

namespace sdx::api {

// The answers of SdxApi's explain and passes.
std::string explain_json(const runtime::Compiled& compiled);
std::string passes_json();

}  // namespace sdx::api
