#include "ops/convert/cast_elements.h"

#include <bit>

#include "ops/convert/cast_loops.h"
#include "ops/elementwise.h"
#include "ops/half.h"
#include "ops/infer_elements.h"

namespace sdx::ops {
namespace {

// The double that rounds to any narrower type as the integer itself does: bits below its precision leave a mark in the
// last place.
double sticky_double(uint64_t magnitude) {
  const int excess = std::bit_width(magnitude) - 53;
  if (excess <= 0) return static_cast<double>(magnitude);
  const uint64_t lost = magnitude & ((uint64_t{1} << excess) - 1);
  return static_cast<double>((magnitude - lost) | (lost != 0 ? uint64_t{1} << excess : 0));
}

void store_integer(Tensor& y, int64_t index, int64_t value, bool is_unsigned, const CastRules& rules) {
  const DType to = y.dtype();
  if (!is_floating(to)) return store_i64(y, index, value);
  const bool negative = !is_unsigned && value < 0;
  const uint64_t magnitude = negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (to == DType::f64 || to == DType::f32) {
    const double exact =
        to == DType::f64 ? static_cast<double>(magnitude) : static_cast<double>(static_cast<float>(magnitude));
    return store_double(y, index, negative ? -exact : exact);
  }
  const double marked = negative ? -sticky_double(magnitude) : sticky_double(magnitude);
  if (bit_width(to) > 8) return store_double(y, index, marked);
  store_packed(bit_width(to), y.raw(), index, encode_float(to, marked, rules.overflow, rules.round));
}

Status cast_to_text(KernelContext& ctx, const Tensor& x) {
  StringTensorBuilder texts;
  for (int64_t i = 0; i < x.count(); ++i) texts.append(number_to_text(x, i));
  SDX_ASSIGN(Tensor y, texts.finish(x.shape()));
  ctx.set_output(0, std::move(y));
  return {};
}

bool is_half(DType type) { return type == DType::f16 || type == DType::bf16; }

}  // namespace

Result<CastRules> cast_rules(const Attributes& attributes) {
  CastRules rules;
  if (attributes.get_int("saturate", 1) == 0) rules.overflow = Overflow::special;
  const std::string_view mode = attributes.get_string("round_mode", "up");
  if (mode == "down") {
    rules.round = RoundMode::down;
  } else if (mode == "nearest") {
    rules.round = RoundMode::nearest;
  } else if (mode != "up") {
    return invalid_argument("attribute round_mode is \"{}\", it must be \"up\", \"down\" or \"nearest\"", mode);
  }
  return rules;
}

Status cast_reference(KernelContext& ctx) {
  SDX_ASSIGN(const CastRules rules, cast_rules(ctx.attributes()));
  const Tensor& x = ctx.input(0);
  const DType from = x.dtype(), to = ctx.output_dtype(0);
  if (from == to) {
    ctx.set_output(0, x);
    return {};
  }
  if (to == DType::string) return cast_to_text(ctx, x);
  Tensor& y = ctx.output(0);
  for (int64_t i = 0; i < x.count(); ++i) {
    if (from == DType::string) {
      SDX_TRY(store_text(x.string_at(i), y, i, rules));
    } else if (!is_floating(from)) {
      store_integer(y, i, load_i64(x, i), from == DType::u64, rules);
    } else if (is_floating(to) && bit_width(to) <= 8) {
      store_packed(bit_width(to), y.raw(), i, encode_float(to, load_double(x, i), rules.overflow, rules.round));
    } else {
      store_double(y, i, load_double(x, i));
    }
  }
  return {};
}

// To a 16-bit float from what float32 holds exactly, or rounded as odd_f32_loop does it. (Subnormal numbers of bfloat16
// are some of float32's as well: those would be rounded before.)
Verdict can_cast(DType from, DType to) {
  const auto native = [](DType type) { return cast_loop(type, DType::f64) != nullptr; };
  const bool narrow = from == DType::f32 || is_half(from) || from == DType::boolean || bit_width(from) <= 16;
  const bool rounds = odd_f32_loop(from) != nullptr && (to == DType::f16 || bit_width(from) == 32);
  if ((native(from) || is_half(from)) && (native(to) || (is_half(to) && (narrow || rounds)))) return yes();
  return no(formatted("not {} to {}", name(from), name(to)));
}

Status run_cast(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const DType from = x.dtype(), to = y.dtype();
  if (from == to) {
    ctx.set_output(0, x);
    return {};
  }
  const auto* in = static_cast<const std::byte*>(x.raw());
  auto* out = static_cast<std::byte*>(y.raw());
  const int64_t from_bytes = bit_width(from) / 8, to_bytes = bit_width(to) / 8;
  if (!is_half(from) && !is_half(to)) {
    const CastLoop loop = cast_loop(from, to);
    return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
      loop(in + begin * from_bytes, out + begin * to_bytes, static_cast<size_t>(end - begin));
    });
  }
  // In two steps, between which stands float32.
  const CastLoop exact_first = is_half(from) || from == DType::f32 ? nullptr : odd_f32_loop(from);
  const CastLoop first = exact_first != nullptr ? exact_first : cast_loop(from, DType::f32);
  const CastLoop second = cast_loop(DType::f32, to);
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    constexpr int64_t kBlock = 2048;
    alignas(64) float block[kBlock];
    for (int64_t at = begin; at < end; at += kBlock) {
      const auto count = static_cast<size_t>(std::min(kBlock, end - at));
      const float* wide = block;
      if (from == DType::f32) {
        wide = x.data<float>() + at;
      } else if (to == DType::f32) {
        half_to_f32(from, in + at * from_bytes, y.data<float>() + at, count);
        continue;
      } else if (is_half(from)) {
        half_to_f32(from, in + at * from_bytes, block, count);
      } else {
        first(in + at * from_bytes, block, count);
      }
      if (is_half(to)) {
        f32_to_half(to, wide, out + at * to_bytes, count);
      } else {
        second(wide, out + at * to_bytes, count);
      }
    }
  });
}

Result<Facts> infer_cast_to(InferContext& ctx, DType to) {
  SDX_TRY(cast_rules(ctx.attributes()).status());
  Fact y = tensor_fact(to, ctx.input(0).shape);
  const auto tracked = [](DType type) {
    return type == DType::i64 || type == DType::i32 || type == DType::f32 || type == DType::boolean;
  };
  if (!tracked(to) || !tracked(ctx.dtype(0)) || (!ctx.input(0).elements && !ctx.input(0).is_constant())) return y;
  if (ctx.dtype(0) == DType::f32 && !ctx.input(0).elements) return y;  // of a constant: not all are whole numbers
  if (y.has_rank() && y.rank() > 1 && !ctx.input(0).elements) return y;
  y.elements = ctx.elements(0);
  if (!y.elements || to == ctx.dtype(0)) return y;
  if (to == DType::f32) {
    keep_exact_in_float(ctx, y);
    return y;
  }
  for (Dim& element : *y.elements) {
    if (to == DType::boolean) {
      element = truth_element(ctx, ctx.symbols().equal(element, Dim(0)) == Truth::yes  ? Truth::no
                                   : ctx.symbols().equal(element, Dim(0)) == Truth::no ? Truth::yes
                                                                                       : Truth::unknown);
    } else if (to == DType::i32 && element.is_known()) {
      element = Dim(static_cast<int32_t>(element.known()));
    }
  }
  return y;
}

}  // namespace sdx::ops
