#include "providers/cpu/cpu_provider.h"

namespace sdx::providers {
namespace {

class CpuProvider final : public Provider {
 public:
  std::string_view name() const override { return "CPUExecutionProvider"; }

  Verdict can_run(const NodeFacts& facts) const override {
    const Node& node = facts.node();
    const ops::OpEntry* op = ops::find_op(node.domain, node.op);
    if (op == nullptr) return no("no kernel for this operator");
    if (op->contract->reference == nullptr && op->cpu_kernels == nullptr) return no("no kernel for this operator");
    return yes();
  }

  std::span<const Kernel> kernels(const ops::OpEntry& op) const override {
    return op.cpu_kernels != nullptr ? op.cpu_kernels->kernels() : std::span<const Kernel>();
  }
};

}  // namespace

const Provider& cpu_provider() {
  static const CpuProvider provider;
  return provider;
}

}  // namespace sdx::providers
