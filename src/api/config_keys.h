// The configuration keys of sessions that programs may set: ONNX Runtime's, and our own. Others are accepted with a
// warning.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sdx::api {

// Those of `entries` that are no key of a session, in order. What begins with "ep." is a provider's.
std::vector<std::string> unknown_keys(const std::map<std::string, std::string>& entries);
// The known key that differs least; empty where none is near.
std::string nearest_key(const std::string& key);

}  // namespace sdx::api
