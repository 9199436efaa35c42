// DynamicQuantizeLSTM's weights as LSTM takes them.
#pragma once

#include "ops/rnn/recurrent_f32.h"

namespace sdx::ops {

Result<std::unique_ptr<RecurrentPacks>> pack_quantized_lstm(const Tensor& w, const Tensor& w_scale,
                                                            const Tensor& w_zero, const Tensor& r,
                                                            const Tensor& r_scale, const Tensor& r_zero);
// With packs of the state, or made anew.
Status run_quantized_lstm(KernelContext& ctx);
Dim quantized_lstm_scratch(const ScratchFacts& facts);

}  // namespace sdx::ops
