// Pad of elements of whole bytes. With a constant: the output is filled, then the data is copied into its place. In the
// other modes: runs along the last axis that is padded, found once for all rows.
#include <cstring>

#include "ops/shape/pad.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

Verdict takes_constant_padding(const NodeFacts& facts) {
  if (facts.attr_string("mode", "constant") != "constant") return no("only mode constant");
  return takes_whole_bytes(facts);
}

Status run_pad(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const auto width = static_cast<size_t>(bit_width(y.dtype()) / 8);
  const std::byte zero[16] = {};
  const std::byte* fill = ctx.has_input(2) ? ctx.input(2).bytes() : zero;
  const Shape y_strides = row_major_strides(y.shape());
  SDX_TRY(copy_strided(ctx, width, {y.shape(), Shape(y.shape().size()), y_strides}, fill, y.bytes()));
  const Padding padding = padding_of(ctx);
  StridedView from = dense_view(x.shape());
  int64_t to = 0;
  for (size_t i = 0; i < from.shape.size(); ++i) {
    const int64_t cut = std::max<int64_t>(-padding.before[i], 0);
    from.offset += cut * from.strides[i];
    from.shape[i] -= cut + std::max<int64_t>(-padding.after[i], 0);
    to += std::max<int64_t>(padding.before[i], 0) * y_strides[i];
    if (from.shape[i] <= 0) return {};
  }
  const auto bytes = static_cast<int64_t>(width);
  return copy_strided(ctx, width, {from.shape, from.strides, y_strides}, x.bytes() + from.offset * bytes,
                      y.bytes() + to * bytes);
}

Verdict takes_repeating_padding(const NodeFacts& facts) {
  if (facts.attr_string("mode", "constant") == "constant") return no("only the modes that repeat elements");
  return facts.has_rank(0) && facts.rank(0) > 0 ? takes_whole_bytes(facts) : no("only tensors with dimensions");
}

// Bytes of a row that follow one another in both tensors.
struct Run {
  int64_t from, to, bytes;
};

void copy_run(std::byte* to, const std::byte* from, int64_t bytes) {
  switch (bytes) {
    case 4: std::memcpy(to, from, 4); return;
    case 8: std::memcpy(to, from, 8); return;
    default: std::memcpy(to, from, static_cast<size_t>(bytes));
  }
}

std::vector<Run> runs_of(const Shape& sources, int64_t bytes) {
  std::vector<Run> runs;
  for (size_t i = 0; i < sources.size(); ++i) {
    const int64_t from = sources[i] * bytes;
    if (!runs.empty() && runs.back().from + runs.back().bytes == from) {
      runs.back().bytes += bytes;
    } else {
      runs.push_back({from, static_cast<int64_t>(i) * bytes, bytes});
    }
  }
  return runs;
}

Status run_repeating_pad(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const Padding padding = padding_of(ctx);
  size_t last = x.shape().size() - 1;
  while (last > 0 && padding.before[last] == 0 && padding.after[last] == 0) --last;
  const std::string_view mode = ctx.attr_string("mode", "constant");
  std::vector<Shape> sources;
  for (size_t axis = 0; axis <= last; ++axis)
    sources.push_back(pad_sources(x.shape()[axis], padding.before[axis], padding.after[axis], mode));
  const int64_t each = count_range(x.shape(), last + 1, x.shape().size()) * bit_width(x.dtype()) / 8;
  const std::vector<Run> runs = runs_of(sources[last], each);
  const int64_t x_row = x.shape()[last] * each, y_row = y.shape()[last] * each;
  constexpr int64_t kBlockBytes = 65536;
  return parallel_ranges(ctx, count_range(y.shape(), 0, last), std::max<int64_t>(1, kBlockBytes / y_row),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t row = begin; row < end; ++row) {
                             int64_t from = 0, rows = 1, rest = row;
                             for (size_t axis = last; axis-- > 0; rows *= x.shape()[axis]) {
                               const int64_t size = y.shape()[axis];
                               from += sources[axis][static_cast<size_t>(rest % size)] * rows;
                               rest /= size;
                             }
                             const std::byte* x_at = x.bytes() + from * x_row;
                             std::byte* y_at = y.bytes() + row * y_row;
                             for (const Run& run : runs) copy_run(y_at + run.to, x_at + run.from, run.bytes);
                           }
                         });
}

}  // namespace

SDX_CPU_KERNELS(pad, {.name = "pad_constant_bytes", .can_run = takes_constant_padding, .run = run_pad},
                {.name = "pad_repeating_bytes", .can_run = takes_repeating_padding, .run = run_repeating_pad});

}  // namespace sdx::ops
