// DynamicQuantizeLSTM: LSTM with 8-bit weights w [directions, inputs, 4 * hidden] and r [directions, hidden,
// 4 * hidden], a scale and a zero point for each direction or each of its columns. x as a whole, and h of the whole
// batch at each step, go through uint8 with a scale and zero point of their own range. As onnxruntime 1.32 answers:
// `clip` bounds the sums of the gates, not the cell on its way into h.
#include "ops/rnn/dynamic_quantize_lstm.h"

#include "ops/input_rules.h"
#include "ops/quant/dynamic_quantization.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_quantized_lstm(InferContext& ctx) {
  constexpr DTypeSet kF = set_of(DType::f32);
  constexpr InputRule kRules[] = {{0, kF},
                                  {1, kBytes},
                                  {2, kBytes},
                                  {3, kF, kOptional},
                                  {4, set_of(DType::i32), kOptional},
                                  {5, kF, kOptional},
                                  {6, kF, kOptional},
                                  {7, kF, kOptional},
                                  {8, kF},
                                  {9, kBytes},
                                  {10, kF},
                                  {11, kBytes}};
  SDX_TRY(check_inputs(ctx, kRules));
  const auto turned = [&](size_t i) {
    Fact fact = ctx.input(i);
    fact.dtype = DType::f32;
    fact.constant = {};
    if (fact.has_rank() && fact.rank() == 3) std::swap((*fact.shape)[1], (*fact.shape)[2]);
    return fact;
  };
  const Fact w = turned(1), r = turned(2);
  std::vector<const Fact*> inputs;
  for (size_t i = 0; i < 8; ++i)
    inputs.push_back(i == 1 ? &w : i == 2 ? &r : ctx.has_input(i) ? &ctx.input(i) : nullptr);
  InferContext plain(ctx.node(), inputs, ctx.symbols(), nullptr, ctx.constraints());
  return infer_recurrent<RecurrentKind::lstm>(plain);
}

Status check_parameters(const Tensor& w, std::initializer_list<const Tensor*> parameters, std::string_view what) {
  const int64_t directions = w.dim(0), columns = w.dim(2);
  for (const Tensor* parameter : parameters)
    if (parameter->count() != directions && parameter->count() != directions * columns)
      return invalid_argument("a parameter of {} has shape {}: one value a direction or a column is wanted", what,
                              to_text(parameter->shape()));
  return {};
}

// One direction of rows of 4 * hidden columns, to their transpose.
void dequantize(const Tensor& w, const Tensor& scale, const Tensor& zero, int64_t direction, std::span<float> made) {
  const int64_t directions = w.dim(0), depth = w.dim(1), columns = w.dim(2);
  const auto of = [&](const Tensor& parameter, int64_t column) {
    return load_double(parameter, parameter.count() == directions ? direction : direction * columns + column);
  };
  constexpr int64_t kTogether = 16;  // columns that are read along each row
  const bool is_signed = w.dtype() == DType::i8;
  const uint8_t* codes = static_cast<const uint8_t*>(w.raw()) + direction * depth * columns;
  for (int64_t from = 0; from < columns; from += kTogether) {
    const int64_t count = std::min(kTogether, columns - from);
    double s[kTogether], z[kTogether];
    for (int64_t j = 0; j < count; ++j) {
      s[j] = of(scale, from + j);
      z[j] = of(zero, from + j);
    }
    for (int64_t i = 0; i < depth; ++i)
      for (int64_t j = 0; j < count; ++j) {
        const uint8_t code = codes[i * columns + from + j];
        const int value = is_signed ? static_cast<int8_t>(code) : code;
        made[static_cast<size_t>((from + j) * depth + i)] = static_cast<float>((value - z[j]) * s[j]);
      }
  }
}

Result<CodePanels> panels_of_direction(const Tensor& w, const Tensor& scale, const Tensor& zero, int64_t direction) {
  const int64_t directions = w.dim(0), depth = w.dim(1), columns = w.dim(2);
  const auto place = [&](const Tensor& parameter, int64_t column) {
    return parameter.count() == directions ? direction : direction * columns + column;
  };
  return CodePanels::create({.data = static_cast<const uint8_t*>(w.raw()) + direction * depth * columns,
                             .is_signed = w.dtype() == DType::i8,
                             .row_stride = columns,
                             .column_stride = 1},
                            depth, columns, [&](int64_t column) {
                              return std::pair(static_cast<float>(load_double(scale, place(scale, column))),
                                               static_cast<int32_t>(load_i64(zero, place(zero, column))));
                            });
}

}  // namespace

Result<std::unique_ptr<RecurrentPacks>> pack_quantized_lstm(const Tensor& w, const Tensor& w_scale,
                                                            const Tensor& w_zero, const Tensor& r,
                                                            const Tensor& r_scale, const Tensor& r_zero) {
  SDX_TRY(check_parameters(w, {&w_scale, &w_zero}, "W"));
  SDX_TRY(check_parameters(r, {&r_scale, &r_zero}, "R"));
  if (CodePanels::takes(w.dim(1)) && CodePanels::takes(r.dim(1))) {
    auto packs = std::make_unique<RecurrentPacks>();
    for (int64_t direction = 0; direction < w.dim(0); ++direction) {
      RecurrentPacks::Direction made;
      SDX_ASSIGN(made.w_codes, panels_of_direction(w, w_scale, w_zero, direction));
      SDX_ASSIGN(made.r_codes, panels_of_direction(r, r_scale, r_zero, direction));
      packs->directions.push_back(std::move(made));
    }
    return packs;
  }
  const int64_t rows = std::max(w.dim(1), r.dim(1));
  SDX_ASSIGN(Tensor plain, Tensor::allocate(DType::f32, Shape{rows, w.dim(2)}));  // one matrix at a time
  const std::span<float> to(plain.data<float>(), static_cast<size_t>(plain.count()));
  const auto w_of = [&](int64_t direction) -> Result<const float*> {
    dequantize(w, w_scale, w_zero, direction, to);
    return to.data();
  };
  const auto r_of = [&](int64_t direction) -> Result<const float*> {
    dequantize(r, r_scale, r_zero, direction, to);
    return to.data();
  };
  const RecurrentWeights weights{.directions = w.dim(0), .inputs = w.dim(1), .hidden = r.dim(1), .w = w_of, .r = r_of};
  return pack_recurrent(weights, RecurrentKind::lstm, LastGate::together);
}

Status run_quantized_lstm(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  std::unique_ptr<RecurrentPacks> own;
  if (!ctx.has_state()) {
    SDX_ASSIGN(
        own, pack_quantized_lstm(ctx.input(1), ctx.input(8), ctx.input(9), ctx.input(2), ctx.input(10), ctx.input(11)));
  }
  SDX_ASSIGN(Recurrence sizes, recurrence_of(ctx, RecurrentKind::lstm));
  sizes.hidden = ctx.input(2).dim(1);
  ScratchParts scratch(ctx);
  const std::span<uint8_t> bytes = scratch.take<uint8_t>(x.count());
  const std::span<float> rounded = scratch.take<float>(x.count());
  SDX_ASSIGN(const DynamicScale to, dynamic_scale_of(ctx, x.data<float>(), x.count()));
  SDX_TRY(quantize_dynamic(ctx, x.data<float>(), x.count(), to, bytes.data()));
  const RecurrentPacks* packs = own ? own.get() : &ctx.state<RecurrentPacks>();
  const bool has_codes = !packs->directions.empty() && !packs->directions[0].w_codes.is_empty();
  for (size_t i = 0; !has_codes && i < bytes.size(); ++i)
    rounded[i] = static_cast<float>(static_cast<int>(bytes[i]) - to.zero_point) * to.scale;
  constexpr Activation::Function kDefaults[] = {Activation::Function::sigmoid, Activation::Function::tanh,
                                                Activation::Function::tanh};
  LstmSource source{.x = rounded.data(), .packs = packs, .quantizes_state = true, .plain_cells = sizes.clip > 0};
  source.codes = {.codes = bytes.data(), .rows = sizes.steps * sizes.batch, .by = to};
  for (size_t i = 0; i < sizes.activations.size(); ++i)
    if (sizes.activations[i].function != kDefaults[i % 3]) source.plain_cells = true;
  return run_lstm_f32(ctx, sizes, source, scratch);
}

Dim quantized_lstm_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const Dim x = size.input_count(0), hidden = size.input(2, 1);
  const Dim state = facts.symbols.mul(size.input(0, 1), hidden);
  size.part(x, 1).part(x, sizeof(float)).part(state, 1).part(state, sizeof(float));
  const Dim panels = facts.symbols.ceil_div(facts.symbols.mul(Dim(4), hidden), Dim(kPanelColumns));
  size.part(facts.symbols.mul(panels, Dim(kPanelColumns)), sizeof(int32_t));
  size.part(facts.symbols.mul(size.input(0, 0), size.input(0, 1)), sizeof(int32_t));
  add_recurrent_scratch(size, RecurrentKind::lstm, hidden, kLstmCellValues);
  return size.bytes();
}

namespace {

// The same, with scratch memory of its own.
Status quantized_lstm_reference(KernelContext& ctx) {
  std::vector<Fact> facts(ctx.input_count());
  std::vector<const Fact*> known(facts.size(), nullptr);
  for (size_t i = 0; i < facts.size(); ++i) {
    if (!ctx.has_input(i)) continue;
    facts[i] = Fact::of(ctx.input_value(i));
    known[i] = &facts[i];
  }
  SymbolTable symbols;
  const Dim bytes = quantized_lstm_scratch({NodeFacts(ctx.node(), known), {}, symbols});
  SDX_ASSIGN(Tensor scratch, Tensor::allocate(DType::u8, Shape{bytes.known()}));
  ctx.set_scratch({scratch.bytes(), scratch.byte_size()});
  return run_quantized_lstm(ctx);
}

}  // namespace

SDX_OP(dynamic_quantize_lstm) = {
    .name = "DynamicQuantizeLSTM",
    .domain = "com.microsoft",
    .infer = infer_quantized_lstm,
    .reference = quantized_lstm_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
