// Einsum of two float32 operands as a product of matrices: letters fall into batch (both operands and the output), rows
// (the first and the output), columns (the second and the output) and terms (both, summed). Operands are copied into
// that order; sums are kept in double. What does not fit runs on the reference.
#include "base/simd_targets.h"  // first

#include "kernel/scratch_parts.h"
#include "ops/elementwise.h"
#include "ops/math/einsum_loops.h"
#include "ops/reduce/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// acc[c] += sum over k of a[k] * b[k * width + c]
void add_product(const float* a, const float* b, int64_t terms, int64_t width, size_t columns, double* acc) {
  const DoubleTag d;
  for (size_t c = 0; c < columns; c += hn::Lanes(d)) {
    auto sum = load_n(d, acc + c, columns - c);
    for (int64_t k = 0; k < terms; ++k)
      sum = hn::MulAdd(hn::Set(d, static_cast<double>(a[k])),
                       load_as_double(b + k * width + static_cast<int64_t>(c), columns - c), sum);
    store_n(sum, d, acc + c, columns - c);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

struct Roles {
  std::vector<EinsumLoop> batch, rows, columns, terms;  // steps: first operand, second operand, output
  bool fits = true;
};

int64_t count(const std::vector<EinsumLoop>& loops) {
  int64_t product = 1;
  for (const EinsumLoop& loop : loops) product *= loop.size;
  return product;
}

Roles roles_of(const EinsumLoops& loops) {
  Roles roles;
  int64_t out_step = count(loops.output);
  for (EinsumLoop loop : loops.output) {
    out_step /= std::max<int64_t>(1, loop.size);
    loop.steps.push_back(out_step);
    if (loop.size == 1) continue;
    const bool first = loop.steps[0] != 0, second = loop.steps[1] != 0;
    (first && second ? roles.batch : first ? roles.rows : roles.columns).push_back(std::move(loop));
  }
  for (EinsumLoop loop : loops.summed) {
    loop.steps.push_back(0);
    if (loop.size == 1) continue;
    roles.fits = roles.fits && loop.steps[0] != 0 && loop.steps[1] != 0;
    roles.terms.push_back(std::move(loop));
  }
  return roles;
}

// Elements of operand `which` in the order of the loops, which come outermost first.
const float* packed(const Tensor& tensor, size_t which, std::initializer_list<const std::vector<EinsumLoop>*> order,
                    ScratchParts& scratch) {
  std::vector<EinsumLoop> loops;
  for (const auto* part : order) loops.insert(loops.end(), part->begin(), part->end());
  const std::span<float> copy = scratch.take<float>(count(loops));
  EinsumOdometer walk(loops, 3);
  for (float& v : copy) {
    v = tensor.data<float>()[walk.offsets()[which]];
    walk.next();
  }
  return copy.data();
}

// Offsets in the output of positions [first, first + size) of the loops.
void output_offsets(const std::vector<EinsumLoop>& loops, int64_t first, int64_t size, int64_t* offsets) {
  if (loops.size() == 1) {
    for (int64_t i = 0; i < size; ++i) offsets[i] = (first + i) * loops[0].steps[2];
    return;
  }
  SmallVector<int64_t, 8> position(loops.size());
  int64_t at = 0;
  for (size_t loop = loops.size(); loop-- > 0; first /= loops[loop].size) {
    position[loop] = first % loops[loop].size;
    at += position[loop] * loops[loop].steps[2];
  }
  for (int64_t i = 0; i < size; ++i) {
    offsets[i] = at;
    for (size_t loop = loops.size(); loop-- > 0;) {
      at += loops[loop].steps[2];
      if (++position[loop] < loops[loop].size) break;
      at -= loops[loop].size * loops[loop].steps[2];
      position[loop] = 0;
    }
  }
}

Verdict takes_two(const NodeFacts& facts) {
  if (facts.input_count() != 2) return no("only two operands");
  return takes<DType::f32>(facts);
}

Status run_einsum_f32(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const EinsumLoops loops, einsum_loops(ctx));
  if (y.count() == 0) return {};
  const Roles roles = roles_of(loops);
  const int64_t terms = count(roles.terms), rows = count(roles.rows), width = count(roles.columns);
  if (!roles.fits || terms == 0) return reference_einsum(ctx);
  ScratchParts scratch(ctx);
  const float* a = packed(ctx.input(0), 0, {&roles.batch, &roles.rows, &roles.terms}, scratch);
  const float* b = packed(ctx.input(1), 1, {&roles.batch, &roles.terms, &roles.columns}, scratch);
  std::vector<EinsumLoop> outer = roles.batch;
  outer.insert(outer.end(), roles.rows.begin(), roles.rows.end());
  constexpr int64_t kColumns = 128;
  const int64_t tiles = (width + kColumns - 1) / kColumns, batches = count(roles.batch);
  const auto product = SDX_DISPATCH(add_product);
  const int64_t work = terms * std::min(width, kColumns);
  return parallel_ranges(ctx, batches * rows * tiles, std::max<int64_t>(1, kElementwiseGrain / work),
                         [&](int64_t begin, int64_t end) {
                           double acc[kColumns];
                           int64_t row_offset, column_offsets[kColumns];
                           for (int64_t unit = begin; unit < end; ++unit) {
                             const int64_t row = unit / tiles, column = unit % tiles * kColumns;
                             const int64_t columns = std::min(kColumns, width - column);
                             std::fill_n(acc, columns, 0.0);
                             product(a + row * terms, b + row / rows * terms * width + column, terms, width,
                                     static_cast<size_t>(columns), acc);
                             output_offsets(outer, row, 1, &row_offset);
                             output_offsets(roles.columns, column, columns, column_offsets);
                             float* to = y.data<float>() + row_offset;
                             for (int64_t c = 0; c < columns; ++c) to[column_offsets[c]] = static_cast<float>(acc[c]);
                           }
                         });
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  return size.part(size.input_count(0), sizeof(float)).part(size.input_count(1), sizeof(float)).bytes();
}

}  // namespace

SDX_CPU_KERNELS(einsum,
                {.name = "einsum_f32", .can_run = takes_two, .run = run_einsum_f32, .scratch_bytes = scratch_bytes});

}  // namespace sdx::ops
#endif
