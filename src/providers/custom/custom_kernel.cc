#include "providers/custom/custom_kernel.h"

#include <cstring>

#include "providers/custom/custom_op.h"

namespace sdx::providers {
namespace {

constexpr uint32_t kStatusSince = 16;  // CreateKernelV2 and KernelComputeV2, which return a status

// Where each operand of the node comes from: an input of the group, or a constant.
struct Source {
  int input = -1;
  std::shared_ptr<const OrtValue> constant;
};

class CustomKernel final : public Executable {
 public:
  CustomKernel(const OrtCustomOp& op, const OrtApi& api) : op_(op), api_(api) {}
  CustomKernel(const CustomKernel&) = delete;
  CustomKernel& operator=(const CustomKernel&) = delete;
  ~CustomKernel() override {
    if (kernel_ != nullptr && op_.KernelDestroy != nullptr) op_.KernelDestroy(kernel_);
  }

  Status create(const Graph& graph, const Node& node, const OrtLogger* logger);
  Status run(KernelContext& ctx) const override;

 private:
  Result<OrtKernelInfo::Operand> describe(const Graph& graph, ValueId id) const;
  Status give(KernelContext& ctx, OrtKernelContext& run) const;

  const OrtCustomOp& op_;
  const OrtApi& api_;
  std::string label_;
  const OrtLogger* logger_ = nullptr;
  std::unique_ptr<OrtKernelInfo> info_;  // kernels may keep it
  std::vector<Source> sources_;
  std::vector<DType> types_;  // of the node's outputs; undefined where an output is omitted
  std::vector<int> places_;   // of the node's outputs among the group's; -1: nobody reads it
  void* kernel_ = nullptr;
};

Result<OrtKernelInfo::Operand> CustomKernel::describe(const Graph& graph, ValueId id) const {
  if (id == kNoValue) return OrtKernelInfo::Operand();
  const ValueInfo& value = graph.value(id);
  OrtKernelInfo::Operand operand{value.name, abi::type_info_of(value.fact, nullptr, graph.symbols()), nullptr};
  if (!value.fact.is_constant() || value.is_input) return operand;
  Tensor weight = value.fact.constant;
  if (!is_aligned(weight)) {  // a custom operator reads elements where they lie
    SDX_ASSIGN(weight, clone(weight));
  }
  operand.constant = std::make_shared<const OrtValue>(Value(std::move(weight)));
  return operand;
}

Status CustomKernel::create(const Graph& graph, const Node& node, const OrtLogger* logger) {
  label_ = node.label();
  logger_ = logger;
  info_ = std::make_unique<OrtKernelInfo>();
  info_->name = node.name;
  info_->op = node.op;
  info_->domain = node.domain;
  info_->since_version = node.opset;
  info_->attributes = node.attributes;
  info_->logger = logger;
  for (const ValueId id : node.inputs) {
    SDX_ASSIGN(OrtKernelInfo::Operand operand, describe(graph, id));
    info_->inputs.push_back(std::move(operand));
    const auto at = std::ranges::find(graph.inputs(), id);
    const bool fed = id != kNoValue && at != graph.inputs().end();
    sources_.push_back({fed ? static_cast<int>(at - graph.inputs().begin()) : -1, info_->inputs.back().constant});
  }
  for (const ValueId id : node.outputs) {
    SDX_ASSIGN(OrtKernelInfo::Operand operand, describe(graph, id));
    info_->outputs.push_back(std::move(operand));
    const auto at = std::ranges::find(graph.outputs(), id);
    const bool read = id != kNoValue && at != graph.outputs().end();
    places_.push_back(read ? static_cast<int>(at - graph.outputs().begin()) : -1);
    types_.push_back(id == kNoValue ? DType::undefined : graph.fact(id).dtype);
  }
  if (op_.version >= kStatusSince && op_.CreateKernelV2 != nullptr)
    return take_status(api_, op_.CreateKernelV2(&op_, &api_, info_.get(), &kernel_)).with_prefix(label_ + ": ");
  kernel_ = op_.CreateKernel(&op_, &api_, info_.get());
  return {};
}

Status CustomKernel::run(KernelContext& ctx) const {
  OrtKernelContext run;
  run.environment = &ctx.environment();
  run.logger = logger_;
  std::vector<OrtValue> given;
  given.reserve(sources_.size());
  for (const Source& source : sources_) {
    const bool fed = source.input >= 0 && ctx.has_input(static_cast<size_t>(source.input));
    if (fed) given.emplace_back(ctx.input_value(static_cast<size_t>(source.input)));
    run.inputs.push_back(fed ? &given.back() : source.constant.get());
  }
  for (const DType type : types_) run.outputs.push_back({type != DType::undefined, type, nullptr});
  if (op_.version >= kStatusSince && op_.KernelComputeV2 != nullptr) {
    SDX_TRY(take_status(api_, op_.KernelComputeV2(kernel_, &run)).with_prefix(label_ + ": "));
  } else {
    op_.KernelCompute(kernel_, &run);
  }
  return give(ctx, run);
}

// Outputs whose shape the plan foresees have memory already.
Status CustomKernel::give(KernelContext& ctx, OrtKernelContext& run) const {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] < 0) continue;
    const auto place = static_cast<size_t>(places_[i]);
    if (run.outputs[i].value == nullptr)
      return make_error(Code::fail, "{}: the custom operator made no output {}", label_, i);
    SDX_ASSIGN(Value value, run.outputs[i].value->value());
    if (!ctx.output_shape_known(place) || !value.is_tensor() || value.tensor().dtype() == DType::string) {
      ctx.set_output(place, std::move(value));
      continue;
    }
    const Tensor& made = value.tensor();
    Tensor& wanted = ctx.output(place);
    if (!(made.shape() == wanted.shape()) || made.dtype() != wanted.dtype())
      return make_error(Code::fail, "{}: output {} is {}{}, {}{} was foreseen", label_, i, sdx::name(made.dtype()),
                        to_text(made.shape()), sdx::name(wanted.dtype()), to_text(wanted.shape()));
    if (made.byte_size() > 0) std::memcpy(wanted.raw(), made.raw(), made.byte_size());
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const Executable>> make_custom_kernel(const OrtCustomOp& op, const Graph& graph,
                                                             const OrtApi& api, const OrtLogger* logger) {
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    if (!graph.node(id).alive) continue;
    auto kernel = std::make_shared<CustomKernel>(op, api);
    SDX_TRY(kernel->create(graph, graph.node(id), logger));
    return std::shared_ptr<const Executable>(std::move(kernel));
  }
  return make_error(Code::fail, "a group without nodes");
}

}  // namespace sdx::providers
