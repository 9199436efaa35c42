// Random numbers. With attribute `seed`: the sequence of numpy's RandomState(int(seed)), which the standard's reference
// implementation draws from. Without: the same generator, seeded from the run's random_seed and the node's identity.
#pragma once

#include <random>

#include "ops/op.h"

namespace sdx::ops {

class RandomGenerator {
 public:
  explicit RandomGenerator(KernelContext& ctx);
  double uniform();  // [0, 1), 53 bits
  double normal();   // mean 0, deviation 1: Marsaglia's polar method

 private:
  std::mt19937 engine_;
  double spare_ = 0;
  bool has_spare_ = false;
};

// Output of attribute `shape`, or of the shape of input 0 (the operators ...Like), of type `dtype` (default: float32,
// or the input's).
Result<Facts> infer_random(InferContext& ctx);
Result<Facts> infer_random_like(InferContext& ctx);
Status fill_normal(KernelContext& ctx);
Status fill_uniform(KernelContext& ctx);

}  // namespace sdx::ops
