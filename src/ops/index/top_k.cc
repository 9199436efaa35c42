// TopK: the k largest (smallest) elements along an axis and their indices, in order; of equal ones the lower index
// comes first. NaN counts as the largest value.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_top_k(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  const auto list = ctx.elements(1);
  if (list && list->size() != 1) return ctx.fail("K has {} elements, one is wanted", list->size());
  Dim k = ctx.unknown_dim();
  if (list && (*list)[0].is_known() && (*list)[0].known() < 0) return ctx.fail("K is {}, below 0", (*list)[0].known());
  if (list) k = ctx.size_of((*list)[0]);
  if (!x.has_rank()) {
    return Facts({tensor_fact(x.dtype, std::nullopt), tensor_fact(DType::i64, std::nullopt)});
  }
  if (x.rank() == 0) return ctx.fail("the input is a scalar");
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", -1), x.rank()));
  if (ctx.symbols().less(x.dim(axis), k) == Truth::yes)
    return ctx.fail("K is {}, the axis has {} elements", ctx.symbols().to_text(k), ctx.symbols().to_text(x.dim(axis)));
  ctx.assume({Constraint::Kind::at_least, x.dim(axis), k});
  SymShape shape = *x.shape;
  shape[static_cast<size_t>(axis)] = k;
  return Facts({tensor_fact(x.dtype, shape), tensor_fact(DType::i64, shape)});
}

// Numbers in an order that sorts them: NaN above all.
template <typename T>
bool below(T a, T b) {
  if (std::isnan(static_cast<double>(b))) return !std::isnan(static_cast<double>(a));
  return a < b;
}

template <typename T, typename Load>
void top_of_row(Load load, int64_t size, int64_t k, bool largest, std::vector<int64_t>& order) {
  std::vector<T> values(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) values[static_cast<size_t>(i)] = load(i);
  order.resize(static_cast<size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int64_t a, int64_t b) {
    const T x = values[static_cast<size_t>(a)], y = values[static_cast<size_t>(b)];
    const bool first = largest ? below(y, x) : below(x, y), second = largest ? below(x, y) : below(y, x);
    return first || (!second && a < b);
  };
  std::partial_sort(order.begin(), order.begin() + k, order.end(), before);
}

Status top_k_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", -1), x.rank()));
  const bool largest = ctx.attr_int("largest", 1) != 0;
  const int64_t size = x.shape()[axis], k = load_i64(ctx.input(1), 0);
  const int64_t outer = count_range(x.shape(), 0, axis), inner = count_range(x.shape(), axis + 1, x.shape().size());
  std::vector<int64_t> order;
  std::vector<int64_t> from(static_cast<size_t>(outer * k * inner));
  for (int64_t row = 0; row < outer * inner; ++row) {
    const int64_t base = row / inner * size * inner + row % inner;
    if (is_floating(x.dtype())) {
      top_of_row<double>([&](int64_t i) { return load_double(x, base + i * inner); }, size, k, largest, order);
    } else if (x.dtype() == DType::u64) {
      top_of_row<uint64_t>([&](int64_t i) { return static_cast<uint64_t>(load_i64(x, base + i * inner)); }, size, k,
                           largest, order);
    } else {
      top_of_row<int64_t>([&](int64_t i) { return load_i64(x, base + i * inner); }, size, k, largest, order);
    }
    for (int64_t i = 0; i < k; ++i)
      from[static_cast<size_t>((row / inner * k + i) * inner + row % inner)] =
          base + order[static_cast<size_t>(i)] * inner;
  }
  if (ctx.wants_output(0)) {
    SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, ctx.output_shape(0)));
    for (const int64_t at : from) writer.append(x, at);
    SDX_TRY(writer.finish());
  }
  if (ctx.wants_output(1)) {
    auto* indices = ctx.output(1).data<int64_t>();
    for (size_t i = 0; i < from.size(); ++i) indices[i] = from[i] / inner % size;
  }
  return {};
}

// Opset 1 had k as an attribute.
Status top_k_1_to_10(UpgradeContext& ctx) {
  const auto* k = ctx.attributes().get<int64_t>("k");
  if (k == nullptr) return ctx.fail("attribute k is missing");
  ctx.set_input(1, ctx.ints(std::vector<int64_t>{*k}));
  ctx.attributes().remove("k");
  return {};
}

}  // namespace

SDX_OP(top_k) = {
    .name = "TopK",
    .since = 24,
    .infer = infer_top_k,
    .reference = top_k_reference,
    .upgrades = {{1, top_k_1_to_10}},
    .records_constraints = true,
    .needs_values = input_bit(1),
};

}  // namespace sdx::ops
