#include "ops/infer_elements.h"

#include <algorithm>

namespace sdx::ops {
namespace {

bool may_be_tracked(DType type) { return type == DType::i64 || type == DType::i32 || type == DType::boolean; }

}  // namespace

Result<Facts> infer_elements(InferContext& ctx, DType type, const ElementRule& rule) {
  SDX_ASSIGN(auto shape, ctx.broadcast_inputs());
  Fact y = tensor_fact(type, std::move(shape));
  if (!may_be_tracked(type) || !y.has_rank() || y.rank() > 1) return y;
  bool any = false;
  size_t count = 1;
  std::vector<std::vector<Dim>> operands;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    if (!may_be_tracked(ctx.dtype(i))) return y;
    any = any || ctx.input(i).elements || ctx.input(i).is_constant();
  }
  if (!any) return y;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    auto list = ctx.elements(i);
    if (!list || list->empty()) return y;
    if (list->size() != 1) count = list->size();
    operands.push_back(std::move(*list));
  }
  for (const auto& operand : operands)
    if (operand.size() != 1 && operand.size() != count) return y;
  y.elements.emplace();
  std::vector<Dim> row(operands.size());
  for (size_t k = 0; k < count; ++k) {
    for (size_t i = 0; i < operands.size(); ++i) row[i] = operands[i][operands[i].size() == 1 ? 0 : k];
    y.elements->push_back(rule(row));
  }
  return y;
}

Dim truth_element(InferContext& ctx, Truth truth) {
  if (truth == Truth::unknown) return ctx.symbols().fresh_value();
  return Dim(truth == Truth::yes ? 1 : 0);
}

}  // namespace sdx::ops
