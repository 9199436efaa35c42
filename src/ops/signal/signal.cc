#include "ops/signal/signal.h"

#include <cmath>
#include <numbers>

#include "base/element.h"

namespace sdx::ops {

Result<std::optional<Dim>> scalar_input(const InferContext& ctx, size_t i, std::string_view what) {
  if (!ctx.has_input(i)) return std::optional<Dim>();
  if (ctx.has_rank(i) && ctx.rank(i) > 1) return ctx.fail("{} has rank {}; a scalar is wanted", what, ctx.rank(i));
  const auto list = ctx.elements(i);
  if (!list) return std::optional<Dim>(ctx.symbols().fresh_value());
  if (list->size() != 1) return ctx.fail("{} has {} elements; one is wanted", what, list->size());
  return std::optional<Dim>(list->front());
}

void assume_real_or_complex(const InferContext& ctx, const Dim& parts) {
  SymbolTable& symbols = ctx.symbols();  // (parts - 1) * (parts - 2) == 0
  const Dim product = symbols.mul(symbols.sub(parts, Dim(1)), symbols.sub(parts, Dim(2)));
  ctx.assume({Constraint::Kind::equal, product, Dim(0)});
}

Result<DType> output_datatype(const InferContext& ctx) {
  const int64_t value = ctx.attr_int("output_datatype", 1);
  const DType type = dtype_from_onnx(value);
  if ((!is_floating(type) && !is_integer(type)) || is_packed(type) || (is_floating(type) && bit_width(type) < 16))
    return ctx.fail("attribute output_datatype is {}, not a number type that is allowed", value);
  return type;
}

Result<Facts> infer_window(InferContext& ctx) {
  SDX_ASSIGN(const DType type, output_datatype(ctx));
  SDX_ASSIGN(const std::optional<Dim> size, scalar_input(ctx, 0, "size"));
  if (!size) return ctx.fail("size is missing");
  if (size->is_known() && size->known() < 0) return ctx.fail("size is {}, negative", size->known());
  return tensor_fact(type, SymShape{ctx.size_of(*size)});
}

Status fill_window(KernelContext& ctx, double a, double b, double c) {
  Tensor& y = ctx.output(0);
  const int64_t size = y.count();
  const auto period = static_cast<double>(ctx.attr_int("periodic", 1) != 0 ? size : size - 1);
  for (int64_t i = 0; i < size; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / period;
    store_double(y, i, period == 0 ? 1 : a - b * std::cos(angle) + c * std::cos(2 * angle));
  }
  return {};
}

}  // namespace sdx::ops
