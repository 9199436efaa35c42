#include "ops/reduce/reduction.h"

namespace sdx::ops {

Result<std::vector<bool>> reduced_dimensions(std::span<const int64_t> axes, int rank, bool noop) {
  std::vector<bool> reduced(static_cast<size_t>(rank), axes.empty() && !noop);
  for (const int64_t axis : axes) {
    const auto normal = normalize_axis(axis, rank);
    if (!normal) return invalid_argument("axis {} is outside [-{}, {})", axis, rank, rank);
    reduced[static_cast<size_t>(*normal)] = true;
  }
  return reduced;
}

Result<std::vector<bool>> reduced_dimensions(KernelContext& ctx) {
  const Shape axes = ctx.has_input(1) ? read_ints(ctx.input(1)) : Shape();
  return reduced_dimensions(axes, ctx.input(0).rank(), ctx.attr_int("noop_with_empty_axes", 0) != 0);
}

ReductionPlan::ReductionPlan(std::span<const int64_t> shape, const std::vector<bool>& reduced) {
  const Shape strides = row_major_strides(shape);
  std::optional<bool> last;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    auto& levels = reduced[i] ? reduced_ : kept_;
    (reduced[i] ? size_ : outputs_) *= shape[i];
    if (last && *last == reduced[i]) {
      levels.back() = {levels.back().size * shape[i], strides[i]};
    } else {
      levels.push_back({shape[i], strides[i]});
    }
    last = reduced[i];
  }
}

int64_t ReductionPlan::offset(std::span<const Level> levels, int64_t position) {
  int64_t at = 0;
  for (size_t i = levels.size(); i-- > 0 && position != 0;) {
    at += position % levels[i].size * levels[i].stride;
    position /= levels[i].size;
  }
  return at;
}

namespace {

// The axes as numbers; nullopt when they are only known at run time.
std::optional<Shape> known_axes(const InferContext& ctx) {
  if (!ctx.has_input(1)) return Shape();
  const auto list = ctx.elements(1);
  if (!list) return std::nullopt;
  Shape axes;
  for (const Dim& dim : *list) {
    if (!dim.is_known()) return std::nullopt;
    axes.push_back(dim.known());
  }
  return axes;
}

std::optional<std::vector<Dim>> combined_elements(const InferContext& ctx, const TrackedReduction& tracked) {
  const Fact& data = ctx.input(0);
  if ((data.dtype != DType::i64 && data.dtype != DType::i32) || (!data.elements && !data.is_constant()))
    return std::nullopt;
  const auto list = ctx.elements(0);
  if (!list || (list->empty() && !tracked.of_nothing)) return std::nullopt;
  Dim result = list->empty() ? Dim(*tracked.of_nothing) : list->front();
  for (size_t i = 1; i < list->size(); ++i) result = (ctx.symbols().*tracked.combine)(result, (*list)[i]);
  return std::vector<Dim>{result};
}

}  // namespace

Result<Facts> infer_reduction(InferContext& ctx) { return infer_reduction(ctx, {}); }

Result<Facts> infer_reduction(InferContext& ctx, const TrackedReduction& tracked) {
  const Fact& data = ctx.input(0);
  if (ctx.has_input(1) && ctx.has_rank(1) && ctx.rank(1) > 1) return ctx.fail("axes has rank {}, not 1", ctx.rank(1));
  const bool keep = ctx.attr_int("keepdims", 1) != 0;
  const bool noop = ctx.attr_int("noop_with_empty_axes", 0) != 0;
  const auto axes = known_axes(ctx);
  if (!data.has_rank()) {
    const bool everything = axes && axes->empty() && !noop && !keep;
    return tensor_fact(data.dtype, everything ? std::optional(SymShape()) : std::nullopt);
  }
  if (!axes) return tensor_fact(data.dtype, keep ? std::optional(ctx.unknown_shape(data.rank())) : std::nullopt);
  SDX_ASSIGN(const std::vector<bool> reduced, reduced_dimensions(*axes, data.rank(), noop));
  SymShape shape;
  for (int i = 0; i < data.rank(); ++i) {
    if (!reduced[static_cast<size_t>(i)]) {
      shape.push_back(data.dim(i));
    } else if (keep) {
      shape.push_back(Dim(1));
    }
  }
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  if (tracked.combine != nullptr && data.rank() == 1 && reduced[0]) fact.elements = combined_elements(ctx, tracked);
  if (tracked.combine != nullptr && (data.rank() == 0 || (data.rank() == 1 && !reduced[0])))
    fact.elements = data.elements;
  return fact;
}

Status reference_reduction(KernelContext& ctx, const Reducer& reducer) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const std::vector<bool> reduced, reduced_dimensions(ctx));
  const ReductionPlan plan(x.shape(), reduced);
  if (plan.outputs() == 0) return {};
  const bool integer = !is_floating(x.dtype()) && reducer.integer != nullptr;
  std::vector<double> doubles(integer ? 0 : static_cast<size_t>(plan.size()));
  std::vector<int64_t> integers(integer ? static_cast<size_t>(plan.size()) : 0);
  for (int64_t output = 0; output < plan.outputs(); ++output) {
    size_t count = 0;
    if (integer) {
      plan.each(output, [&](int64_t at) { integers[count++] = load_i64(x, at); });
      store_i64(y, output, reducer.integer(integers, x.dtype()));
    } else {
      plan.each(output, [&](int64_t at) { doubles[count++] = load_double(x, at); });
      store_double(y, output, reducer.floating(doubles));
    }
    if (output % 1024 == 0) SDX_TRY(ctx.check_cancelled());
  }
  return {};
}

int64_t lowest_of(DType type) {
  return is_signed_integer(type) ? static_cast<int64_t>(~uint64_t{0} << (bit_width(type) - 1)) : 0;
}

int64_t highest_of(DType type) {
  if (type == DType::boolean) return 1;
  const int bits = bit_width(type) - (is_signed_integer(type) ? 1 : 0);
  return bits == 64 ? -1 : static_cast<int64_t>((uint64_t{1} << bits) - 1);
}

Status axes_to_input(UpgradeContext& ctx) {
  ctx.attribute_to_input("axes", 1);
  return {};
}

}  // namespace sdx::ops
