#include "ops/through_f32.h"

#include "kernel/scratch_parts.h"
#include "ops/half.h"

namespace sdx::ops {
namespace {

constexpr int64_t kConvertGrain = 32768;

}  // namespace

bool is_half(DType type) { return type == DType::f16 || type == DType::bf16; }

Verdict takes_half(const NodeFacts& facts) { return is_half(facts.dtype(0)) ? yes() : no("only f16 and bf16"); }

Verdict takes_half_and_floats(const NodeFacts& facts) {
  for (size_t i = 1; i < facts.input_count(); ++i)
    if (facts.has_input(i) && !is_half(facts.dtype(i)) && facts.dtype(i) != DType::f32)
      return no("only f32 and 16 bits");
  return takes_half(facts);
}

Status run_through_f32(KernelContext& ctx, Status (*run)(KernelContext&)) {
  ScratchParts scratch(ctx);
  std::vector<Value> wide(ctx.input_count());
  std::vector<const Value*> inputs(ctx.input_count(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!ctx.has_input(i)) continue;
    inputs[i] = &ctx.input_value(i);
    if (!inputs[i]->is_tensor() || !is_half(ctx.input(i).dtype())) continue;
    const Tensor& narrow = ctx.input(i);
    Tensor copy = scratch.take_tensor(DType::f32, narrow.shape());
    SDX_TRY(parallel_ranges(ctx, copy.count(), kConvertGrain, [&](int64_t begin, int64_t end) {
      half_to_f32(narrow.dtype(), narrow.data<uint16_t>() + begin, copy.data<float>() + begin,
                  static_cast<size_t>(end - begin));
    }));
    wide[i] = std::move(copy);
    inputs[i] = &wide[i];
  }
  Tensor& y = ctx.output(0);
  const OutputSpec spec{.dtype = DType::f32, .shape_known = true, .shape = y.shape()};
  Value output(scratch.take_tensor(DType::f32, y.shape()));
  KernelContext inner(ctx.node(), inputs, {&spec, 1}, {&output, 1}, ctx.environment());
  inner.set_scratch(scratch.rest());
  SDX_TRY(run(inner));
  return parallel_ranges(ctx, y.count(), kConvertGrain, [&](int64_t begin, int64_t end) {
    f32_to_half(y.dtype(), output.tensor().data<float>() + begin, y.data<uint16_t>() + begin,
                static_cast<size_t>(end - begin));
  });
}

Dim through_f32_scratch(const ScratchFacts& facts, const Dim& inner_bytes) {
  ScratchSize size(facts);
  for (size_t i = 0; i < facts.node.input_count(); ++i)
    if (is_half(facts.node.dtype(i))) size.part(size.input_count(i), sizeof(float));
  size.part(size.output_count(0), sizeof(float));
  return facts.symbols.add(size.bytes(), inner_bytes);
}

}  // namespace sdx::ops
