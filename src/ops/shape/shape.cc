// Shape: the dimensions of the input from `start` to `end`, as a vector of int64.
#include "ops/op.h"
#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

// Positions are counted from the end when negative, then brought into [0, rank].
std::pair<int64_t, int64_t> range_of(const Attributes& attributes, int64_t rank) {
  const auto position = [&](std::string_view name, int64_t otherwise) {
    const int64_t at = attributes.get_int(name, otherwise);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t start = position("start", 0), end = position("end", rank);
  return {start, std::max(start, end)};
}

Result<Facts> infer_shape(InferContext& ctx) {
  if (!ctx.has_rank(0)) return tensor_fact(DType::i64, ctx.unknown_shape(1));
  const auto [start, end] = range_of(ctx.attributes(), ctx.rank(0));
  Fact fact = Fact::tensor(DType::i64, {Dim(end - start)});
  const SymShape& shape = *ctx.input(0).shape;
  track(fact, {shape.begin() + start, shape.begin() + end});
  return fact;
}

Status shape_reference(KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  const auto [start, end] = range_of(ctx.attributes(), static_cast<int64_t>(shape.size()));
  for (int64_t i = start; i < end; ++i) store_i64(ctx.output(0), i - start, shape[static_cast<size_t>(i)]);
  return {};
}

}  // namespace

SDX_OP(shape) = {
    .name = "Shape", .since = 25, .infer = infer_shape, .reference = shape_reference, .records_constraints = true};

}  // namespace sdx::ops
