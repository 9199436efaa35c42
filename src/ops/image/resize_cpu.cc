// Resize over one axis, or over two that are neighbours: nearest for elements of whole bytes, linear and cubic for
// float32.
#include <cstring>

#include "ops/elementwise.h"
#include "ops/image/resize.h"

namespace sdx::ops {
namespace {

// The input as [outer, rows, columns, inner]; axes that do not change are part of outer or inner.
struct Layout {
  int64_t outer = 1, inner = 1;
  ResizeAxis rows{.in = 1, .out = 1}, columns{.in = 1, .out = 1};
};

// Nullopt where other axes change than two neighbours.
std::optional<Layout> layout_of(const Attributes& attributes, std::span<const ResizeAxis> axes) {
  SmallVector<size_t, 4> changing;
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i].changes(attributes)) changing.push_back(i);
  if (changing.size() > 2 || (changing.size() == 2 && changing[1] != changing[0] + 1)) return std::nullopt;
  Layout layout;
  const size_t first = changing.empty() ? axes.size() : changing.front();
  const size_t after = changing.empty() ? axes.size() : changing.back() + 1;
  for (size_t i = 0; i < first; ++i) layout.outer *= axes[i].in;
  for (size_t i = after; i < axes.size(); ++i) layout.inner *= axes[i].in;
  if (changing.size() == 2) layout.rows = axes[first];
  if (!changing.empty()) layout.columns = axes[changing.back()];
  return layout;
}

AxisTaps identity() { return {.taps = 1, .index = {0}, .weight = {1}, .outside = {}}; }

Result<AxisTaps> taps_of(const Attributes& attributes, const ResizeAxis& axis) {
  return axis.changes(attributes) ? axis_taps(attributes, axis) : Result<AxisTaps>(identity());
}

template <typename T>
void pick_row(const T* from, std::span<const int64_t> index, int64_t inner, T* to) {
  if (inner == 1) {
    for (size_t i = 0; i < index.size(); ++i) to[i] = from[index[i]];
    return;
  }
  for (const int64_t at : index) {
    std::memcpy(to, from + at * inner, static_cast<size_t>(inner) * sizeof(T));
    to += inner;
  }
}

template <typename T>
Status nearest(KernelContext& ctx, const Layout& layout, const AxisTaps& rows, const AxisTaps& columns) {
  const T* x = ctx.input(0).data<T>();
  T* y = ctx.output(0).data<T>();
  const int64_t in_row = layout.columns.in * layout.inner, out_row = layout.columns.out * layout.inner;
  const int64_t out_rows = layout.rows.out;
  return parallel_ranges(
      ctx, layout.outer * out_rows, std::max<int64_t>(1, kElementwiseGrain / out_row), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const int64_t at = rows.index[static_cast<size_t>(row % out_rows)];
          T* to = y + row * out_row;
          // A row like the one before is copied from it.
          if (row > begin && row % out_rows > 0 && at == rows.index[static_cast<size_t>(row % out_rows) - 1]) {
            std::memcpy(to, to - out_row, static_cast<size_t>(out_row) * sizeof(T));
            continue;
          }
          const T* from = x + (row / out_rows * layout.rows.in + at) * in_row;
          pick_row(from, columns.index, layout.inner, to);
        }
      });
}

struct FloatTaps {
  int64_t taps, out;
  std::vector<int32_t> index;
  std::vector<float> weight;
};

FloatTaps float_taps(const AxisTaps& table) {
  FloatTaps taps{table.taps, static_cast<int64_t>(table.index.size()) / table.taps, {}, {}};
  taps.index.assign(table.index.begin(), table.index.end());
  taps.weight.assign(table.weight.begin(), table.weight.end());
  return taps;
}

void resample_columns(const float* from, const FloatTaps& taps, int64_t inner, float* to) {
  if (inner == 1 && taps.taps == 2) {
    for (size_t i = 0; i < static_cast<size_t>(taps.out); ++i)
      to[i] = taps.weight[2 * i] * from[taps.index[2 * i]] + taps.weight[2 * i + 1] * from[taps.index[2 * i + 1]];
    return;
  }
  for (int64_t i = 0; i < taps.out; ++i) {
    for (int64_t j = 0; j < inner; ++j) {
      float sum = 0;
      for (auto k = static_cast<size_t>(i * taps.taps); k < static_cast<size_t>((i + 1) * taps.taps); ++k)
        sum += taps.weight[k] * from[taps.index[k] * inner + j];
      *to++ = sum;
    }
  }
}

// A row of the output as the weighted sum of rows.
void blend_rows(const float* const* rows, const float* weights, int64_t taps, int64_t size, float* to) {
  if (taps == 2) {
    const float *a = rows[0], *b = rows[1];
    for (int64_t j = 0; j < size; ++j) to[j] = weights[0] * a[j] + weights[1] * b[j];
    return;
  }
  for (int64_t j = 0; j < size; ++j) to[j] = weights[0] * rows[0][j];
  for (int64_t k = 1; k < taps; ++k)
    for (int64_t j = 0; j < size; ++j) to[j] += weights[k] * rows[k][j];
}

Status interpolate(KernelContext& ctx, const Layout& layout, const FloatTaps& rows, const FloatTaps& columns) {
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const int64_t in_row = layout.columns.in * layout.inner, out_row = columns.out * layout.inner;
  const int64_t in_rows = layout.rows.in, out_rows = rows.out;
  // Bands of output rows; each keeps the last few resampled input rows.
  const int64_t band = std::min(out_rows, std::max<int64_t>(16, kElementwiseGrain / out_row));
  const int64_t bands = (out_rows + band - 1) / band, slots = rows.taps;
  const int64_t planes_together = std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(1, band * out_row));
  return parallel_ranges(ctx, layout.outer * bands, planes_together, [&](int64_t begin, int64_t end) {
    std::vector<float> buffer(static_cast<size_t>(slots * out_row));
    std::vector<int64_t> held(static_cast<size_t>(slots));
    std::vector<const float*> sources(static_cast<size_t>(slots));
    for (int64_t block = begin; block < end; ++block) {
      const int64_t plane = block / bands, first = block % bands * band;
      std::fill(held.begin(), held.end(), -1);
      for (int64_t row = first; row < std::min(first + band, out_rows); ++row) {
        for (int64_t k = 0; k < slots; ++k) {
          // Neighbouring rows take different slots.
          const int64_t at = rows.index[static_cast<size_t>(row * slots + k)], slot = at % slots;
          float* kept = buffer.data() + slot * out_row;
          if (held[static_cast<size_t>(slot)] != at) {
            resample_columns(x + (plane * in_rows + at) * in_row, columns, layout.inner, kept);
            held[static_cast<size_t>(slot)] = at;
          }
          sources[static_cast<size_t>(k)] = kept;
        }
        blend_rows(sources.data(), rows.weight.data() + row * slots, slots, out_row,
                   y + (plane * out_rows + row) * out_row);
      }
    }
  });
}

Verdict takes_neighbours(const NodeFacts& facts) {
  if (facts.attr_string("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize")
    return no("not with tf_crop_and_resize");
  const bool nearest_mode = facts.attr_string("mode", "nearest") == "nearest";
  const int bits = bit_width(facts.dtype(0));
  if (nearest_mode)
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only elements of 1, 2, 4 or 8 bytes");
  return facts.dtype(0) == DType::f32 ? yes() : no("only f32");
}

Status run_resize(KernelContext& ctx) {
  SDX_ASSIGN(const auto axes, resize_axes(ctx.attributes(), ctx.input(0).shape(), resize_inputs(ctx)));
  const auto layout = layout_of(ctx.attributes(), axes);
  if (!layout) return resize_reference(ctx);
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const AxisTaps rows, taps_of(ctx.attributes(), layout->rows));
  SDX_ASSIGN(const AxisTaps columns, taps_of(ctx.attributes(), layout->columns));
  if (ctx.attr_string("mode", "nearest") != "nearest") {
    if (layout->rows.in > INT32_MAX || layout->columns.in > INT32_MAX) return resize_reference(ctx);
    return interpolate(ctx, *layout, float_taps(rows), float_taps(columns));
  }
  switch (bit_width(ctx.input(0).dtype())) {
    case 8: return nearest<uint8_t>(ctx, *layout, rows, columns);
    case 16: return nearest<uint16_t>(ctx, *layout, rows, columns);
    case 32: return nearest<uint32_t>(ctx, *layout, rows, columns);
    default: return nearest<uint64_t>(ctx, *layout, rows, columns);
  }
}

}  // namespace

SDX_CPU_KERNELS(resize, {.name = "resize_neighbours", .can_run = takes_neighbours, .run = run_resize});

}  // namespace sdx::ops
