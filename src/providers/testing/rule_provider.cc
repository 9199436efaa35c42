#include "providers/testing/rule_provider.h"

#include "providers/testing/group_interpreter.h"

namespace sdx::providers {
namespace {

// The same on every machine.
double chance(uint64_t seed, std::string_view text) {
  uint64_t hash = seed * 0x9e3779b97f4a7c15 + 0xcbf29ce484222325;
  for (const char one : text) hash = (hash ^ static_cast<unsigned char>(one)) * 0x100000001b3;
  hash ^= hash >> 29;
  hash *= 0xbf58476d1ce4e5b9;
  hash ^= hash >> 32;
  return static_cast<double>(hash >> 11) / static_cast<double>(uint64_t{1} << 53);
}

// What tells a node from others, in every form that it may have.
std::string told_by(const Node& node) {
  return node.label() + join(node.origins, ",", [](const std::string& one) { return one; });
}

Verdict has_reference(const NodeFacts& facts) {
  const ops::OpEntry* op = ops::find_op(facts.node().domain, facts.node().op);
  return op != nullptr && op->contract->reference != nullptr ? yes() : no("no reference");
}

HostOperands host_of(const Node& node, const ops::Contract& contract) {
  return {contract.needs_values, node.op == "Shape" || node.op == "Size" ? uint64_t{1} : 0};
}

Status run_reference(KernelContext& ctx) {
  const auto* memory = static_cast<const LockedMemory*>(ctx.environment().stream);
  const ops::Contract& contract = *ops::find_op(ctx.node().domain, ctx.node().op)->contract;
  const HostOperands host = host_of(ctx.node(), contract);
  SDX_TRY(check_operands(ctx, memory, host));
  const LockedMemory::Access access(memory);
  SDX_TRY(contract.reference(ctx));
  for (size_t i = 0; memory != nullptr && i < ctx.output_count(); ++i) {
    if (!ctx.wants_output(i) || host.has_output(i)) continue;
    const Tensor* made = tensor_of_output(ctx, i);
    if (made == nullptr) return make_error(Code::fail, "output {} is no tensor", i);
    SDX_ASSIGN(Value moved, moved_into(*made, memory, ctx.environment()));
    ctx.set_output(i, std::move(moved));
  }
  return {};
}

constexpr Kernel kKernels[] = {{.name = "rule_reference", .can_run = has_reference, .run = run_reference}};

}  // namespace

RuleProvider::RuleProvider(Rules rules) : rules_(std::move(rules)), memory_(static_cast<int32_t>(rules_.seed % 1000)) {}

Verdict RuleProvider::takes(const Node& node) const {
  if (!rules_.operators.empty() && !rules_.operators.contains(node.op))
    return no(formatted("it does not run {}", node.op));
  if (!rules_.in_name.empty() && node.name.find(rules_.in_name) == std::string::npos)
    return no(formatted("its name lacks \"{}\"", rules_.in_name));
  if (chance(rules_.seed, told_by(node)) >= rules_.share) return no("by chance");
  return yes();
}

Verdict RuleProvider::can_run(const NodeFacts& facts) const {
  if (makes_claims()) return no("it only compiles");
  const Verdict known = has_reference(facts);
  return known ? takes(facts.node()) : known;
}

std::span<const Kernel> RuleProvider::kernels(const ops::OpEntry& op) const {
  return makes_claims() || op.contract->reference == nullptr ? std::span<const Kernel>() : kKernels;
}

HostOperands RuleProvider::host_operands(const NodeFacts& facts) const {
  return host_of(facts.node(), *ops::find_op(facts.node().domain, facts.node().op)->contract);
}

Claims RuleProvider::claim(const Graph& view) const {
  Claims claims;
  std::vector<NodeId> all;
  for (NodeId id = 0; id < view.node_slots(); ++id) {
    const Node& node = view.node(id);
    claims.verdicts.push_back(node.alive && node.provider.empty() ? takes(node) : no("it is taken"));
    if (claims.verdicts.back()) all.push_back(id);
  }
  if (rules_.proposes_groups && !all.empty()) claims.groups.push_back(std::move(all));
  return claims;
}

Result<Compilation> RuleProvider::compile(const Group& group) const {
  std::string all;
  for (const NodeId id : group.claimed) {
    const Node& node = group.view.node(id);
    all += told_by(node) + ";";
  }
  if (chance(rules_.seed + 1, all) >= rules_.compiled_share) return Compilation{no("it cannot compile that"), {}, {}};
  for (const NodeId id : group.claimed)
    seen.push_back(formatted("{} {}", group.view.node(id).op, group.view.node(id).opset));
  SDX_ASSIGN(auto executable, interpret_group(group.graph, locked()));
  return Compilation{yes(), std::move(executable), {}};
}

}  // namespace sdx::providers
