// LSTM for float32 with its default activations.
#include "kernel/weight_parts.h"
#include "ops/rnn/recurrent_f32.h"

namespace sdx::ops {
namespace {

Status run_lstm(KernelContext& ctx) {
  SDX_ASSIGN(const Recurrence sizes, recurrence_of(ctx, RecurrentKind::lstm));
  std::unique_ptr<RecurrentPacks> own;
  if (!ctx.has_state()) {
    SDX_ASSIGN(own, pack_recurrent(ctx.input(1), ctx.input(2), RecurrentKind::lstm, LastGate::together));
  }
  const RecurrentPacks* packs = own ? own.get() : &ctx.state<RecurrentPacks>();
  ScratchParts scratch(ctx);
  return run_lstm_f32(ctx, sizes, {.x = ctx.input(0).data<float>(), .packs = packs, .quantizes_state = false}, scratch);
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  add_recurrent_scratch(size, RecurrentKind::lstm, size.input(2, 2), kLstmCellValues);
  return size.bytes();
}

}  // namespace

SDX_CPU_KERNELS(
    lstm, {.name = "lstm_f32",
           .can_run = [](const NodeFacts& f) { return takes_default_cells(f, RecurrentKind::lstm); },
           .prepare = [](const NodeFacts& f) { return prepare_recurrent(f, RecurrentKind::lstm, LastGate::together); },
           .run = run_lstm,
           .packs_inputs = input_bit(1) | input_bit(2) | in_parts(1) | in_parts(2),
           .scratch_bytes = scratch_bytes,
           .packed_bytes = recurrent_packed_bytes});

}  // namespace sdx::ops
