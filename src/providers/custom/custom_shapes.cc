#include "providers/custom/custom_shapes.h"

#include "abi/element_type.h"
#include "abi/op_attr.h"
#include "providers/custom/custom_op.h"

namespace sdx::providers {
namespace {

constexpr uint32_t kInferenceSince = 17;

Result<Fact> fact_of(const OrtTensorTypeAndShapeInfo& info, Fact known, SymbolTable& symbols) {
  const DType type = abi::dtype_of(info.element_type);
  if (type != DType::undefined) {
    if (known.dtype != DType::undefined && known.dtype != type)
      return invalid_argument("the custom operator infers {}, its output is {}", sdx::name(type),
                              sdx::name(known.dtype));
    known.kind = ValueKind::tensor;
    known.dtype = type;
  }
  if (!info.has_shape) return known;
  SymShape shape;
  for (size_t i = 0; i < info.dims.size(); ++i) {
    const std::string name = i < info.symbols.size() ? info.symbols[i] : std::string();
    if (info.dims[i] >= 0) {
      shape.emplace_back(info.dims[i]);
    } else if (name.empty()) {
      shape.push_back(symbols.fresh());
    } else {
      auto expression = symbols.parse(name);
      shape.push_back(expression.ok() ? *expression : symbols.symbol(name));
    }
  }
  known.kind = ValueKind::tensor;
  known.shape = std::move(shape);
  return known;
}

}  // namespace

Status infer_custom_shapes(const OrtCustomOp& op, const OrtApi& api, const Node& node,
                           std::span<const Fact* const> inputs, SymbolTable& symbols, std::span<Fact> outputs) {
  if (op.version < kInferenceSince || op.InferOutputShapeFn == nullptr) return {};
  OrtShapeInferContext context;
  for (const Fact* input : inputs)
    context.inputs.push_back(input == nullptr ? OrtTensorTypeAndShapeInfo()
                                              : abi::type_info_of(*input, nullptr, symbols).tensor);
  context.attributes = &node.attributes;
  context.outputs.resize(outputs.size());
  SDX_TRY(take_status(api, op.InferOutputShapeFn(&op, &context)));
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!context.outputs[i]) continue;
    SDX_ASSIGN(outputs[i], fact_of(*context.outputs[i], std::move(outputs[i]), symbols));
  }
  return {};
}

}  // namespace sdx::providers
