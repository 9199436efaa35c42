// Reductions of double and of integers in their own type, or in a wider one; integers wrap.
#include <cmath>

#include "ops/reduce/reduction_tasks.h"

namespace sdx::ops {
namespace {

// Partial results of a row, which the compiler makes vectors of.
template <typename T>
constexpr size_t kLanes = 64 / sizeof(T);

// Signed integers are added and multiplied as unsigned ones, which wrap.
template <typename A>
struct WrappingOf {
  using Type = A;
};
template <typename A>
requires std::is_integral_v<A>
struct WrappingOf<A> {
  using Type = std::make_unsigned_t<A>;
};
template <typename A>
using Wrapping = typename WrappingOf<A>::Type;

template <typename A>
struct SumOf {
  static constexpr A start() { return 0; }
  static A put(A sum, A v) { return static_cast<A>(static_cast<Wrapping<A>>(sum) + static_cast<Wrapping<A>>(v)); }
  static A join(A a, A b) { return put(a, b); }
};
template <typename A>
struct MagnitudesOf : SumOf<A> {
  static A put(A sum, A v) {
    if constexpr (std::is_floating_point_v<A>) return sum + std::fabs(v);
    const auto bits = static_cast<Wrapping<A>>(v);
    return SumOf<A>::put(sum, v < 0 ? static_cast<A>(Wrapping<A>{0} - bits) : v);
  }
};
template <typename A>
struct SquaresOf : SumOf<A> {
  static A put(A sum, A v) {
    const auto bits = static_cast<Wrapping<A>>(v);
    return SumOf<A>::put(sum, static_cast<A>(bits * bits));
  }
};
template <typename A>
struct ProductOf {
  static constexpr A start() { return 1; }
  static A put(A product, A v) {
    return static_cast<A>(static_cast<Wrapping<A>>(product) * static_cast<Wrapping<A>>(v));
  }
  static A join(A a, A b) { return put(a, b); }
};
template <typename A, bool kLargest>
struct BestOf {
  static constexpr A start() { return kLargest ? std::numeric_limits<A>::lowest() : std::numeric_limits<A>::max(); }
  static A put(A best, A v) { return kLargest ? std::max(best, v) : std::min(best, v); }
  static A join(A a, A b) { return put(a, b); }
};

template <class Op, typename T, typename A>
A reduce_row(const T* x, size_t count) {
  A all[kLanes<T>];
  for (A& one : all) one = Op::start();
  size_t i = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>)
    for (size_t k = 0; k < kLanes<T>; ++k) all[k] = Op::put(all[k], static_cast<A>(x[i + k]));
  A result = Op::start();
  for (; i < count; ++i) result = Op::put(result, static_cast<A>(x[i]));
  for (const A& one : all) result = Op::join(result, one);
  return result;
}

template <class Op, typename T, typename A>
void reduce_short_rows(const T* x, size_t size, size_t rows, A* results) {
  for (size_t r = 0; r < rows; ++r, x += size) {
    A result = Op::start();
    for (size_t i = 0; i < size; ++i) result = Op::put(result, static_cast<A>(x[i]));
    results[r] = result;
  }
}

template <class Op, typename T, typename A>
void reduce_columns(const T* x, size_t rows, size_t step, size_t count, A* results) {
  for (size_t row = 0; row < rows; ++row, x += step)
    for (size_t c = 0; c < count; ++c) results[c] = Op::put(results[c], static_cast<A>(x[c]));
}

template <typename T, typename A>
void finish_plain(const A* results, size_t count, double, T* y) {
  for (size_t i = 0; i < count; ++i) y[i] = static_cast<T>(results[i]);
}
template <typename T, typename A>
void finish_mean(const A* results, size_t count, double size, T* y) {
  for (size_t i = 0; i < count; ++i) y[i] = static_cast<T>(results[i] / static_cast<A>(size));
}
void finish_root(const double* results, size_t count, double, double* y) {
  for (size_t i = 0; i < count; ++i) y[i] = std::sqrt(results[i]);
}
void finish_log(const double* results, size_t count, double, double* y) {
  for (size_t i = 0; i < count; ++i) y[i] = std::log(results[i]);
}

template <class Op, typename T, typename A = T>
Status run(KernelContext& ctx, void (*finish)(const A*, size_t, double, T*) = finish_plain<T, A>) {
  const ReductionSteps<T, A> steps = {.row = reduce_row<Op, T, A>,
                                      .short_rows = reduce_short_rows<Op, T, A>,
                                      .columns = reduce_columns<Op, T, A>,
                                      .combine = Op::join,
                                      .finish = finish,
                                      .start = Op::start()};
  return run_reduction(ctx, steps);
}

template <typename T>
Status run_sums(KernelContext& ctx, Reduction kind) {
  switch (kind) {
    case Reduction::l1: return run<MagnitudesOf<T>, T>(ctx);
    case Reduction::sum_square: return run<SquaresOf<T>, T>(ctx);
    case Reduction::prod: return run<ProductOf<T>, T>(ctx);
    default: return run<SumOf<T>, T>(ctx);
  }
}

// Of integers.
template <typename T>
Status run_best(KernelContext& ctx, Reduction kind) {
  return kind == Reduction::max ? run<BestOf<T, true>, T>(ctx) : run<BestOf<T, false>, T>(ctx);
}

Status run_f64(KernelContext& ctx, Reduction kind) {
  if (kind == Reduction::max || kind == Reduction::min) return run_best_f64(ctx, kind);
  if (kind == Reduction::mean) return run<SumOf<double>, double>(ctx, finish_mean<double, double>);
  if (kind == Reduction::l2) return run<SquaresOf<double>, double>(ctx, finish_root);
  if (kind == Reduction::log_sum) return run<SumOf<double>, double>(ctx, finish_log);
  return run_sums<double>(ctx, kind);
}

}  // namespace

Status run_typed_reduction(KernelContext& ctx, Reduction kind) {
  switch (ctx.input(0).dtype()) {
    case DType::f64: return run_f64(ctx, kind);
    case DType::i32:
      if (kind == Reduction::max || kind == Reduction::min) return run_best<int32_t>(ctx, kind);
      if (kind == Reduction::mean) return run<SumOf<int64_t>, int32_t>(ctx, finish_mean<int32_t, int64_t>);
      return run_sums<int32_t>(ctx, kind);
    case DType::i64:
      if (kind == Reduction::max || kind == Reduction::min) return run_best<int64_t>(ctx, kind);
      if (kind == Reduction::mean) return run<SumOf<int64_t>, int64_t>(ctx, finish_mean<int64_t, int64_t>);
      return run_sums<int64_t>(ctx, kind);
    case DType::i8: return run_best<int8_t>(ctx, kind);
    default: return run_best<uint8_t>(ctx, kind);
  }
}

Verdict can_run_typed_reduction(DType type, Reduction kind) {
  const bool picks = kind == Reduction::max || kind == Reduction::min;
  const bool roots = kind == Reduction::l2 || kind == Reduction::log_sum;
  switch (type) {
    case DType::f64: return yes();
    case DType::i64:
    case DType::i32: return roots ? no("only floats") : yes();
    case DType::i8:
    case DType::u8: return picks ? yes() : no("only larger types");
    default: return no("only f64, i64, i32 and bytes");
  }
}

}  // namespace sdx::ops
