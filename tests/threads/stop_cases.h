// Runs that take seconds, to be stopped: one operator each, on inputs of zeros whose sizes the run decides.
#pragma once

#include <string>
#include <vector>

#include "models.h"

namespace sdx::test {

struct StopInput {
  const char* name;
  DType type;
  std::vector<int64_t> big, small;
};

struct StopCase {
  std::string name;
  std::string model;
  std::vector<StopInput> inputs;
};

// The three that a user meets first: a convolution, a matrix product, a loop.
std::vector<StopCase> main_stop_cases();
// Recurrence, attention, and kernels and references of every kind.
std::vector<StopCase> other_stop_cases();

}  // namespace sdx::test
