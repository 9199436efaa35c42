// GRU for float32 with its default activations.
#include "kernel/weight_parts.h"
#include "ops/rnn/cells.h"
#include "ops/rnn/recurrent_f32.h"

namespace sdx::ops {
namespace {

bool is_linear(const Attributes& attributes) { return attributes.get_int("linear_before_reset", 0) != 0; }

class GruCells : public CellsF32 {
 public:
  GruCells(KernelContext& ctx, const Recurrence& sizes, const RecurrentPacks& packs, ScratchParts& scratch)
      : ctx_(ctx),
        sizes_(sizes),
        packs_(packs),
        linear_(is_linear(ctx.attributes())),
        state_(scratch.take<float>(3 * sizes.batch * sizes.hidden)),
        gates_(scratch.take<float>(2 * sizes.batch * sizes.hidden)),
        reset_(scratch.take<float>(sizes.batch * sizes.hidden)),
        state_bias_(static_cast<size_t>(3 * sizes.hidden)) {}

  void bias(int direction, float* values) override {
    const int64_t width = 3 * sizes_.hidden;
    const float* b = ctx_.has_input(3) ? ctx_.input(3).data<float>() + direction * 2 * width : nullptr;
    for (int64_t i = 0; i < width; ++i) {
      const bool apart = linear_ && i >= 2 * sizes_.hidden;
      const float of_state = b == nullptr ? 0 : b[width + i];
      values[i] = b == nullptr ? 0 : apart ? b[i] : b[i] + of_state;
      state_bias_[static_cast<size_t>(i)] = apart ? of_state : 0;
    }
  }
  void begin(int direction) override { direction_ = direction; }
  void end(int) override {}

  Status step(int64_t t, float* x, float* h) override {
    const auto& packs = packs_.directions[static_cast<size_t>(direction_)];
    const int64_t hidden = sizes_.hidden;
    SDX_TRY(multiply(t, h, packs.r, linear_ ? 3 * hidden : 2 * hidden, 0));
    SDX_TRY(each_row(t, x, h, cell_.open));
    if (!linear_) SDX_TRY(multiply(t, reset_.data(), packs.r_last, hidden, 2 * hidden));
    return each_row(t, x, h, cell_.close);
  }

 private:
  Status multiply(int64_t t, const float* rows, const PackedF32& r, int64_t columns, int64_t to) {
    GemmF32 product{.m = sizes_.batch, .n = columns, .k = sizes_.hidden};
    product.a = {rows, sizes_.hidden, 1};
    product.packed = &r;
    product.c = state_.data() + to;
    product.c_row = 3 * sizes_.hidden;
    product.order = order_of_step(t);
    product.start = GemmF32::Start::per_column;
    product.bias = state_bias_.data() + to;
    return gemm(ctx_, product);
  }

  Status each_row(int64_t t, const float* x, float* h, void (*cell)(const GruRow&)) {
    const int64_t hidden = sizes_.hidden, grain = std::max<int64_t>(1, 4096 / std::max<int64_t>(hidden, 1));
    return parallel_ranges(ctx_, sizes_.batch, grain, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        if (t >= sizes_.lengths[static_cast<size_t>(b)]) continue;
        cell({.x = x + b * 3 * hidden,
              .state = state_.data() + b * 3 * hidden,
              .gates = gates_.data() + b * 2 * hidden,
              .reset = reset_.data() + b * hidden,
              .h = h + b * hidden,
              .hidden = static_cast<size_t>(hidden),
              .clip = static_cast<float>(sizes_.clip),
              .linear_before_reset = linear_});
      }
    });
  }

  KernelContext& ctx_;
  const Recurrence& sizes_;
  const RecurrentPacks& packs_;
  const bool linear_;
  const GruCellF32 cell_ = gru_cell_f32();
  const std::span<float> state_, gates_, reset_;
  std::vector<float> state_bias_;
  int direction_ = 0;
};

LastGate last_gate(const Attributes& attributes) {
  return is_linear(attributes) ? LastGate::together : LastGate::apart;
}

Status run_gru(KernelContext& ctx) {
  SDX_ASSIGN(const Recurrence sizes, recurrence_of(ctx, RecurrentKind::gru));
  std::unique_ptr<RecurrentPacks> own;
  if (!ctx.has_state()) {
    SDX_ASSIGN(own, pack_recurrent(ctx.input(1), ctx.input(2), RecurrentKind::gru, last_gate(ctx.attributes())));
  }
  const RecurrentPacks& packs = own ? *own : ctx.state<RecurrentPacks>();
  ScratchParts scratch(ctx);
  GruCells cells(ctx, sizes, packs, scratch);
  return walk_recurrence_f32(ctx, sizes, RecurrentKind::gru, ctx.input(0).data<float>(), packs, cells, scratch);
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  add_recurrent_scratch(size, RecurrentKind::gru, size.input(2, 2), kGruCellValues);
  return size.bytes();
}

}  // namespace

SDX_CPU_KERNELS(gru, {.name = "gru_f32",
                      .can_run = [](const NodeFacts& f) { return takes_default_cells(f, RecurrentKind::gru); },
                      .prepare =
                          [](const NodeFacts& f) {
                            return prepare_recurrent(f, RecurrentKind::gru, last_gate(f.attributes()));
                          },
                      .run = run_gru,
                      .packs_inputs = input_bit(1) | input_bit(2) | in_parts(1) | in_parts(2),
                      .scratch_bytes = scratch_bytes,
                      .packed_bytes = recurrent_packed_bytes});

}  // namespace sdx::ops
