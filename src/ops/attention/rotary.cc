#include "ops/attention/rotary.h"

#include <cstring>

#include "ops/attention/rotary_rows.h"

namespace sdx::ops {

Result<Rotary> rotary_of(const Tensor& cosines, const Tensor& sines, int64_t head_size, int64_t rotated,
                         bool interleaved) {
  if (rotated == 0) rotated = head_size;
  if (rotated < 0 || rotated > head_size || rotated % 2 != 0)
    return invalid_argument(
        "rotary_embedding_dim: {} channels of a head are to be rotated, an even number up to {} is wanted", rotated,
        head_size);
  for (const auto& [table, what] : {std::pair(&cosines, "cos_cache"), std::pair(&sines, "sin_cache")}) {
    if (table->rank() < 2 || table->dim(table->rank() - 1) != rotated / 2)
      return invalid_argument("{} has shape {}, rows of {} are wanted", what, to_text(table->shape()), rotated / 2);
  }
  if (!(cosines.shape() == sines.shape()))
    return invalid_argument("cos_cache has shape {}, sin_cache has {}", to_text(cosines.shape()),
                            to_text(sines.shape()));
  return Rotary{&cosines, &sines, rotated, interleaved};
}

Status reference_rotary(KernelContext& ctx, const RotaryCall& call) {
  Tensor& y = ctx.output(0);
  for (int64_t i = 0; i < call.batch * call.positions; ++i) {
    const int64_t b = i / call.positions, s = i % call.positions, row = call.rows[static_cast<size_t>(i)];
    for (int64_t h = 0; h < call.heads; ++h)
      for (int64_t d = 0; d < call.size; ++d)
        store_double(y, call.view.index(b, h, s, d),
                     call.rotary.at([&](int64_t c) { return call.view.at(b, h, s, c); }, row, d));
  }
  return {};
}

Verdict takes_rotary_f32(const NodeFacts& facts) {
  for (size_t i = 0; i < facts.input_count(); ++i)
    if (facts.has_input(i) && facts.dtype(i) != DType::f32 && facts.dtype(i) != DType::i64) return no("only f32");
  return yes();
}

Status run_rotary_f32(KernelContext& ctx, const RotaryCall& call) {
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const float *cosines = call.rotary.cosines->data<float>(), *sines = call.rotary.sines->data<float>();
  const int64_t rotated = call.rotary.rotated, half = rotated / 2;
  const auto kept = static_cast<size_t>(call.size - rotated) * sizeof(float);
  const TurnRowF32 turn = turn_row_f32(call.rotary.interleaved ? RotaryPairs::neighbours : RotaryPairs::half_apart);
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, call.heads * call.size));
  return parallel_ranges(ctx, call.batch * call.positions, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t table = call.rows[static_cast<size_t>(i)] * half;
      for (int64_t h = 0; h < call.heads; ++h) {
        const int64_t at = call.view.index(i / call.positions, h, i % call.positions, 0);
        turn(cosines + table, sines + table, x + at, y + at, static_cast<size_t>(half));
        if (kept > 0) std::memcpy(y + at + rotated, x + at + rotated, kept);
      }
    }
  });
}

}  // namespace sdx::ops
