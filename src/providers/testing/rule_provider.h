// RuleProvider: stands in for a device in tests. Rules say which nodes it takes, in which style, and whether it has
// memory of its own; nodes run by the engine's references.
#pragma once

#include <set>

#include "providers/testing/locked_memory.h"

namespace sdx::providers {

struct Rules {
  std::string name = "RuleProvider";
  enum class Style : uint8_t { kernels, compiles } style = Style::kernels;
  enum class Memory : uint8_t { shared, own } memory = Memory::shared;
  std::set<std::string> operators = {};  // that it takes; none: all
  std::string in_name = "";              // a part of the names of nodes that it takes
  double share = 1;                      // of the others, by `seed`
  double compiled_share = 1;             // of the groups that it claims, by `seed`
  uint64_t seed = 0;
  bool proposes_groups = false;  // all that it takes as one group, convex or not
  Speed speed = {};
};

class RuleProvider final : public Provider {
 public:
  explicit RuleProvider(Rules rules);

  std::string_view name() const override { return rules_.name; }
  const DeviceMemory* memory() const override { return locked(); }
  const LockedMemory* locked() const { return rules_.memory == Rules::Memory::own ? &memory_ : nullptr; }
  Speed speed() const override { return rules_.speed; }
  Verdict can_run(const NodeFacts& facts) const override;
  std::span<const Kernel> kernels(const ops::OpEntry& op) const override;
  HostOperands host_operands(const NodeFacts& facts) const override;
  bool makes_claims() const override { return rules_.style == Rules::Style::compiles; }
  Claims claim(const Graph& view) const override;
  Result<Compilation> compile(const Group& group) const override;

  const Rules& rules() const { return rules_; }
  mutable std::vector<std::string> seen;  // "Clip 6": the nodes of views that it compiled, with their opset

 private:
  Verdict takes(const Node& node) const;

  Rules rules_;
  LockedMemory memory_;
};

}  // namespace sdx::providers
