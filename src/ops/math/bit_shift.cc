// BitShift: x shifted by y bits with broadcasting. To the right, signed types keep their sign. Shifting by a negative
// amount, or by the width or more, leaves only copies of the sign: -1 for a right shift of a negative x, else 0.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_bit_shift(InferContext& ctx) {
  const std::string_view direction = ctx.attr_string("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return ctx.fail("attribute direction is \"{}\", it must be \"LEFT\" or \"RIGHT\"", direction);
  return infer_broadcast(ctx);
}

Status bit_shift_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &amounts = ctx.input(1);
  Tensor& y = ctx.output(0);
  const bool left = ctx.attr_string("direction", "") == "LEFT";
  const bool is_signed = is_signed_integer(x.dtype());
  const auto width = static_cast<uint64_t>(bit_width(x.dtype()));
  BroadcastWalker walk(y.shape(), {x.shape(), amounts.shape()});
  for (int64_t i = 0; i < y.count(); ++i, walk.next()) {
    const int64_t value = load_i64(x, walk.operand(0));
    const auto amount = static_cast<uint64_t>(load_i64(amounts, walk.operand(1)));  // negative: beyond every width
    int64_t shifted = 0;
    if (amount >= width) {
      shifted = !left && is_signed && value < 0 ? -1 : 0;
    } else if (left) {
      shifted = static_cast<int64_t>(static_cast<uint64_t>(value) << amount);
    } else {
      shifted = is_signed ? value >> amount : static_cast<int64_t>(static_cast<uint64_t>(value) >> amount);
    }
    store_i64(y, i, shifted);
  }
  return {};
}

}  // namespace

SDX_OP(bit_shift) = {
    .name = "BitShift",
    .since = 28,
    .infer = infer_bit_shift,
    .reference = bit_shift_reference,
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
