// Running sums and products: columns side by side in vectors, single rows one element after another.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/math/cumulative.h"

// What the loops of every SIMD level take: `size` elements, `step` apart (negative: from the end).
#ifndef SDX_RUNNING_COLUMNS
#define SDX_RUNNING_COLUMNS
namespace sdx::ops {
struct RunningColumns {
  int64_t size, step;
  size_t columns;
  bool exclusive, product;
};
}  // namespace sdx::ops
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// Sums of T are kept in Sum.
template <typename T, typename Sum>
struct Running {
  using DS = hn::ScalableTag<Sum>;
  using DT = hn::Rebind<T, DS>;
  using V = hn::Vec<DS>;

  static HWY_INLINE V load(const T* p, size_t count) {
    if constexpr (sizeof(T) == sizeof(Sum)) {
      return load_n(DS(), p, count);
    } else {
      return hn::PromoteTo(DS(), load_n(DT(), p, count));
    }
  }
  static HWY_INLINE void store(V v, T* p, size_t count) {
    if constexpr (sizeof(T) == sizeof(Sum)) {
      store_n(v, DS(), p, count);
    } else {
      store_n(hn::DemoteTo(DT(), v), DT(), p, count);
    }
  }
  template <bool kProduct>
  static HWY_INLINE V joined(V a, V b) {
    if constexpr (kProduct) {
      return hn::Mul(a, b);
    } else {
      return hn::Add(a, b);
    }
  }
  template <bool kProduct>
  static void columns(const T* x, T* y, const ops::RunningColumns& run) {
    const size_t lanes = hn::Lanes(DS());
    const auto start = hn::Set(DS(), kProduct ? Sum{1} : Sum{0});
    size_t c = 0;
    constexpr size_t kVectors = 8;
    for (; c + kVectors * lanes <= run.columns; c += kVectors * lanes) {
      V sums[kVectors] = {start, start, start, start, start, start, start, start};
      const T* from = x + c;
      T* to = y + c;
      for (int64_t k = 0; k < run.size; ++k, from += run.step, to += run.step) {
        HWY_UNROLL(8)
        for (size_t i = 0; i < kVectors; ++i) {
          const auto next = joined<kProduct>(sums[i], load(from + i * lanes, lanes));
          store(run.exclusive ? sums[i] : next, to + i * lanes, lanes);
          sums[i] = next;
        }
      }
    }
    for (; c < run.columns; c += lanes) {
      auto sum = start;
      const size_t some = HWY_MIN(lanes, run.columns - c);
      for (int64_t k = 0; k < run.size; ++k) {
        const auto next = joined<kProduct>(sum, load(x + c + k * run.step, some));
        store(run.exclusive ? sum : next, y + c + k * run.step, some);
        sum = next;
      }
    }
  }
  static void visit(const T* x, T* y, const ops::RunningColumns& run) {
    if constexpr (!std::is_integral_v<T>) {
      if (run.product) return columns<true>(x, y, run);
    }
    columns<false>(x, y, run);
  }
};

void running_f32(const float* x, float* y, const ops::RunningColumns& run) { Running<float, double>::visit(x, y, run); }
void running_f64(const double* x, double* y, const ops::RunningColumns& run) {
  Running<double, double>::visit(x, y, run);
}
void running_u32(const uint32_t* x, uint32_t* y, const ops::RunningColumns& run) {
  Running<uint32_t, uint32_t>::visit(x, y, run);
}
void running_u64(const uint64_t* x, uint64_t* y, const ops::RunningColumns& run) {
  Running<uint64_t, uint64_t>::visit(x, y, run);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

template <typename T, typename Sum>
void run_row(const T* x, T* y, int64_t stride, const RunningColumns& run) {
  Sum total = run.product ? Sum{1} : Sum{0};
  for (int64_t k = 0; k < run.size; ++k, x += stride, y += stride) {
    const auto next = static_cast<Sum>(run.product ? total * *x : total + *x);
    *y = static_cast<T>(run.exclusive ? total : next);
    total = next;
  }
}

template <typename T, typename Sum>
Status run_typed(KernelContext& ctx, Cumulative kind, void (*columns)(const T*, T*, const RunningColumns&)) {
  SDX_ASSIGN(const size_t axis, cumulative_axis(ctx));
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t size = x.shape()[axis];
  const int64_t outer = count_range(x.shape(), 0, axis), inner = count_range(x.shape(), axis + 1, x.shape().size());
  if (y.count() == 0) return {};
  const bool reverse = ctx.attr_int("reverse", 0) != 0;
  const RunningColumns run{.size = size,
                           .step = reverse ? -inner : inner,
                           .columns = 0,
                           .exclusive = ctx.attr_int("exclusive", 0) != 0,
                           .product = kind == Cumulative::product};
  constexpr int64_t kElements = 16384;  // of one parallel block
  const int64_t first = reverse ? (size - 1) * inner : 0;
  const bool in_vectors = inner > 1 && !(run.product && std::is_integral_v<T>);
  if (!in_vectors) {
    return parallel_ranges(ctx, outer * inner, std::max<int64_t>(1, kElements / size), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t at = row / inner * size * inner + row % inner + first;
        run_row<T, Sum>(x.data<T>() + at, y.data<T>() + at, run.step, run);
      }
    });
  }
  const int64_t strip = std::clamp<int64_t>(kElements / size / 64 * 64, 64, std::max<int64_t>(64, inner));
  const int64_t strips = (inner + strip - 1) / strip;
  const int64_t together = std::max<int64_t>(1, kElements / (size * std::min(strip, inner)));
  return parallel_ranges(ctx, outer * strips, together, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t column = block % strips * strip, at = block / strips * size * inner + column + first;
      RunningColumns part = run;
      part.columns = static_cast<size_t>(std::min(strip, inner - column));
      columns(x.data<T>() + at, y.data<T>() + at, part);
    }
  });
}

}  // namespace

Verdict takes_cumulative(const NodeFacts& facts) {
  constexpr DTypeSet kTypes = set_of(DType::f32, DType::f64, DType::i32, DType::i64, DType::u32, DType::u64);
  return contains(kTypes, facts.dtype(0)) ? yes() : no("only f32, f64 and integers of 32 and 64 bits");
}

Status run_cumulative(KernelContext& ctx, Cumulative kind) {
  switch (ctx.input(0).dtype()) {
    case DType::f32: return run_typed<float, double>(ctx, kind, SDX_DISPATCH(running_f32));
    case DType::f64: return run_typed<double, double>(ctx, kind, SDX_DISPATCH(running_f64));
    case DType::i32:
    case DType::u32: return run_typed<uint32_t, uint32_t>(ctx, kind, SDX_DISPATCH(running_u32));
    default: return run_typed<uint64_t, uint64_t>(ctx, kind, SDX_DISPATCH(running_u64));
  }
}

}  // namespace sdx::ops
#endif
