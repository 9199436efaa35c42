// The operators that this library runs, as JSON: SdxApi's `operators`.
#pragma once

#include <string>

namespace sdx::api {

std::string operators_json();

}  // namespace sdx::api
