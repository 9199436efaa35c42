// Rotary position embedding of one head: pairs of channels turn by the angles of their position.
#pragma once

#include "ops/attention/attend.h"

namespace sdx::ops {

struct Rotary {
  const Tensor* cosines = nullptr;  // rows of rotated / 2 values
  const Tensor* sines = nullptr;
  int64_t rotated = 0;       // channels that turn; the others stay
  bool interleaved = false;  // pairs are neighbours; else half a head apart

  // Channel d of a head whose channel values are given by `x`, at row `row` of the tables.
  template <typename F>
  double at(F x, int64_t row, int64_t d) const {
    if (d >= rotated) return x(d);
    const int64_t half = rotated / 2;
    const int64_t pair = interleaved ? d / 2 : d % half;
    const bool second = interleaved ? d % 2 != 0 : d >= half;
    const double x1 = x(interleaved ? 2 * pair : pair), x2 = x(interleaved ? 2 * pair + 1 : pair + half);
    const double c = load_double(*cosines, row * half + pair), s = load_double(*sines, row * half + pair);
    return second ? s * x1 + c * x2 : c * x1 - s * x2;
  }
};

// A RotaryEmbedding node: what turns, and the row of the tables that each position of the batch has.
struct RotaryCall {
  Rotary rotary = {};
  HeadView view = {};  // of x; y has the same
  int64_t batch = 0, heads = 0, positions = 0, size = 0;
  std::vector<int64_t> rows = {};  // [batch, positions]
};
Result<RotaryCall> rotary_call(const KernelContext& ctx);     // of the standard's node
Result<RotaryCall> ms_rotary_call(const KernelContext& ctx);  // of com.microsoft's
Status reference_rotary(KernelContext& ctx, const RotaryCall& call);
Verdict takes_rotary_f32(const NodeFacts& facts);  // every float input is float32
Status run_rotary_f32(KernelContext& ctx, const RotaryCall& call);

// Checks the tables, and gives the number of channels that turn.
Result<Rotary> rotary_of(const Tensor& cosines, const Tensor& sines, int64_t head_size, int64_t rotated,
                         bool interleaved);

}  // namespace sdx::ops
