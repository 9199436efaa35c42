// Softmax for float32, and for 16-bit floats along the innermost axis.
#include <cmath>

#include "base/element.h"
#include "kernel/scratch_parts.h"
#include "ops/elementwise.h"
#include "ops/half.h"
#include "ops/norm/softmax_kernels.h"
#include "ops/reduce/reduction.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Verdict can_run_half(const NodeFacts& facts) {
  if (Verdict verdict = takes_half(facts); !verdict.accepted()) return verdict;
  const int64_t axis = facts.attr_int("axis", -1);
  if (axis == -1) return yes();
  return facts.has_rank(0) && axis == facts.input(0).rank() - 1 ? yes() : no("not along the innermost axis");
}

// A row whose every step is rounded to 16 bits, as the reference has them.
class HalfRow {
 public:
  static constexpr int64_t kBytesEach = 3 * sizeof(float) + 2 * sizeof(uint16_t);

  HalfRow(DType type, size_t count, std::byte* memory)
      : type_(type),
        count_(count),
        x_(reinterpret_cast<float*>(memory)),
        low_(x_ + count),
        high_(low_ + count),
        codes_(reinterpret_cast<uint16_t*>(high_ + count)),
        others_(codes_ + count) {}

  void run(const uint16_t* from, uint16_t* to) {
    half_to_f32(type_, from, x_, count_);
    steps_.subtract(x_, largest_(x_, count_), count_);
    f32_to_half(type_, x_, codes_, count_);
    half_to_f32(type_, codes_, x_, count_);
    raise();
    double sum = steps_.total(x_, count_);
    uint16_t code = 0;
    store_double(type_, &code, 0, sum);
    if (const double narrow = load_double(type_, &code, 0); !std::isinf(narrow)) sum = narrow;
    steps_.divide(x_, static_cast<float>(sum), count_);
    f32_to_half(type_, x_, to, count_);
  }

 private:
  // x = e^x: where both bounds are rounded to one number, it is that.
  void raise() {
    steps_.exp_bounds(x_, low_, high_, count_);
    f32_to_half(type_, low_, codes_, count_);
    f32_to_half(type_, high_, others_, count_);
    for (size_t i = 0; i < count_; ++i) {
      if (codes_[i] == others_[i]) continue;
      store_double(type_, codes_, static_cast<int64_t>(i), std::exp(static_cast<double>(x_[i])));
    }
    half_to_f32(type_, codes_, x_, count_);
  }

  DType type_;
  size_t count_;
  float *x_, *low_, *high_;
  uint16_t *codes_, *others_;
  const HalfSoftmaxSteps steps_ = half_softmax_steps();
  const RowMaxF32 largest_ = row_max_f32();
};

Status run_half(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const int64_t size = softmax_view(ctx).size;
  const DType type = x.dtype();
  ScratchSlots slots = ScratchParts(ctx).slots(static_cast<size_t>(size * HalfRow::kBytesEach));
  const int64_t grain = std::max<int64_t>(1, 4096 / size);
  return parallel_ranges(ctx, x.count() / size, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    HalfRow row(type, static_cast<size_t>(size), lease.memory());
    for (int64_t i = begin; i < end; ++i)
      row.run(x.data<uint16_t>() + i * size, ctx.output(0).data<uint16_t>() + i * size);
  });
}

Dim half_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const bool is_scalar = facts.node.has_rank(0) && facts.node.input(0).rank() == 0;
  const Dim row = is_scalar ? Dim(1) : size.input(0, -1);
  return size.slots(size.symbols().mul(row, Dim(HalfRow::kBytesEach))).bytes();
}

}  // namespace

SDX_CPU_KERNELS(softmax,
                {.name = "softmax_f32",
                 .can_run = takes<DType::f32>,
                 .run = [](KernelContext& ctx) { return run_softmax_f32(ctx, SoftmaxKind::plain); }},
                {.name = "softmax_half", .can_run = can_run_half, .run = run_half, .scratch_bytes = half_scratch});

}  // namespace sdx::ops
