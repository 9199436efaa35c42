// The plan of a session, for SdxApi.
#pragma once

#include <map>
#include <string>

#include "runtime/compiled.h"

namespace sdx::api {

// The answers of SdxApi's plan_memory and plan_statistics.
std::string plan_memory_json(const runtime::Compiled& compiled, const std::map<std::string, int64_t>& numbers);
std::string plan_statistics_json(const runtime::Compiled& compiled);

}  // namespace sdx::api
