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

// What random inputs are made of.
enum class Draw {
  plain,    // uniform in [0, 1) for floating types, 0 or 1 for integers and booleans, "a" to "z" for strings
  special,  // floats of both signs with NaN, infinities, -0 and tiny ones among them, integers from -8 to 8 with the
            // ends of their type among them
};

// `specs` as given. CliError says which is wrong; inputs that are missing are named with the flags that would give
// them.
std::vector<NamedValue> read_inputs(const sardonyx::Session& session, const std::vector<std::string>& specs,
                                    uint64_t seed, Draw draw = Draw::plain);

sardonyx::Value random_value(sardonyx::DataType type, const sardonyx::Shape& shape, uint64_t seed,
                             Draw draw = Draw::plain);

}  // namespace sdx::cli
