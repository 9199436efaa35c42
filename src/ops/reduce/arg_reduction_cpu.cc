// ArgMax and ArgMin along the innermost axis and along outer ones, for floats and integers.
#include "base/simd_targets.h"  // first

#include "kernel/scratch_parts.h"
#include "ops/elementwise.h"
#include "ops/half.h"
#include "ops/reduce/arg_reduction.h"
#include "ops/reduce/reductions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// The best value of all, then its place.
template <bool kLargest>
int64_t arg_row(const float* x, size_t count, bool last) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const float top = reduce_row<Best<kLargest>, float, float>(x, count);
  const bool nan = top != top;
  const auto wanted = [&](size_t k) { return nan ? x[k] != x[k] : x[k] == top; };
  if (last) {
    size_t k = count - 1;
    while (k > 0 && !wanted(k)) --k;
    return static_cast<int64_t>(k);
  }
  size_t k = 0;
  const auto tops = hn::Set(d, top);
  for (; !nan && k + lanes <= count; k += lanes) {
    const auto equal = hn::Eq(hn::LoadU(d, x + k), tops);
    if (!hn::AllFalse(d, equal)) return static_cast<int64_t>(k) + hn::FindFirstTrue(d, equal);
  }
  while (k + 1 < count && !wanted(k)) ++k;
  return static_cast<int64_t>(k);
}

// A vector of lines along the axis at once; `load` gives their elements at one place of it.
template <bool kLargest, class Load>
HWY_INLINE void arg_lines(int64_t size, bool last, size_t count, int64_t* y, Load load) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  auto best = load(int64_t{0});
  auto at = hn::Zero(di);
  for (int64_t k = 1; k < size; ++k) {
    const auto v = load(k);
    const auto nan = hn::IsNaN(v);
    const auto better = kLargest ? hn::Gt(v, best) : hn::Lt(v, best);
    const auto takes =
        last ? hn::Or(hn::Or(better, hn::Eq(v, best)), nan) : hn::Or(better, hn::AndNot(hn::IsNaN(best), nan));
    best = hn::IfThenElse(takes, v, best);
    at = hn::IfThenElse(hn::RebindMask(di, takes), hn::Set(di, static_cast<int32_t>(k)), at);
  }
  HWY_ALIGN int32_t buffer[hn::MaxLanes(di)];
  hn::Store(at, di, buffer);
  for (size_t i = 0; i < HWY_MIN(hn::Lanes(d), count); ++i) y[i] = buffer[i];
}

// Columns [begin, end) of a [size, inner] matrix.
template <bool kLargest>
void arg_columns(const float* x, const ops::ArgColumns& columns, bool last, int64_t* y) {
  const hn::ScalableTag<float> d;
  for (int64_t column = columns.begin; column < columns.end; column += static_cast<int64_t>(hn::Lanes(d))) {
    const auto count = static_cast<size_t>(columns.end - column);
    arg_lines<kLargest>(columns.size, last, count, y + column,
                        [&](int64_t k) HWY_ATTR { return load_n(d, x + k * columns.inner + column, count); });
  }
}

// Short rows one after another.
template <bool kLargest>
void arg_short_rows(const float* x, size_t size, size_t rows, bool last, int64_t* y) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const size_t lanes = hn::Lanes(d);
  const auto at = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<int32_t>(size)));
  size_t r = 0;
  for (; r + lanes <= rows; r += lanes)
    arg_lines<kLargest>(static_cast<int64_t>(size), last, lanes, y + r, [&](int64_t k) HWY_ATTR {
      return hn::GatherIndex(d, x + r * size + static_cast<size_t>(k), at);
    });
  for (; r < rows; ++r) y[r] = arg_row<kLargest>(x + r * size, size, last);
}

template <bool kLargest>
ops::ArgSteps<float> steps_of() {
  return {arg_row<kLargest>, arg_short_rows<kLargest>, arg_columns<kLargest>};
}
ops::ArgSteps<float> steps_f32(bool smallest) { return smallest ? steps_of<false>() : steps_of<true>(); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

constexpr int64_t kShortRow = 16;  // up to here vectors go across rows

// Whether a replaces b.
template <bool kLargest, typename T>
bool is_better(T a, T b, bool last) {
  if (b != b) return last && a != a;
  return a != a || (kLargest ? a > b : a < b) || (last && a == b);
}
// The best value of all, in lanes that the compiler makes vectors of; then its place.
template <bool kLargest, typename T>
int64_t plain_row(const T* x, size_t count, bool last) {
  constexpr size_t kLanes = 64 / sizeof(T);
  T lanes[kLanes];
  std::fill_n(lanes, kLanes, x[0]);
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (size_t k = 0; k < kLanes; ++k) {
      const T v = x[i + k];
      const bool takes = static_cast<int>(kLargest ? v > lanes[k] : v < lanes[k]) | static_cast<int>(v != v);
      lanes[k] = takes ? v : lanes[k];
    }
  T top = x[0];
  for (; i < count; ++i)
    if (is_better<kLargest>(x[i], top, false)) top = x[i];
  for (const T v : lanes)
    if (is_better<kLargest>(v, top, false)) top = v;
  const auto wanted = [&](size_t k) { return top != top ? x[k] != x[k] : x[k] == top; };
  size_t at = last ? count - 1 : 0;
  while (last ? at > 0 : at + 1 < count) {
    if (wanted(at)) break;
    at = last ? at - 1 : at + 1;
  }
  return static_cast<int64_t>(at);
}
template <bool kLargest, typename T>
void plain_columns(const T* x, const ArgColumns& columns, bool last, int64_t* y) {
  constexpr int64_t kTile = 128;
  for (int64_t first = columns.begin; first < columns.end; first += kTile) {
    const int64_t count = std::min(kTile, columns.end - first);
    T best[kTile];
    std::copy_n(x + first, count, best);
    std::fill_n(y + first, count, 0);
    for (int64_t k = 1; k < columns.size; ++k) {
      const T* row = x + k * columns.inner + first;
      for (int64_t c = 0; c < count; ++c) {
        const bool takes = is_better<kLargest>(row[c], best[c], last);
        best[c] = takes ? row[c] : best[c];
        y[first + c] = takes ? k : y[first + c];
      }
    }
  }
}
template <typename T>
ArgSteps<T> plain_steps(bool smallest) {
  if (smallest) return {plain_row<false, T>, nullptr, plain_columns<false, T>};
  return {plain_row<true, T>, nullptr, plain_columns<true, T>};
}

template <typename T>
Status run(KernelContext& ctx, const T* x, const ArgSteps<T>& steps) {
  const AxisView view = arg_view(ctx);
  const bool last = ctx.attr_int("select_last_index", 0) != 0;
  auto* y = ctx.output(0).data<int64_t>();
  const int64_t work = std::max<int64_t>(1, view.size * view.inner);
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / work);
  if (view.inner > 1) {
    // Strips of whole cache lines, about a block's work each.
    const int64_t strip = std::max<int64_t>(64, kElementwiseGrain / std::max<int64_t>(view.size, 1) / 64 * 64);
    const int64_t strips = (view.inner + strip - 1) / strip;
    return parallel_ranges(ctx, view.outer * strips, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t plane = i / strips, first = i % strips * strip;
        steps.columns(x + plane * work, {view.size, view.inner, first, std::min(first + strip, view.inner)}, last,
                      y + plane * view.inner);
      }
    });
  }
  return parallel_ranges(ctx, view.outer, grain, [&](int64_t begin, int64_t end) {
    if (view.size <= kShortRow && steps.short_rows != nullptr)
      return steps.short_rows(x + begin * work, static_cast<size_t>(view.size), static_cast<size_t>(end - begin), last,
                              y + begin);
    for (int64_t i = begin; i < end; ++i) y[i] = steps.row(x + i * work, static_cast<size_t>(view.size), last);
  });
}

Status run_half(KernelContext& ctx, bool smallest) {
  const Tensor& x = ctx.input(0);
  float* wide = ScratchParts(ctx).take<float>(x.count()).data();
  SDX_TRY(parallel_ranges(ctx, x.count(), 2 * kElementwiseGrain, [&](int64_t begin, int64_t end) {
    half_to_f32(x.dtype(), x.data<uint16_t>() + begin, wide + begin, static_cast<size_t>(end - begin));
  }));
  return run<float>(ctx, wide, SDX_DISPATCH(steps_f32)(smallest));
}

}  // namespace

ArgSteps<float> arg_max_steps() { return SDX_DISPATCH(steps_f32)(false); }

Status run_arg_reduction(KernelContext& ctx, ArgKind kind) {
  const bool smallest = kind == ArgKind::min;
  const Tensor& x = ctx.input(0);
  if (arg_view(ctx).size >= INT32_MAX) return reference_arg_reduction(ctx, kind);
  switch (x.dtype()) {
    case DType::f32: return run(ctx, x.data<float>(), SDX_DISPATCH(steps_f32)(smallest));
    case DType::f64: return run(ctx, x.data<double>(), plain_steps<double>(smallest));
    case DType::i32: return run(ctx, x.data<int32_t>(), plain_steps<int32_t>(smallest));
    case DType::i64: return run(ctx, x.data<int64_t>(), plain_steps<int64_t>(smallest));
    case DType::i8: return run(ctx, x.data<int8_t>(), plain_steps<int8_t>(smallest));
    case DType::u8: return run(ctx, x.data<uint8_t>(), plain_steps<uint8_t>(smallest));
    default: return run_half(ctx, smallest);
  }
}

Verdict can_run_arg_reduction(const NodeFacts& facts) {
  switch (facts.dtype(0)) {
    case DType::f32:
    case DType::f64:
    case DType::f16:
    case DType::bf16:
    case DType::i32:
    case DType::i64:
    case DType::i8:
    case DType::u8: return yes();
    default: return no("only floats, i64, i32 and bytes");
  }
}

Dim arg_reduction_scratch(const ScratchFacts& facts) {
  const DType type = facts.node.dtype(0);
  ScratchSize size(facts);
  const bool is_half = type == DType::f16 || type == DType::bf16;
  return size.part(is_half ? size.input_count(0) : Dim(0), sizeof(float)).bytes();
}

}  // namespace sdx::ops
#endif
