// What Loop and Scan share at run time: values collected over iterations.
#pragma once

#include "ops/control/subgraph_facts.h"

namespace sdx::ops {

// One output of a body, stacked along a new axis.
class ScanOutput {
 public:
  explicit ScanOutput(size_t index) : index_(index) {}
  // Fails where type or shape differ from those of earlier iterations.
  Status append(Value value);
  // After no iteration the shape is the one that the node's rule gave, else `formal`'s, of the body's output, whose
  // unknown dimensions are 0.
  Result<Tensor> finish(int64_t axis, bool reversed, const KernelContext& ctx, size_t output, const Fact& formal);

 private:
  size_t index_;
  std::vector<Tensor> parts_;
};

}  // namespace sdx::ops
