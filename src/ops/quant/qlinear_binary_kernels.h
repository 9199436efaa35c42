// QLinearAdd and QLinearMul over rows on the CPU.
#pragma once

#include "ops/elementwise.h"
#include "ops/quant/qlinear.h"

namespace sdx::ops {

struct QlinearProduct {
  float a_zero = 0, b_zero = 0, y_zero = 0, ratio = 0;
};

// Rows of codes; a step is 0 where the operand is one value, else 1.
struct CodeRows {
  const uint8_t *a = nullptr, *b = nullptr;
  int a_step = 1, b_step = 1;
  bool is_signed = false;
  uint8_t* y = nullptr;
  size_t count = 0;
};
using AddCodes = void (*)(const QlinearSum& sum, const CodeRows& rows);  // a is `first`
using MultiplyCodes = void (*)(const QlinearProduct& product, const CodeRows& rows);
AddCodes add_codes_kernel();
MultiplyCodes multiply_codes_kernel();

Verdict takes_bytes(const NodeFacts& facts);

// Calls work(rows of codes) for contiguous pieces of the broadcast of a and b.
template <typename Work>
Status parallel_codes(KernelContext& ctx, const Tensor& a, const Tensor& b, Work work) {
  Tensor& y = ctx.output(0);
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t count) {
    work(CodeRows{.a = a.data<uint8_t>() + at[0],
                  .b = b.data<uint8_t>() + at[1],
                  .a_step = rows.step(0),
                  .b_step = rows.step(1),
                  .is_signed = y.dtype() == DType::i8,
                  .y = y.data<uint8_t>() + y_at,
                  .count = count});
  });
}

}  // namespace sdx::ops
