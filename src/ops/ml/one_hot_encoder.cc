// OneHotEncoder: a new last dimension with a 1 at the element's category. Unknown ones give zeros, or an error with
// zeros=0. Numbers are cast to integers first; of a category listed twice the last place counts.
#include <unordered_map>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

struct Categories {
  std::span<const int64_t> numbers;
  const std::vector<std::string>* texts = nullptr;
  int64_t size() const { return static_cast<int64_t>(texts != nullptr ? texts->size() : numbers.size()); }
};

Result<Categories> categories(const Attributes& attributes) {
  Categories list;
  list.numbers = attributes.get_ints("cats_int64s");
  list.texts = attributes.get<std::vector<std::string>>("cats_strings");
  if (list.texts != nullptr && list.texts->empty()) list.texts = nullptr;
  if (list.numbers.empty() == (list.texts == nullptr))
    return invalid_argument("exactly one of cats_int64s and cats_strings is wanted");
  return list;
}

Result<Facts> infer_one_hot_encoder(InferContext& ctx) {
  SDX_ASSIGN(const Categories list, categories(ctx.attributes()));
  if (ctx.dtype(0) != DType::undefined && (ctx.dtype(0) == DType::string) != (list.texts != nullptr))
    return ctx.fail("x holds {}, the categories do not", name(ctx.dtype(0)));
  Fact fact = tensor_fact(DType::f32, ctx.input(0).shape);
  if (fact.shape) fact.shape->push_back(Dim(list.size()));
  return fact;
}

Status one_hot_encoder_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const Categories list, categories(ctx.attributes()));
  const bool zeros = ctx.attr_int("zeros", 1) != 0;
  std::unordered_map<std::string_view, int64_t> by_text;
  std::unordered_map<int64_t, int64_t> by_number;
  if (list.texts != nullptr) {
    for (size_t i = 0; i < list.texts->size(); ++i) by_text[(*list.texts)[i]] = static_cast<int64_t>(i);
  } else {
    for (size_t i = 0; i < list.numbers.size(); ++i) by_number[list.numbers[i]] = static_cast<int64_t>(i);
  }
  Tensor& y = ctx.output(0);
  float* out = y.data<float>();
  std::fill_n(out, y.count(), 0.0f);
  for (int64_t i = 0; i < x.count(); ++i) {
    int64_t category = -1;
    if (list.texts != nullptr) {
      if (const auto found = by_text.find(x.string_at(i)); found != by_text.end()) category = found->second;
    } else if (const auto found = by_number.find(load_i64(x, i)); found != by_number.end()) {
      category = found->second;
    }
    if (category < 0 && !zeros) return invalid_argument("element {} is in no category, and zeros is 0", i);
    if (category >= 0) out[i * list.size() + category] = 1;
  }
  return {};
}

}  // namespace

SDX_OP(one_hot_encoder) = {
    .name = "OneHotEncoder",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_one_hot_encoder,
    .reference = one_hot_encoder_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
