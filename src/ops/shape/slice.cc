// Slice: along each of `axes`, the elements from `start` to before `end` in steps. Negative positions count from the
// end; positions are clamped: [0, size] going forward, [0, size-1] (start) and [-1, size-1] (end) going backward.
#include "ops/shape/slice.h"

#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

constexpr int64_t kFar = (int64_t{1} << 31) - 1;  // exporters write it for "to the end"; no dimension is that long

// A position on an axis of unknown size going forward, clamped. Where its sign is not known it is taken to count from
// the front, which is recorded; nullopt where only data decide it.
std::optional<Dim> forward_position(InferContext& ctx, const Dim& at, const Dim& size) {
  SymbolTable& symbols = ctx.symbols();
  if (at.is_known() && at.known() >= kFar) return size;
  if (at.is_known() && at.known() <= -kFar) return Dim(0);
  if (at.is_known() && at.known() < 0) return symbols.max(symbols.add(size, at), Dim(0));
  if (at == size) return size;
  if (const Dim back = symbols.mul(at, Dim(-1)); !at.is_known() && symbols.is_non_negative(back)) {
    ctx.assume({Constraint::Kind::at_least, back, Dim(1)});
    return symbols.max(symbols.add(size, at), Dim(0));
  }
  if (!symbols.is_nameable(at)) return std::nullopt;
  return symbols.min(ctx.size_of(at), size);
}

Dim sliced_size(InferContext& ctx, const Dim& start, const Dim& end, const Dim& step, const Dim& size) {
  SymbolTable& symbols = ctx.symbols();
  if (!step.is_known()) return ctx.unknown_dim();
  if (start.is_known() && end.is_known() && size.is_known())
    return Dim(resolve_slice(start.known(), end.known(), step.known(), size.known()).count);
  if (step.known() > 0) {
    const auto from = forward_position(ctx, start, size), to = forward_position(ctx, end, size);
    if (!from || !to) return ctx.unknown_dim();
    const Dim length = symbols.max(symbols.sub(*to, *from), Dim(0));
    return step.known() == 1 ? length : symbols.ceil_div(length, step);
  }
  const bool from_last = start.is_known() && (start.known() == -1 || start.known() >= kFar);
  const bool to_first = end.is_known() && end.known() <= -kFar;
  if (!from_last || !to_first || step.known() == std::numeric_limits<int64_t>::min()) return ctx.unknown_dim();
  return symbols.ceil_div(size, Dim(-step.known()));
}

Result<Facts> infer_slice(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  for (size_t i = 1; i < 5; ++i)
    if (ctx.has_input(i) && ctx.has_rank(i) && ctx.rank(i) != 1)
      return ctx.fail("input {} has rank {}, 1 is wanted", i, ctx.rank(i));
  if (!data.has_rank()) return tensor_fact(data.dtype, std::nullopt);
  const int rank = data.rank();
  const Fact unknown = tensor_fact(data.dtype, ctx.unknown_shape(rank));
  const auto starts = ctx.elements(1), ends = ctx.elements(2);
  if (!starts || !ends) {
    ctx.leave_to_run();
    return unknown;
  }
  const size_t count = starts->size();
  if (ends->size() != count) return ctx.fail("{} starts but {} ends", count, ends->size());
  Shape axes = all_axes(static_cast<int64_t>(count));
  if (ctx.has_input(3)) {
    const auto given = ctx.elements(3);
    if (given && given->size() != count) return ctx.fail("{} starts but {} axes", count, given->size());
    const auto known = ctx.known_elements(3);
    if (!known) {
      ctx.leave_to_run();
      return unknown;
    }
    axes = *known;
  }
  SDX_ASSIGN(axes, unique_axes(axes, rank));
  std::vector<Dim> steps(count, Dim(1));
  if (ctx.has_input(4)) {
    const auto given = ctx.elements(4);
    if (!given) {
      ctx.leave_to_run();
      return unknown;
    }
    if (given->size() != count) return ctx.fail("{} starts but {} steps", count, given->size());
    steps = *given;
  }
  SymShape shape = *data.shape;
  for (size_t i = 0; i < count; ++i) {
    if (steps[i].is(0)) return ctx.fail("steps[{}] is 0", i);
    Dim& dim = shape[static_cast<size_t>(axes[i])];
    dim = sliced_size(ctx, (*starts)[i], (*ends)[i], steps[i], dim);
  }
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  const auto* values = tracked_elements(ctx, 0);
  if (values != nullptr && rank == 1 && count == 1 && (*starts)[0].is_known() && (*ends)[0].is_known() &&
      steps[0].is_known()) {
    const SliceRange range =
        resolve_slice((*starts)[0].known(), (*ends)[0].known(), steps[0].known(), static_cast<int64_t>(values->size()));
    std::vector<Dim> picked;
    for (int64_t i = 0; i < range.count; ++i)
      picked.push_back((*values)[static_cast<size_t>(range.start + i * range.step)]);
    track(fact, std::move(picked));
  }
  return fact;
}

Status slice_reference(KernelContext& ctx) { return write_view(ctx, 0, ctx.input(0), sliced_view(ctx)); }

// Up to opset 9 starts, ends and axes were attributes.
Status slice_1_to_10(UpgradeContext& ctx) {
  ctx.attribute_to_input("starts", 1);
  ctx.attribute_to_input("ends", 2);
  ctx.attribute_to_input("axes", 3);
  return {};
}

}  // namespace

SliceRange resolve_slice(int64_t start, int64_t end, int64_t step, int64_t size) {
  const auto from_end = [&](int64_t at) { return at < 0 ? at + size : at; };
  if (size == 0) return {0, step, 0};
  if (step > 0) {
    const int64_t first = std::clamp<int64_t>(from_end(start), 0, size);
    const int64_t last = std::clamp<int64_t>(from_end(end), 0, size);
    return {first, step, last > first ? (last - first - 1) / step + 1 : 0};
  }
  const int64_t first = std::clamp<int64_t>(from_end(start), 0, size - 1);
  const int64_t last = std::clamp<int64_t>(from_end(end), -1, size - 1);
  return {first, step, first > last ? (last - first + 1) / step + 1 : 0};
}

StridedView sliced_view(const KernelContext& ctx) {
  StridedView view = dense_view(ctx.input(0).shape());
  const Shape starts = read_ints(ctx.input(1)), ends = read_ints(ctx.input(2));
  const auto rank = static_cast<int64_t>(view.shape.size());
  const Shape axes = ctx.has_input(3) ? read_ints(ctx.input(3)) : all_axes(static_cast<int64_t>(starts.size()));
  const Shape steps = ctx.has_input(4) ? read_ints(ctx.input(4)) : Shape(starts.size(), 1);
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto axis = static_cast<size_t>(*normalize_axis(axes[i], rank));
    const SliceRange range = resolve_slice(starts[i], ends[i], steps[i], view.shape[axis]);
    view.offset += range.start * view.strides[axis];
    view.shape[axis] = range.count;
    // A single element needs no step, whose product could overflow.
    view.strides[axis] = range.count > 1 ? view.strides[axis] * range.step : 0;
  }
  return view;
}

SDX_OP(slice) = {
    .name = "Slice",
    .since = 13,
    .infer = infer_slice,
    .reference = slice_reference,
    .upgrades = {{1, slice_1_to_10}},
    .records_constraints = true,
    .needs_values = input_bit(1) | input_bit(2) | input_bit(3) | input_bit(4),
};

}  // namespace sdx::ops
