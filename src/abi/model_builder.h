// What the model editor builds: nodes, a graph and a model, as callers describe them. Nothing is checked here beyond
// what each call can see; the importer does that when a session is made.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "abi/op_attr.h"
#include "abi/value.h"

struct OrtNode {
  std::string op, domain, name;
  std::vector<std::string> inputs, outputs;
  std::vector<sdx::Attribute> attributes;
};

struct OrtGraph {
  std::optional<std::vector<OrtValueInfo>> inputs, outputs;  // nothing: not set
  std::vector<std::pair<std::string, sdx::Tensor>> initializers;
  std::vector<std::unique_ptr<OrtNode>> nodes;
};

struct OrtModel {
  std::vector<std::pair<std::string, int>> opsets;
  std::unique_ptr<OrtGraph> graph;
};
