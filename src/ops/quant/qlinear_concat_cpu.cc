// QLinearConcat: each input through a table of its codes.
#include <cstring>

#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

struct CodeTable {
  uint8_t codes[256];  // by the byte
  bool is_identity = true;
};

Result<CodeTable> table_of(DType type, const ScaleAndZero& from, const ScaleAndZero& to) {
  CodeTable table;
  SDX_ASSIGN(Tensor made, Tensor::allocate(type, Shape{1}));
  for (int byte = 0; byte < 256; ++byte) {
    const int64_t code = type == DType::i8 ? static_cast<int8_t>(byte) : byte;
    const float value = static_cast<float>(code - from.zero) * from.scale;
    store_quantized(made, 0, value / to.scale, static_cast<double>(to.zero));
    table.codes[byte] = made.data<uint8_t>()[0];
    table.is_identity = table.is_identity && table.codes[byte] == byte;
  }
  return table;
}

Status run_qlinear_concat(KernelContext& ctx) {
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 0));
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), y.rank()));
  const int64_t outer = count_range(y.shape(), 0, axis), row = count_range(y.shape(), axis, y.shape().size());
  int64_t first = 0;
  for (size_t i = 2; i < ctx.input_count(); i += 3) {
    const Tensor& x = ctx.input(i);
    SDX_ASSIGN(const ScaleAndZero from, scale_and_zero(ctx, i + 1));
    SDX_ASSIGN(const CodeTable table, table_of(y.dtype(), from, to));
    const int64_t run = count_range(x.shape(), axis, x.shape().size());
    const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, run));
    SDX_TRY(parallel_ranges(ctx, outer, grain, [&](int64_t begin, int64_t end) {
      for (int64_t o = begin; o < end; ++o) {
        const uint8_t* in = x.data<uint8_t>() + o * run;
        uint8_t* out = y.data<uint8_t>() + o * row + first;
        if (table.is_identity)
          std::memcpy(out, in, static_cast<size_t>(run));
        else
          for (int64_t k = 0; k < run; ++k) out[k] = table.codes[in[k]];
      }
    }));
    first += run;
  }
  return {};
}

}  // namespace

SDX_CPU_KERNELS(qlinear_concat, {.name = "qlinear_concat_8",
                                 .can_run =
                                     [](const NodeFacts& facts) {
                                       for (size_t i = 5; i < facts.input_count(); i += 3)
                                         if (facts.dtype(i) != facts.dtype(2)) return no("types differ");
                                       return yes();
                                     },
                                 .run = run_qlinear_concat});

}  // namespace sdx::ops
