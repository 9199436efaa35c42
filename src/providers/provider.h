// Provider: a device, or a compiler for one, that nodes can be given to. Four duties: devices, can_run, compile,
// memory; the first form of the interface covers kernels in this process, which is what the CPU needs.
#pragma once

#include <string_view>

#include "kernel/kernel.h"
#include "ops/op.h"

namespace sdx::providers {

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;  // "CPUExecutionProvider"
  // Pure and deterministic: the same node gets the same answer.
  virtual Verdict can_run(const NodeFacts& facts) const = 0;
  // The kernels that may run a node of that operator, the preferred one first. Empty: only the contract's reference.
  virtual std::span<const Kernel> kernels(const ops::OpEntry& op) const = 0;
};

}  // namespace sdx::providers
