// CategoryMapper: strings to integers or integers to strings, by pairs of cats_strings and cats_int64s.
#include <unordered_map>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_category_mapper(InferContext& ctx) {
  const DType from = ctx.dtype(0);
  const DType to = from == DType::string ? DType::i64 : from == DType::i64 ? DType::string : DType::undefined;
  return tensor_fact(to, ctx.input(0).shape);
}

Status category_mapper_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const auto numbers = ctx.attr_ints("cats_int64s");
  static const std::vector<std::string> none;
  const auto* given = ctx.attributes().get<std::vector<std::string>>("cats_strings");
  const std::vector<std::string>& texts = given != nullptr ? *given : none;
  if (texts.size() != numbers.size())
    return invalid_argument("cats_strings has {} entries, cats_int64s has {}", texts.size(), numbers.size());
  if (x.dtype() == DType::string) {
    const int64_t otherwise = ctx.attr_int("default_int64", -1);
    std::unordered_map<std::string_view, int64_t> map;
    for (size_t i = 0; i < texts.size(); ++i) map[texts[i]] = numbers[i];
    Tensor& y = ctx.output(0);
    for (int64_t i = 0; i < x.count(); ++i) {
      const auto found = map.find(x.string_at(i));
      store_i64(y, i, found == map.end() ? otherwise : found->second);
    }
    return {};
  }
  const std::string_view otherwise = ctx.attr_string("default_string", "_Unused");
  std::unordered_map<int64_t, std::string_view> map;
  for (size_t i = 0; i < texts.size(); ++i) map[numbers[i]] = texts[i];
  StringTensorBuilder names;
  for (int64_t i = 0; i < x.count(); ++i) {
    const auto found = map.find(load_i64(x, i));
    names.append(found == map.end() ? otherwise : found->second);
  }
  SDX_ASSIGN(Tensor y, names.finish(x.shape()));
  ctx.set_output(0, std::move(y));
  return {};
}

}  // namespace

SDX_OP(category_mapper) = {
    .name = "CategoryMapper",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_category_mapper,
    .reference = category_mapper_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
