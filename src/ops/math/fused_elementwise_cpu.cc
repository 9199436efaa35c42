// Elementwise for float32: tile by tile, what the steps make staying in the nearest cache.
#include "ops/math/elementwise_program.h"

namespace sdx::ops {
namespace {

constexpr size_t kInputs = ElementwiseProgram::kMaxInputs;
using Rows = BroadcastRowsOf<kInputs>;
using TileOperands = std::array<ElementwiseProgram::TileOperand, kInputs>;

struct Prepared : KernelState {
  ElementwiseProgram program;
};

Result<std::unique_ptr<KernelState>> prepare(const NodeFacts& facts) {
  auto made = std::make_unique<Prepared>();
  SDX_ASSIGN(made->program, ElementwiseProgram::parse(facts.attributes(), facts.input_count()));
  return std::unique_ptr<KernelState>(std::move(made));
}

Status run(KernelContext& ctx) {
  const ElementwiseProgram& program = ctx.state<Prepared>().program;
  const size_t count = ctx.input_count();
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const Shape one;
  std::array<const float*, kInputs> data{};
  for (size_t i = 0; i < count; ++i) data[i] = ctx.input(i).data<float>();
  const auto shape = [&](size_t i) -> const Shape& { return i < count ? ctx.input(i).shape() : one; };
  static_assert(kInputs == 8);
  const Rows rows(y.shape(), shape(0), shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7));
  float* y_data = y.data<float>();
  if (rows.row_size() < kShortRow && rows.rows() > 1) {
    return parallel_short_rows(ctx, rows, [&](int64_t row, int64_t some) {
      alignas(64) float written[kInputs][kTileRoom];
      TileOperands operands;
      const int64_t at = row * rows.row_size();
      for (size_t i = 0; i < count; ++i) {
        operands[i].data = rows.is_whole(i) ? data[i] + at : written[i];
        if (!rows.is_whole(i)) rows.expand(i, data[i], row, some, written[i]);
      }
      program.run(operands, y_data + at, static_cast<size_t>(some * rows.row_size()));
    });
  }
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t some) {
    TileOperands operands;
    for (size_t from = 0; from < some; from += kTileElements) {
      const auto offset = static_cast<int64_t>(from);
      for (size_t i = 0; i < count; ++i) operands[i] = {data[i] + at[i] + rows.step(i) * offset, rows.step(i)};
      program.run(operands, y_data + y_at + offset, std::min<size_t>(kTileElements, some - from));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(fused_elementwise,
                {.name = "elementwise_f32", .can_run = takes<DType::f32>, .prepare = prepare, .run = run});

}  // namespace sdx::ops
