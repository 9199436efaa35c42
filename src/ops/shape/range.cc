// Range: start + i * delta for i in [0, max(ceil((limit - start) / delta), 0)).
#include <cmath>
#include <limits>

#include "base/stop_point.h"
#include "ops/op.h"
#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

// Of three scalars of one type; delta is not 0.
Result<int64_t> range_count(const Tensor& start, const Tensor& limit, const Tensor& delta) {
  if (is_floating(start.dtype())) {
    const double from = load_double(start, 0), to = load_double(limit, 0), step = load_double(delta, 0);
    if (step == 0) return invalid_argument("delta is 0");
    const double count = std::ceil((to - from) / step);
    if (!(std::fabs(count) < 9e18)) return invalid_argument("from {} to {} by {} is no finite range", from, to, step);
    return count > 0 ? static_cast<int64_t>(count) : 0;
  }
  const int64_t from = load_i64(start, 0), to = load_i64(limit, 0), step = load_i64(delta, 0);
  if (step == 0) return invalid_argument("delta is 0");
  // Distance and step as unsigned: neither overflows.
  const uint64_t a = static_cast<uint64_t>(from), b = static_cast<uint64_t>(to);
  const bool up = step > 0;
  if (up ? from >= to : from <= to) return 0;
  const uint64_t distance = up ? b - a : a - b;
  const uint64_t stride = up ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  const uint64_t count = (distance - 1) / stride + 1;
  if (count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return invalid_argument("from {} to {} by {} has too many elements", from, to, step);
  return static_cast<int64_t>(count);
}

std::optional<std::vector<Dim>> known_scalar(const InferContext& ctx, size_t i) {
  if (!ctx.input(i).elements && !ctx.input(i).is_constant()) return std::nullopt;
  return ctx.elements(i);
}

Result<Facts> infer_range(InferContext& ctx) {
  const DType type = ctx.dtype(0);
  for (size_t i = 0; i < 3; ++i) {
    if (ctx.has_rank(i) && ctx.rank(i) > 1) return ctx.fail("input {} has rank {}, a scalar is wanted", i, ctx.rank(i));
    const Tensor* value = ctx.constant(i);
    if (value != nullptr && value->count() != 1)
      return ctx.fail("input {} has {} elements, a scalar is wanted", i, value->count());
  }
  Fact fact = tensor_fact(type, SymShape{ctx.unknown_dim()});
  const Tensor *start = ctx.constant(0), *limit = ctx.constant(1), *delta = ctx.constant(2);
  if (start != nullptr && limit != nullptr && delta != nullptr) {
    SDX_ASSIGN((*fact.shape)[0], range_count(*start, *limit, *delta));
  }
  const auto from = known_scalar(ctx, 0), to = known_scalar(ctx, 1), step = known_scalar(ctx, 2);
  if (!from || !to || !step) return fact;
  if (from->size() != 1 || to->size() != 1 || step->size() != 1 || !(*step)[0].is_known() || (*step)[0].is(0))
    return fact;
  SymbolTable& symbols = ctx.symbols();
  Dim& count = (*fact.shape)[0];
  if (start == nullptr || limit == nullptr || delta == nullptr)
    count = symbols.max(symbols.ceil_div(symbols.sub((*to)[0], (*from)[0]), (*step)[0]), Dim(0));
  if (is_floating(type)) return fact;
  if (!count.is_known() || count.known() > static_cast<int64_t>(kMaxTrackedElements)) return fact;
  std::vector<Dim> values;
  for (int64_t i = 0; i < count.known(); ++i)
    values.push_back(symbols.add((*from)[0], symbols.mul(Dim(i), (*step)[0])));
  track(fact, std::move(values));
  return fact;
}

// Numbers of 32 bits become doubles in vectors.
template <typename T>
void write_floats(T* to, double from, double step, int64_t count) {
  constexpr int64_t kPiece = int64_t{1} << 20;
  for (int64_t first = 0; first < count; first += kPiece) {
    const auto size = static_cast<int32_t>(std::min(kPiece, count - first));
    if (first + size > std::numeric_limits<int32_t>::max()) {
      for (int32_t i = 0; i < size; ++i) to[first + i] = static_cast<T>(from + static_cast<double>(first + i) * step);
    } else {
      const auto base = static_cast<int32_t>(first);
      for (int32_t i = 0; i < size; ++i) to[base + i] = static_cast<T>(from + static_cast<double>(base + i) * step);
    }
    stop_point(size);
  }
}

Status range_reference(KernelContext& ctx) {
  const Tensor &start = ctx.input(0), &delta = ctx.input(2);
  SDX_ASSIGN(const int64_t count, range_count(start, ctx.input(1), delta));
  SDX_ASSIGN(Tensor* const y,
             ctx.output_shape_known(0) ? Result<Tensor*>(&ctx.output(0)) : ctx.allocate_output(0, Shape{count}));
  const bool floating = is_floating(start.dtype());
  const double from = floating ? load_double(start, 0) : 0, step = floating ? load_double(delta, 0) : 0;
  const auto first = floating ? 0 : static_cast<uint64_t>(load_i64(start, 0));
  const auto each = floating ? 0 : static_cast<uint64_t>(load_i64(delta, 0));
  const auto write = [&]<typename T>(T) {
    auto* to = y->data<T>();
    if constexpr (std::is_integral_v<T>) {
      constexpr int64_t kPiece = int64_t{1} << 20;
      for (int64_t begin = 0; begin < count; begin += kPiece) {
        const int64_t end = std::min(begin + kPiece, count);
        uint64_t value = first + static_cast<uint64_t>(begin) * each;
        for (int64_t i = begin; i < end; ++i, value += each) to[i] = static_cast<T>(value);
        stop_point(end - begin);
      }
    } else if constexpr (std::is_floating_point_v<T>) {
      write_floats(to, from, step, count);
    }
  };
  switch (start.dtype()) {
    case DType::f32: write(float{}); break;
    case DType::f64: write(double{}); break;
    case DType::i16: write(int16_t{}); break;
    case DType::i32: write(int32_t{}); break;
    case DType::i64: write(int64_t{}); break;
    default:
      for (int64_t i = 0; i < count; ++i) store_double(*y, i, from + static_cast<double>(i) * step);
  }
  return {};
}

}  // namespace

SDX_OP(range) = {
    .name = "Range",
    .since = 27,
    .infer = infer_range,
    .reference = range_reference,
    .records_constraints = true,
    .needs_values = input_bit(0) | input_bit(1) | input_bit(2),
};

}  // namespace sdx::ops
