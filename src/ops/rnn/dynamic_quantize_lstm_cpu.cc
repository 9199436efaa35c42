// DynamicQuantizeLSTM with weights packed once.
#include "ops/rnn/dynamic_quantize_lstm.h"

namespace sdx::ops {
namespace {

Result<std::unique_ptr<KernelState>> prepare(const NodeFacts& facts) {
  for (const size_t i : {1, 2, 8, 9, 10, 11})
    if (facts.constant(i) == nullptr) return std::unique_ptr<KernelState>();
  SDX_ASSIGN(auto packs, pack_quantized_lstm(*facts.constant(1), *facts.constant(8), *facts.constant(9),
                                             *facts.constant(2), *facts.constant(10), *facts.constant(11)));
  return std::unique_ptr<KernelState>(std::move(packs));
}

int64_t packed_bytes(const NodeFacts& facts) {
  for (const size_t i : {1, 2, 8, 9, 10, 11})
    if (facts.constant(i) == nullptr) return 0;
  const Tensor &w = *facts.constant(1), &r = *facts.constant(2);
  if (w.rank() != 3 || r.rank() != 3) return 0;
  if (CodePanels::takes(w.dim(1)) && CodePanels::takes(r.dim(1)))
    return w.dim(0) * (CodePanels::byte_count(w.dim(1), w.dim(2)) + CodePanels::byte_count(r.dim(1), r.dim(2)));
  const int64_t width = gemm_panel_width(), columns = (w.dim(2) + width - 1) / width * width;
  return w.dim(0) * columns * (w.dim(1) + r.dim(1)) * static_cast<int64_t>(sizeof(float));
}

}  // namespace

SDX_CPU_KERNELS(dynamic_quantize_lstm, {.name = "dynamic_quantize_lstm",
                                        .can_run = [](const NodeFacts&) { return yes(); },
                                        .prepare = prepare,
                                        .run = run_quantized_lstm,
                                        .packs_inputs = input_bit(1) | input_bit(2),
                                        .scratch_bytes = quantized_lstm_scratch,
                                        .packed_bytes = packed_bytes});

}  // namespace sdx::ops
