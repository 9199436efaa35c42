// Inputs of a run from the command line: name=file.npy, name=file.pb, file.npz, name=random:2x3.
#pragma once

#include <string>
#include <vector>

#include "sardonyx.hpp"

namespace sdx::cli {

struct NamedValue {
  std::string name;
  sardonyx::Value value;
};

// `specs` as given. CliError says which is wrong; inputs that are missing are named with the flags that would give
// them.
std::vector<NamedValue> read_inputs(const sardonyx::Session& session, const std::vector<std::string>& specs,
                                    uint64_t seed);

// Uniform in [0, 1) for floating types, 0 or 1 for integers and booleans, "a" to "z" for strings.
sardonyx::Value random_value(sardonyx::DataType type, const sardonyx::Shape& shape, uint64_t seed);

}  // namespace sdx::cli
