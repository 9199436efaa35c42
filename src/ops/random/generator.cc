#include "ops/random/generator.h"

#include <cmath>

#include "base/element.h"

namespace sdx::ops {
namespace {

// Spreads every bit of the input over the result (Fibonacci multiplier and shifts).
uint64_t mixed(uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

uint32_t seed_of(KernelContext& ctx) {
  if (const auto* seed = ctx.attributes().get<float>("seed"))
    return static_cast<uint32_t>(double_to_i64(static_cast<double>(*seed)));
  if (const auto* seed = ctx.attributes().get<int64_t>("seed")) return static_cast<uint32_t>(*seed);
  uint64_t state = mixed(ctx.environment().random_seed);
  for (const char c : ctx.node().name) state = mixed(state ^ static_cast<unsigned char>(c));
  for (const ValueId output : ctx.node().outputs) state = mixed(state ^ output);
  return static_cast<uint32_t>(state);
}

Status check_type(const InferContext& ctx, DType type) {
  constexpr DTypeSet allowed = set_of(DType::f16, DType::f32, DType::f64, DType::bf16);
  if (contains(allowed, type)) return {};
  return ctx.fail("random numbers of type {}: float, float16, bfloat16 or double is allowed", name(type));
}

}  // namespace

RandomGenerator::RandomGenerator(KernelContext& ctx) : engine_(seed_of(ctx)) {}

double RandomGenerator::uniform() {
  const uint32_t high = static_cast<uint32_t>(engine_()) >> 5, low = static_cast<uint32_t>(engine_()) >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double RandomGenerator::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  for (;;) {
    const double a = 2 * uniform() - 1, b = 2 * uniform() - 1;
    const double radius = a * a + b * b;
    if (radius >= 1 || radius == 0) continue;
    const double factor = std::sqrt(-2 * std::log(radius) / radius);
    spare_ = factor * a;
    has_spare_ = true;
    return factor * b;
  }
}

Result<Facts> infer_random(InferContext& ctx) {
  const DType type = dtype_from_onnx(ctx.attr_int("dtype", 1));
  SDX_TRY(check_type(ctx, type));
  if (!ctx.attributes().has("shape")) return ctx.fail("attribute shape is missing");
  const auto shape = ctx.attr_ints("shape");
  if (!checked_count(shape)) return ctx.fail("attribute shape is {}, which no tensor can have", to_text(shape));
  return tensor_fact(type, to_symbolic(shape));
}

Result<Facts> infer_random_like(InferContext& ctx) {
  const Fact& like = ctx.input(0);
  const bool given = ctx.attributes().has("dtype");
  const DType type = given ? dtype_from_onnx(ctx.attr_int("dtype", 1)) : like.dtype;
  if (given || type != DType::undefined) SDX_TRY(check_type(ctx, type));
  return tensor_fact(type, like.shape);
}

Status fill_normal(KernelContext& ctx) {
  RandomGenerator random(ctx);
  const double mean = ctx.attr_float("mean", 0), scale = ctx.attr_float("scale", 1);
  Tensor& y = ctx.output(0);
  for (int64_t i = 0; i < y.count(); ++i) store_double(y, i, random.normal() * scale + mean);
  return {};
}

Status fill_uniform(KernelContext& ctx) {
  RandomGenerator random(ctx);
  const double low = ctx.attr_float("low", 0), high = ctx.attr_float("high", 1);
  Tensor& y = ctx.output(0);
  for (int64_t i = 0; i < y.count(); ++i) store_double(y, i, random.uniform() * (high - low) + low);
  return {};
}

}  // namespace sdx::ops
