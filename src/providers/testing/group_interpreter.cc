#include "providers/testing/group_interpreter.h"

#include <cstring>

#include "ops/invoke.h"

namespace sdx::providers {
namespace {

using Values = std::vector<Value>;  // by value id

Values weights_of(const Graph& graph, const LockedMemory* memory) {
  Values values(graph.value_slots());
  for (ValueId id = 0; id < graph.value_slots(); ++id) {
    const Fact& fact = graph.fact(id);
    if (!fact.is_constant() || graph.value(id).is_input) continue;
    values[id] = fact.constant;
    if (memory == nullptr || fact.dtype == DType::string) continue;
    RunEnvironment environment;
    environment.allocator = &memory->allocator();
    if (auto moved = moved_into(values[id], memory, environment); moved.ok()) values[id] = std::move(moved).value();
  }
  return values;
}

Status run_twice(const Node& node, Values& values, const RunEnvironment& environment) {
  const Tensor& x = values[node.inputs[0]].tensor();
  SDX_ASSIGN(Tensor y, Tensor::allocate(x.dtype(), x.shape(), environment.allocator));
  for (int64_t i = 0; i < x.count(); ++i) y.data<float>()[i] = 2 * x.data<float>()[i];
  values[node.outputs[0]] = std::move(y);
  return {};
}

Status run_graph(const Graph& graph, Values& values, const RunEnvironment& environment);

class Bodies final : public SubgraphRunner {
 public:
  Bodies(const Node& node, const Values& outer, const RunEnvironment& environment)
      : node_(node), outer_(outer), environment_(environment) {}

  Result<std::vector<Value>> run(std::string_view attribute, std::span<const Value> inputs) override {
    const auto* box = node_.attributes.get<GraphBox>(attribute);
    if (box == nullptr) return invalid_graph("subgraph {} is missing", attribute);
    const Graph& body = **box;
    Values values = weights_of(body, nullptr);
    for (size_t i = 0; i < inputs.size(); ++i) values[body.inputs()[i]] = inputs[i];
    for (const Capture& capture : body.captures()) values[capture.inner] = outer_[capture.outer];
    SDX_TRY(run_graph(body, values, environment_));
    std::vector<Value> outputs;
    for (const ValueId output : body.outputs()) outputs.push_back(values[output]);
    return outputs;
  }

 private:
  const Node& node_;
  const Values& outer_;
  const RunEnvironment& environment_;
};

Status run_node(const Node& node, Values& values, const RunEnvironment& environment) {
  const ops::OpEntry* op = ops::find_op(node.domain, node.op);
  if (op == nullptr && node.domain == "test" && node.op == "Twice") return run_twice(node, values, environment);
  if (op == nullptr) return not_implemented("nobody knows the operator");
  std::vector<const Value*> inputs;
  for (const ValueId input : node.inputs) inputs.push_back(input == kNoValue ? nullptr : &values[input]);
  SDX_ASSIGN(const auto specs, ops::output_specs(*op->contract, node, inputs));
  std::vector<Value> outputs(node.outputs.size());
  Bodies bodies(node, values, environment);
  SDX_TRY(ops::invoke({op->contract, nullptr, nullptr}, node, inputs, specs, outputs, environment, &bodies));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (node.outputs[i] != kNoValue) values[node.outputs[i]] = std::move(outputs[i]);
  return {};
}

Status run_graph(const Graph& graph, Values& values, const RunEnvironment& environment) {
  SDX_ASSIGN(const std::vector<NodeId> order, graph.topological_order());
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    SDX_TRY(run_node(node, values, environment).with_prefix(node.label() + ": "));
  }
  return {};
}

class Interpreted final : public Executable {
 public:
  Interpreted(const Graph& graph, const LockedMemory* memory)
      : graph_(graph), memory_(memory), weights_(weights_of(graph_, memory)) {}

  Status run(KernelContext& ctx) const override {
    SDX_TRY(check_operands(ctx, memory_, {}));
    const LockedMemory::Access access(memory_);
    Values values = weights_;
    for (size_t i = 0; i < graph_.inputs().size(); ++i) values[graph_.inputs()[i]] = ctx.input_value(i);
    SDX_TRY(run_graph(graph_, values, ctx.environment()));
    for (size_t i = 0; i < graph_.outputs().size(); ++i) SDX_TRY(give(ctx, i, values[graph_.outputs()[i]]));
    return {};
  }

 private:
  Status give(KernelContext& ctx, size_t i, const Value& value) const {
    if (!ctx.output_shape_known(i) || !value.is_tensor() || value.tensor().dtype() == DType::string) {
      SDX_ASSIGN(Value moved, moved_into(value, memory_, ctx.environment()));
      ctx.set_output(i, std::move(moved));
      return {};
    }
    const Tensor& made = value.tensor();
    Tensor& wanted = ctx.output(i);
    if (!(made.shape() == wanted.shape()) || made.dtype() != wanted.dtype())
      return make_error(Code::fail, "output {} is {}{}, {}{} was foreseen", i, name(made.dtype()),
                        to_text(made.shape()), name(wanted.dtype()), to_text(wanted.shape()));
    if (made.byte_size() > 0) std::memcpy(wanted.raw(), made.raw(), made.byte_size());
    return {};
  }

  Graph graph_;
  const LockedMemory* memory_;
  Values weights_;
};

}  // namespace

const Tensor* tensor_of_output(KernelContext& ctx, size_t i) {
  try {
    return &ctx.output(i);
  } catch (const InternalError&) {  // there is none yet
    return nullptr;
  }
}

Status check_operands(KernelContext& ctx, const LockedMemory* memory, HostOperands host) {
  if (memory == nullptr) return {};
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    if (!ctx.has_input(i) || !ctx.input_value(i).is_tensor() || ctx.input(i).byte_size() == 0) continue;
    if (memory->contains(ctx.input(i).raw()) == host.has_input(i))
      return make_error(Code::fail, "input {} is in the wrong memory", i);
  }
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    if (!ctx.wants_output(i) || !ctx.output_shape_known(i)) continue;
    const Tensor* output = tensor_of_output(ctx, i);
    if (output == nullptr || output->byte_size() == 0) continue;
    if (memory->contains(output->raw()) == host.has_output(i))
      return make_error(Code::fail, "output {} is in the wrong memory", i);
  }
  return {};
}

Result<Value> moved_into(Value value, const LockedMemory* memory, const RunEnvironment& environment) {
  if (memory == nullptr || !value.is_tensor()) return value;
  const Tensor& tensor = value.tensor();
  if (tensor.owner() != nullptr && memory->contains(tensor.raw())) return value;
  SDX_ASSIGN(Tensor moved, Tensor::allocate(tensor.dtype(), tensor.shape(), environment.allocator));
  const LockedMemory::Access access(memory);
  if (tensor.byte_size() > 0) std::memcpy(moved.raw(), tensor.raw(), tensor.byte_size());
  return Value(std::move(moved));
}

Result<std::shared_ptr<const Executable>> interpret_group(const Graph& graph, const LockedMemory* memory) {
  return std::shared_ptr<const Executable>(std::make_shared<Interpreted>(graph, memory));
}

}  // namespace sdx::providers
