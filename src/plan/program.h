// Program: a graph as a list of steps over numbered slots (a value's id is its slot), made once and shared by all runs.
// What a step prepares (packed weights) is made on its first use, once, by whichever run comes first.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "graph/graph.h"
#include "ops/invoke.h"
#include "providers/provider.h"

namespace sdx::plan {

inline constexpr ValueId kNoSlot = kNoValue;

struct Program;

struct Body {  // a subgraph of a step's node
  std::string attribute;
  std::unique_ptr<Program> program;
};

// A kernel that may run the step, and what it prepared.
struct Candidate {
  const Kernel* kernel = nullptr;
  mutable std::once_flag once;
  mutable Status failure;
  mutable std::unique_ptr<KernelState> state;
};

struct Step {
  NodeId node = kNoNode;
  const ops::Contract* contract = nullptr;
  std::vector<std::unique_ptr<Candidate>> candidates;  // in order of preference
  std::vector<ValueId> releases;                       // slots that no later step reads
  std::vector<Body> bodies;
};

// A weight. Kernels get element-aligned memory: a copy is made on first use where the file's bytes are not.
struct Constant {
  Value value;
  mutable std::once_flag once;
  mutable Value aligned;
  mutable Status failure;
};

struct Program {
  const Graph* graph = nullptr;
  std::vector<Step> steps;
  std::vector<std::unique_ptr<Constant>> constants;  // by slot; null: the slot is not a constant
};

// Fails naming every node that no provider takes. `providers` in order of priority.
Result<std::unique_ptr<Program>> make_program(const Graph& graph,
                                              std::span<const providers::Provider* const> providers);

bool is_aligned(const Tensor& tensor);
// The constant's value as a kernel wants it.
Result<const Value*> aligned_constant(const Constant& constant);

}  // namespace sdx::plan
