#include "ops/convert/cast_elements.h"

#include <bit>

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

template <typename To, typename From>
To convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (std::is_same_v<To, uint64_t>)
      if (value >= From(9223372036854775808.0))
        return value >= From(18446744073709551616.0) ? ~uint64_t{0} : static_cast<uint64_t>(value);
    const bool inside = value > From(-9223372036854775808.0) && value < From(9223372036854775808.0);
    return static_cast<To>(inside ? static_cast<int64_t>(value) : double_to_i64(static_cast<double>(value)));
  } else {
    return static_cast<To>(value);
  }
}

// Booleans are read as the bytes that they are: vectors know no others.
template <typename To, typename From>
void convert_run(const From* from, To* to, int64_t count) {
  if constexpr (std::is_same_v<From, bool> && !std::is_same_v<To, bool>) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(from);
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(bytes[i] != 0 ? 1 : 0);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = convert<To>(from[i]);
  }
}

bool is_half(DType type) { return type == DType::f16 || type == DType::bf16; }

template <typename F>
bool visit_arithmetic(DType type, F f) {
  bool called = false;
  visit_native(type, [&](auto sample) {
    if constexpr (std::is_arithmetic_v<decltype(sample)>) {
      called = true;
      f(sample);
    }
  });
  return called;
}

// From float32 blocks to any native type or 16-bit float.
template <typename Load>
Status convert_blocks(KernelContext& ctx, Load load) {
  Tensor& y = ctx.output(0);
  return parallel_ranges(ctx, y.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    constexpr int64_t kBlock = 2048;
    alignas(64) float block[kBlock];
    for (int64_t at = begin; at < end; at += kBlock) {
      const auto count = static_cast<size_t>(std::min(kBlock, end - at));
      load(at, block, count);
      if (is_half(y.dtype())) {
        f32_to_half(y.dtype(), block, y.data<uint16_t>() + at, count);
        continue;
      }
      visit_arithmetic(y.dtype(), [&](auto to) {
        using To = decltype(to);
        for (size_t i = 0; i < count; ++i) y.data<To>()[at + static_cast<int64_t>(i)] = convert<To>(block[i]);
      });
    }
  });
}

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

// To a 16-bit float only from what float32 holds exactly.
Verdict can_cast(DType from, DType to) {
  const auto native = [](DType type) { return visit_arithmetic(type, [](auto) {}); };
  const bool narrow = from == DType::f32 || is_half(from) || from == DType::boolean || bit_width(from) <= 16;
  if ((native(from) || is_half(from)) && (native(to) || (is_half(to) && narrow))) return yes();
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
  if (is_half(from))
    return convert_blocks(
        ctx, [&](int64_t at, float* block, size_t count) { half_to_f32(from, x.data<uint16_t>() + at, block, count); });
  Status status;
  visit_arithmetic(from, [&](auto from_sample) {
    using From = decltype(from_sample);
    const From* data = x.data<From>();
    if (is_half(to)) {
      status = convert_blocks(ctx, [&](int64_t at, float* block, size_t count) {
        for (size_t i = 0; i < count; ++i) block[i] = convert<float>(data[at + static_cast<int64_t>(i)]);
      });
      return;
    }
    visit_arithmetic(to, [&](auto to_sample) {
      using To = decltype(to_sample);
      To* out = y.data<To>();
      status = parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
        convert_run(data + begin, out + begin, end - begin);
      });
    });
  });
  return status;
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
