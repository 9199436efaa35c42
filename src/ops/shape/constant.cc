// Constant: the value of the one attribute that is set.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

template <typename T>
Result<Tensor> numbers(DType type, std::span<const T> values, std::span<const int64_t> shape) {
  SDX_ASSIGN(Tensor out, Tensor::allocate(type, shape));
  if (!values.empty()) std::memcpy(out.raw(), values.data(), values.size_bytes());
  return out;
}

Result<Tensor> value_of(const Attribute& attribute) {
  const auto vector = [](size_t size) { return Shape{static_cast<int64_t>(size)}; };
  if (const auto* tensor = std::get_if<Tensor>(&attribute.content)) return *tensor;
  if (const auto* sparse = std::get_if<SparseTensor>(&attribute.content)) return make_dense(*sparse);
  if (const auto* f = std::get_if<float>(&attribute.content)) return scalar_f32(*f);
  if (const auto* i = std::get_if<int64_t>(&attribute.content)) return scalar_i64(*i);
  if (const auto* list = std::get_if<std::vector<float>>(&attribute.content))
    return numbers<float>(DType::f32, *list, vector(list->size()));
  if (const auto* list = std::get_if<std::vector<int64_t>>(&attribute.content))
    return numbers<int64_t>(DType::i64, *list, vector(list->size()));
  StringTensorBuilder builder;
  if (const auto* text = std::get_if<std::string>(&attribute.content)) {
    builder.append(*text);
    return builder.finish({});
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&attribute.content)) {
    for (const std::string& text : *list) builder.append(text);
    return builder.finish(vector(list->size()));
  }
  return invalid_argument("attribute {} has no tensor in it", attribute.name);
}

Result<Tensor> constant_value(const Attributes& attributes) {
  const Attribute* chosen = nullptr;
  for (const Attribute& attribute : attributes.list()) {
    if (!attribute.name.starts_with("value") && attribute.name != "sparse_value") continue;
    if (chosen != nullptr)
      return invalid_argument("attributes {} and {} exclude each other", chosen->name, attribute.name);
    chosen = &attribute;
  }
  if (chosen == nullptr) return invalid_argument("one of value, value_* or sparse_value is wanted");
  return value_of(*chosen);
}

Result<Facts> infer_constant(InferContext& ctx) {
  SDX_ASSIGN(Tensor value, constant_value(ctx.attributes()));
  return Fact::constant_of(std::move(value));
}

Status constant_reference(KernelContext& ctx) {
  SDX_ASSIGN(Tensor value, constant_value(ctx.attributes()));
  ctx.set_output(0, std::move(value));
  return {};
}

}  // namespace

SDX_OP(constant) = {.name = "Constant",
                    .since = 25,
                    .infer = infer_constant,
                    .reference = constant_reference,
                    .records_constraints = true};

}  // namespace sdx::ops
