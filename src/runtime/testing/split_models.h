// Small models to be split between providers: some like those that people run, and random ones.
#pragma once

#include "onnx/testing/model_builder.h"

namespace sdx::runtime {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

struct SplitModel {
  std::string name;
  onnx::ModelBuilder builder;
  std::vector<NamedTensors> feeds;  // one for each run
  bool has_bodies = false;          // loops and branches: how often a step runs is not the plan's to say
};

std::vector<SplitModel> handmade_models();
SplitModel random_model(uint64_t seed);  // floats [n, 4] all through

Tensor wave_tensor(std::vector<int64_t> shape, double start = 0);  // between -1 and 1

}  // namespace sdx::runtime
