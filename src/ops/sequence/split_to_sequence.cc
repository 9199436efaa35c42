// SplitToSequence: a tensor cut along an axis into parts of the lengths of `split`, or of one length (the last part may
// be shorter), by default 1. keepdims=0 drops the axis, where `split` is absent.
#include "ops/reference.h"
#include "ops/sequence/sequence_values.h"
#include "ops/tensor_parts.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_split_to_sequence(InferContext& ctx) {
  const Fact& whole = ctx.input(0);
  Fact part = Fact::tensor(whole.dtype);
  if (!whole.has_rank()) return Fact::sequence(std::move(part));
  if (whole.rank() == 0) return ctx.fail("the input is a scalar");
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), whole.rank()));
  part.shape = whole.shape;
  Dim& size = (*part.shape)[static_cast<size_t>(axis)];
  if (!ctx.has_input(1)) {
    size = Dim(1);
    if (ctx.attr_int("keepdims", 1) == 0) part.shape->erase(part.shape->begin() + axis);
    return Fact::sequence(std::move(part));
  }
  if (ctx.has_rank(1) && ctx.rank(1) > 1) return ctx.fail("split has rank {}, at most 1 is wanted", ctx.rank(1));
  const auto lengths = ctx.known_elements(1);
  bool even = lengths && !lengths->empty();
  if (even && ctx.has_rank(1) && ctx.rank(1) == 0)
    even = size.is_known() && (*lengths)[0] > 0 && size.known() % (*lengths)[0] == 0;
  for (size_t i = 1; even && i < lengths->size(); ++i) even = (*lengths)[i] == (*lengths)[0];
  size = even ? Dim((*lengths)[0]) : ctx.unknown_dim();
  return Fact::sequence(std::move(part));
}

// Lengths of the parts along an axis of `size`.
Result<Shape> part_lengths(const Tensor* split, int64_t size) {
  Shape lengths;
  if (split != nullptr && split->rank() == 1) {
    int64_t total = 0;
    for (const int64_t length : read_ints(*split)) {
      if (length < 0 || length > size - total)
        return invalid_argument("split {} does not fit an axis of {}", to_text(read_ints(*split)), size);
      total += length;
      lengths.push_back(length);
    }
    if (total != size)
      return invalid_argument("split {} adds up to {}, the axis has {}", to_text(read_ints(*split)), total, size);
    return lengths;
  }
  if (split != nullptr && split->rank() > 1) return invalid_argument("split has rank {}", split->rank());
  const int64_t each = split != nullptr ? read_ints(*split)[0] : 1;
  if (each < 1) return invalid_argument("split is {}, at least 1 is wanted", each);
  for (int64_t at = 0; at < size; at += lengths.back()) lengths.push_back(std::min(each, size - at));
  return lengths;
}

Status split_to_sequence_reference(KernelContext& ctx) {
  const Tensor& whole = ctx.input(0);
  const auto axis = normalize_axis(ctx.attr_int("axis", 0), whole.rank());
  if (!axis) return invalid_argument("axis {} does not exist in {}", ctx.attr_int("axis", 0), to_text(whole.shape()));
  SDX_ASSIGN(const Shape lengths, part_lengths(ctx.has_input(1) ? &ctx.input(1) : nullptr, whole.dim(*axis)));
  const bool drops_axis = !ctx.has_input(1) && ctx.attr_int("keepdims", 1) == 0;
  Sequence parts;
  parts.element_type = tensor_type(whole.dtype());
  int64_t at = 0;
  for (const int64_t length : lengths) {
    SDX_TRY(ctx.check_cancelled());
    Shape shape = whole.shape();
    shape[static_cast<size_t>(*axis)] = length;
    if (drops_axis) shape.erase(static_cast<size_t>(*axis));
    SDX_ASSIGN(Tensor part, take_part(whole, *axis, at, length, shape));
    parts.elements.emplace_back(std::move(part));
    at += length;
  }
  ctx.set_output(0, std::move(parts));
  return {};
}

}  // namespace

SDX_OP(split_to_sequence) = {
    .name = "SplitToSequence",
    .since = 24,
    .infer = infer_split_to_sequence,
    .reference = split_to_sequence_reference,
};

}  // namespace sdx::ops
