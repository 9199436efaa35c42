#include "ops/invoke.h"

#include <new>
#include <stdexcept>

#include "base/stop_point.h"
#include "ops/checked_infer.h"

namespace sdx::ops {

Result<std::vector<OutputSpec>> output_specs(const Contract& contract, const Node& node,
                                             std::span<const Value* const> inputs) {
  std::vector<Fact> facts(inputs.size());
  std::vector<const Fact*> pointers(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->defined()) continue;
    const bool needs_value = i < 32 && (contract.needs_values >> i) & 1 && inputs[i]->is_tensor();
    facts[i] = needs_value ? Fact::constant_of(inputs[i]->tensor()) : Fact::of(*inputs[i]);
    pointers[i] = &facts[i];
  }
  SymbolTable symbols;
  InferContext ctx(node, pointers, symbols);
  SDX_ASSIGN(const Facts inferred, checked_infer(contract, ctx));
  std::vector<OutputSpec> specs(node.outputs.size());
  for (size_t i = 0; i < specs.size() && i < inferred.list.size(); ++i) {
    const Fact& fact = inferred.list[i];
    specs[i].dtype = fact.dtype;
    if (fact.is_tensor() && fact.known_shape() && fact.dtype == DType::undefined && ctx.wants_output(i))
      return ctx.fail("the type of output {} is not known", i);
    if (const auto shape = fact.known_shape(); shape && fact.is_tensor()) {
      specs[i].shape_known = true;
      specs[i].shape = *shape;
    }
  }
  return specs;
}

namespace {

Status allocate_outputs(const Contract& contract, const Node& node, std::span<const OutputSpec> specs,
                        std::span<Value> outputs, Allocator* allocator) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool view = i == 0 && contract.view_of >= 0;
    if (node.outputs[i] == kNoValue || view || !specs[i].shape_known || outputs[i].defined()) continue;
    if (specs[i].dtype == DType::string || specs[i].dtype == DType::undefined) continue;
    SDX_ASSIGN(Tensor tensor, Tensor::allocate(specs[i].dtype, specs[i].shape, allocator));
    outputs[i] = std::move(tensor);
  }
  return {};
}

Result<Tensor> make_scratch(const Kernel* kernel, const Node& node, std::span<const Value* const> inputs,
                            std::span<const OutputSpec> specs, const RunEnvironment& environment) {
  if (kernel == nullptr || kernel->scratch_bytes == nullptr) return Tensor();
  std::vector<Fact> facts(inputs.size()), outputs(specs.size());
  std::vector<const Fact*> inputs_known(inputs.size(), nullptr), outputs_known(specs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->defined()) continue;
    facts[i] = Fact::of(*inputs[i]);
    inputs_known[i] = &facts[i];
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i].shape_known) continue;
    outputs[i] = Fact::tensor(specs[i].dtype, to_symbolic(specs[i].shape));
    outputs_known[i] = &outputs[i];
  }
  SymbolTable symbols;
  const NodeFacts known(node, inputs_known);
  const int threads = environment.pool != nullptr ? environment.pool->size() : 1;
  const Dim bytes = kernel->scratch_bytes({known, outputs_known, symbols, threads});
  SDX_CHECK(bytes.is_known() && bytes.known() >= 0, "a kernel's scratch size is no number for known shapes");
  return Tensor::allocate(DType::u8, Shape{bytes.known()}, environment.allocator);
}

}  // namespace

Status invoke(const Implementation& implementation, const Node& node, std::span<const Value* const> inputs,
              std::span<const OutputSpec> specs, std::span<Value> outputs, const RunEnvironment& environment,
              SubgraphRunner* subgraphs) {
  SDX_TRY(allocate_outputs(*implementation.contract, node, specs, outputs, environment.allocator));
  SDX_ASSIGN(const Tensor scratch, make_scratch(implementation.kernel, node, inputs, specs, environment));
  KernelContext ctx(node, inputs, specs, outputs, environment);
  ctx.set_scratch({const_cast<std::byte*>(scratch.bytes()), scratch.byte_size()});
  ctx.set_state(implementation.state);
  ctx.set_subgraphs(subgraphs);
  const StopScope stops(environment.cancel);
  try {
    SDX_TRY(implementation.kernel != nullptr ? implementation.kernel->run(ctx)
                                             : implementation.contract->reference(ctx));
  } catch (const Stopped&) {
    SDX_TRY(ctx.check_cancelled());
  } catch (const std::bad_alloc&) {
    return Status(Code::runtime_exception, "out of memory");
  } catch (const std::length_error&) {
    return Status(Code::runtime_exception, "out of memory");
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    SDX_CHECK(node.outputs[i] == kNoValue || outputs[i].defined(), "a kernel left an output unset");
  return {};
}

}  // namespace sdx::ops
