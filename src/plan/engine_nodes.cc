#include "plan/engine_nodes.h"

namespace sdx::plan {
namespace {

bool is_engine_node(const Node& node) { return !node.provider.empty() && node.domain == kEngineDomain; }

Verdict always(const NodeFacts&) { return yes(); }

struct GroupState final : KernelState {
  std::shared_ptr<const providers::Executable> executable;
};
Status run_group(KernelContext& ctx) { return ctx.state<GroupState>().executable->run(ctx); }
constexpr Kernel kGroupKernel = {.name = "compiled", .can_run = always, .run = run_group};

struct CopyState final : KernelState {
  const providers::DeviceMemory* memory = nullptr;
};
Status copy_to_host(KernelContext& ctx) {
  Tensor& to = ctx.output(0);
  return ctx.state<CopyState>().memory->read(ctx.input(0).raw(), to.raw(), to.byte_size());
}
Status copy_from_host(KernelContext& ctx) {
  Tensor& to = ctx.output(0);
  return ctx.state<CopyState>().memory->write(ctx.input(0).raw(), to.raw(), to.byte_size());
}
constexpr Kernel kToHost = {.name = "memcpy_to_host", .can_run = always, .run = copy_to_host};
constexpr Kernel kFromHost = {.name = "memcpy_from_host", .can_run = always, .run = copy_from_host};

// What a run finds out where the plan does not say: the group's own shape rules are asked instead (infer_group.h).
Result<ops::Facts> infer_nothing(ops::InferContext& ctx) { return ops::Facts(std::vector<Fact>(ctx.output_count())); }

constexpr ops::Contract kGroupContract = {
    .name = kCompiledGroup, .domain = kEngineDomain, .infer = infer_nothing, .records_constraints = true};
constexpr ops::Contract kCopyContract = {
    .name = kCopyToHost, .domain = kEngineDomain, .infer = ops::infer_same_as_first, .records_constraints = true};

}  // namespace

bool is_compiled_group(const Node& node) { return is_engine_node(node) && node.op == kCompiledGroup; }
bool is_copy(const Node& node) { return is_engine_node(node) && node.op != kCompiledGroup; }

const ops::Contract* contract_of(const Node& node) {
  if (is_engine_node(node)) return node.op == kCompiledGroup ? &kGroupContract : &kCopyContract;
  const ops::OpEntry* entry = ops::find_op(node.domain, node.op);
  return entry != nullptr ? entry->contract : nullptr;
}

ReadyKernel group_kernel(std::shared_ptr<const providers::Executable> executable) {
  auto state = std::make_shared<GroupState>();
  state->executable = std::move(executable);
  return {&kGroupKernel, std::move(state)};
}

ReadyKernel copy_kernel(const Node& node, const providers::DeviceMemory& memory) {
  auto state = std::make_shared<CopyState>();
  state->memory = &memory;
  return {node.op == kCopyToHost ? &kToHost : &kFromHost, std::move(state)};
}

}  // namespace sdx::plan
