// Resize that interpolates: some output rows at a time, blended from input rows and along the columns, in the order
// that gives less to do. Columns of few elements are blended sixteen rows at once, with the rows turned into lanes.
#include <algorithm>
#include <memory>
#include <type_traits>

#include "base/element.h"
#include "ops/elementwise.h"
#include "ops/half.h"
#include "ops/image/resize.h"
#include "ops/image/resize_blend.h"
#include "ops/layout/turn_blocks.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMostTogether = kResizeLanes;  // rows
constexpr int64_t kLeastTogether = 4;
constexpr int64_t kNearFloats = 1 << 15;

// Output rows that are made together, and the input rows where those go along the columns first; counted over all
// planes.
struct Band {
  int64_t begin = 0, end = 0, from = 0, from_end = 0;
};

struct Rows {
  int64_t in = 0, out = 0;
  const ResizeTaps& taps;

  // The least and one more than the greatest input row of an output row.
  std::pair<int64_t, int64_t> range(int64_t row) const {
    const int64_t plane = row / out * in, own = row % out;
    if (taps.identity) return {plane + own, plane + own + 1};
    int32_t low = INT32_MAX, high = -1;
    for (size_t k = taps.first(own); k < taps.end(own); ++k) {
      low = std::min(low, taps.index[k]);
      high = std::max(high, taps.index[k]);
    }
    return high < 0 ? std::pair(plane, plane) : std::pair(plane + low, plane + high + 1);
  }
};

std::vector<Band> cut_rows(int64_t total, int64_t together) {
  std::vector<Band> bands;
  for (int64_t row = 0; row < total; row += together)
    bands.push_back({.begin = row, .end = std::min(row + together, total)});
  return bands;
}

// Bands whose input rows are few enough to go along the columns together; none where one output row needs too many.
std::vector<Band> cut_inputs(const Rows& rows, int64_t total, int64_t together) {
  std::vector<Band> bands;
  for (int64_t row = 0; row < total; ++row) {
    const auto [low, high] = rows.range(row);
    if (high - low > together) return {};
    if (!bands.empty()) {
      Band& last = bands.back();
      const int64_t from = std::min(last.from, low), from_end = std::max(last.from_end, high);
      if (from_end - from <= together) {
        last = {last.begin, row + 1, from, from_end};
        continue;
      }
    }
    bands.push_back({row, row + 1, low, high});
  }
  return bands;
}

template <typename T>  // what it computes in
class Interpolation {
 public:
  Interpolation(KernelContext& ctx, const ResizeLayout& layout, const ResizeTaps& depth, const ResizeTaps& rows,
                const ResizeTaps& columns)
      : layout_(layout),
        depth_(depth),
        rows_{layout.rows.in, layout.rows.out, rows},
        columns_(columns),
        outside_columns_(runs_of(columns.outside)),
        type_(ctx.input(0).dtype()),
        element_(static_cast<size_t>(bit_width(type_) / 8)),
        integer_(integer_rows(type_)),
        row_weights_(rows.weight.begin(), rows.weight.end()),
        column_weights_(columns.weight.begin(), columns.weight.end()),
        depth_weights_(depth.weight.begin(), depth.weight.end()),
        rounds_(ctx.attr_int("antialias", 0) != 0),
        extrapolated_(ctx.attr_float("extrapolation_value", 0)),
        x_(ctx.input(0).bytes()),
        y_(ctx.output(0).bytes()) {
    column_table_ = {columns.begin.data(), columns.index.data(), column_weights_.data(),
                     static_cast<size_t>(layout.columns.out), static_cast<size_t>(layout.inner)};
    if (columns_lie())
      together_ = std::clamp(kNearFloats / std::max(layout.in_row(), layout.out_row()), kLeastTogether, kMostTogether);
    const int64_t total = (has_depth() ? 1 : layout.outer) * layout.rows.out;
    if (!rows.identity && !columns.identity && layout.rows.in < layout.rows.out)
      bands_ = cut_inputs(rows_, total, together_);
    columns_first_ = !bands_.empty();
    if (!columns_first_) bands_ = cut_rows(total, together_);
    held_rows_ = std::max({together_, rows.most(), depth.most()});
  }

  Status run(KernelContext& ctx) const {
    const auto floats = static_cast<size_t>(part_sizes().total());
    if (!has_depth()) {
      const auto count = static_cast<int64_t>(bands_.size());
      const int64_t band = std::max<int64_t>(1, layout_.outer * rows_.out * layout_.out_row() / count);
      return parallel_ranges(ctx, count, std::max<int64_t>(1, kElementwiseGrain / band),
                             [&](int64_t begin, int64_t end) {
                               const auto memory = std::make_unique_for_overwrite<T[]>(floats);
                               const Source source = source_of(x_, memory.get());
                               for (int64_t i = begin; i < end; ++i)
                                 make(bands_[static_cast<size_t>(i)], source, y_, memory.get());
                             });
    }
    const int64_t out_slice = rows_.out * layout_.out_row();
    const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(1, out_slice));
    return parallel_ranges(ctx, layout_.outer * layout_.depth.out, grain, [&](int64_t begin, int64_t end) {
      const auto memory = std::make_unique_for_overwrite<T[]>(floats);
      for (int64_t i = begin; i < end; ++i) {
        const Source slice = blended_slice(i, memory.get());
        std::byte* to = y_ + static_cast<size_t>(i * out_slice) * element_;
        for (const Band& band : bands_) make(band, slice, to, memory.get());
        if (depth_.is_outside(i % layout_.depth.out)) extrapolate(to, out_slice, memory.get());
      }
    });
  }

 private:
  bool has_depth() const { return !depth_.identity; }
  bool is_wide() const { return type_ == (std::is_same_v<T, float> ? DType::f32 : DType::f64); }
  bool columns_lie() const { return columns_.identity || layout_.inner >= ResizeLayout::kWideColumn; }

  // What a thread works in, in floats.
  struct Parts {
    int64_t slice, rows, mixed, lanes, made, out_lanes, total_;
    int64_t total() const { return total_; }
  };
  Parts part_sizes() const {
    const int64_t in = rounded(layout_.in_row()), out = rounded(layout_.out_row());
    Parts p{};
    const int64_t slice = has_depth() ? rounded(rows_.in * layout_.in_row()) : 0;
    p.slice = 0;
    p.rows = p.slice + slice;
    p.mixed = p.rows + (is_wide() ? 0 : held_rows_ * in);
    p.lanes = p.mixed + together_ * std::max(in, out);
    p.made = p.lanes + (columns_lie() ? 0 : kMostTogether * in);
    p.out_lanes = p.made + together_ * out;
    p.total_ = p.out_lanes + (columns_lie() ? 0 : kMostTogether * out);
    return p;
  }
  static int64_t rounded(int64_t count) { return (count + 15) / 16 * 16; }

  // Input rows: floats as they lie, or elements to be widened into `kept` (row i in slot i % slots).
  struct Source {
    const T* wide = nullptr;
    const std::byte* narrow = nullptr;
    T* kept = nullptr;
    mutable std::vector<int64_t> held;
  };
  Source source_of(const std::byte* x, T* memory) const {
    if (is_wide()) return {.wide = reinterpret_cast<const T*>(x), .narrow = nullptr, .kept = nullptr, .held = {}};
    return {.wide = nullptr,
            .narrow = x,
            .kept = memory + part_sizes().rows,
            .held = std::vector<int64_t>(static_cast<size_t>(held_rows_), -1)};
  }
  const T* input_row(const Source& source, int64_t row) const {
    const int64_t size = layout_.in_row();
    if (source.wide != nullptr) return source.wide + row * size;
    const size_t slot = static_cast<size_t>(row) % source.held.size();
    T* kept = source.kept + static_cast<int64_t>(slot) * size;
    if (source.held[slot] != row) {
      widen(source.narrow + static_cast<size_t>(row * size) * element_, kept, static_cast<size_t>(size));
      source.held[slot] = row;
    }
    return kept;
  }

  void widen(const std::byte* from, T* to, size_t count) const {
    if constexpr (std::is_same_v<T, float>) {
      half_to_f32(type_, from, to, count);
    } else {
      integer_.widen(from, to, count);
    }
  }
  void narrow(const T* from, std::byte* to, size_t count) const {
    if constexpr (std::is_same_v<T, float>) {
      f32_to_half(type_, from, to, count);
    } else {
      integer_.narrow(from, rounds_, to, count);
    }
  }

  // Slice i of the output before its rows and columns.
  Source blended_slice(int64_t i, T* memory) const {
    const int64_t plane = i / layout_.depth.out * layout_.depth.in, own = i % layout_.depth.out;
    const auto size = static_cast<size_t>(layout_.in_row());
    const size_t first = depth_.first(own), count = depth_.end(own) - first;
    T *slice = memory + part_sizes().slice, *widened = memory + part_sizes().rows;
    std::vector<const T*> sources(count);
    for (int64_t row = 0; row < rows_.in; ++row) {
      for (size_t k = 0; k < count; ++k) {
        const size_t from = static_cast<size_t>((plane + depth_.index[first + k]) * rows_.in + row) * size;
        sources[k] = is_wide() ? reinterpret_cast<const T*>(x_) + from : widened + k * size;
        if (!is_wide()) widen(x_ + from * element_, widened + k * size, size);
      }
      blend_.rows(sources.data(), depth_weights_.data() + first, count, size, slice + static_cast<size_t>(row) * size);
    }
    return {.wide = slice, .narrow = nullptr, .kept = nullptr, .held = {}};
  }

  // y: output row 0.
  void make(const Band& band, const Source& source, std::byte* y, T* memory) const {
    const Parts parts = part_sizes();
    const int64_t count = band.end - band.begin, size = layout_.out_row();
    std::byte* to = y + static_cast<size_t>(band.begin * size) * element_;
    T *mixed = memory + parts.mixed, *made = memory + parts.made;
    T* direct = is_wide() ? reinterpret_cast<T*>(to) : nullptr;
    if (columns_first_) {
      along_columns(gathered(source, band.from, band.from_end, mixed), band.from_end - band.from, made, memory);
      for (int64_t i = 0; i < count; ++i) {
        T* row = direct != nullptr ? direct + i * size : mixed;
        blend_row(band.begin + i, size, row, [&](int64_t from) { return made + (from - band.from) * size; });
        end_row(band.begin + i, row, to + static_cast<size_t>(i * size) * element_);
      }
      return;
    }
    const T* rows = mixed;
    if (rows_.taps.identity) {
      rows = gathered(source, band.begin, band.end, mixed);
    } else {
      const int64_t in = layout_.in_row();
      T* blended = columns_.identity && direct != nullptr ? direct : mixed;
      for (int64_t i = 0; i < count; ++i)
        blend_row(band.begin + i, in, blended + i * in, [&](int64_t from) { return input_row(source, from); });
      rows = blended;
    }
    T* out = direct != nullptr ? direct : made;
    if (rows != out) along_columns(rows, count, out, memory);
    for (int64_t i = 0; i < count; ++i)
      end_row(band.begin + i, out + i * size, to + static_cast<size_t>(i * size) * element_);
  }

  // Input rows [begin, end) one after another.
  const T* gathered(const Source& source, int64_t begin, int64_t end, T* to) const {
    const int64_t size = layout_.in_row();
    if (source.wide != nullptr) return source.wide + begin * size;
    widen(source.narrow + static_cast<size_t>(begin * size) * element_, to, static_cast<size_t>((end - begin) * size));
    return to;
  }

  template <typename Input>
  void blend_row(int64_t row, int64_t size, T* to, Input input) const {
    const int64_t plane = row / rows_.out * rows_.in, own = row % rows_.out;
    const ResizeTaps& taps = rows_.taps;
    const size_t first = taps.first(own), count = taps.end(own) - first;
    const T* few[16];
    std::vector<const T*> many(count > 16 ? count : 0);
    const T** rows = count > 16 ? many.data() : few;
    for (size_t k = 0; k < count; ++k) rows[k] = input(plane + taps.index[first + k]);
    blend_.rows(rows, row_weights_.data() + first, count, static_cast<size_t>(size), to);
  }

  void along_columns(const T* rows, int64_t count, T* to, T* memory) const {
    const int64_t in = layout_.in_row(), out = layout_.out_row();
    if (columns_.identity) {
      std::copy_n(rows, count * in, to);
      return;
    }
    if (columns_lie()) {
      for (int64_t i = 0; i < count; ++i) blend_.columns(rows + i * in, column_table_, to + i * out);
      return;
    }
    const Parts parts = part_sizes();
    T *lanes = memory + parts.lanes, *out_lanes = memory + parts.out_lanes;
    BlendColumns<T> table = column_table_;
    table.size *= kResizeLanes;
    if constexpr (std::is_same_v<T, float>) {
      const TurnBlocks<float> turn = turn_blocks_f32();
      turn.to_lanes(rows, {.rows = count, .row_step = in, .positions = in}, lanes);
      blend_.columns(lanes, table, out_lanes);
      turn.to_rows(out_lanes, {.rows = count, .row_step = out, .positions = out}, to);
    } else {
      const TurnDoubles turn = turn_doubles();
      turn.to_lanes(rows, static_cast<size_t>(count), static_cast<size_t>(in), lanes);
      blend_.columns(lanes, table, out_lanes);
      turn.to_rows(out_lanes, static_cast<size_t>(count), static_cast<size_t>(out), to);
    }
  }

  // What lies outside, and the output's type.
  void end_row(int64_t row, T* made, std::byte* to) const {
    const int64_t size = layout_.out_row();
    if (rows_.taps.is_outside(row % rows_.out)) {
      std::fill_n(made, size, extrapolated_);
    } else {
      for (const auto& [begin, end] : outside_columns_)
        std::fill(made + begin * layout_.inner, made + end * layout_.inner, extrapolated_);
    }
    if (!is_wide()) narrow(made, to, static_cast<size_t>(size));
  }
  void extrapolate(std::byte* to, int64_t count, T* memory) const {
    const int64_t size = layout_.out_row();
    T* made = memory + part_sizes().made;
    std::fill_n(made, size, extrapolated_);
    for (int64_t i = 0; i < count; i += size) {
      std::byte* row = to + static_cast<size_t>(i) * element_;
      if (is_wide()) {
        std::copy_n(made, size, reinterpret_cast<T*>(row));
      } else {
        narrow(made, row, static_cast<size_t>(size));
      }
    }
  }

  const ResizeLayout& layout_;
  const ResizeTaps& depth_;
  Rows rows_;
  const ResizeTaps& columns_;
  Runs outside_columns_;
  DType type_;
  size_t element_;
  IntegerRows integer_;
  std::vector<T> row_weights_, column_weights_, depth_weights_;
  bool rounds_;
  T extrapolated_;
  const std::byte* x_;
  std::byte* y_;
  BlendColumns<T> column_table_;
  std::vector<Band> bands_;
  bool columns_first_ = false;
  int64_t together_ = kMostTogether, held_rows_ = 1;
  const ResizeBlend<T> blend_ = resize_blend<T>();
};

}  // namespace

Status resize_interpolating(KernelContext& ctx, const ResizeLayout& layout) {
  for (const ResizeAxis* axis : {&layout.depth, &layout.rows, &layout.columns})
    if (axis->in > INT32_MAX && axis->changes(ctx.attributes())) return resize_reference(ctx);
  SDX_ASSIGN(const ResizeTaps depth, resize_taps(ctx.attributes(), layout.depth));
  SDX_ASSIGN(const ResizeTaps rows, resize_taps(ctx.attributes(), layout.rows));
  SDX_ASSIGN(const ResizeTaps columns, resize_taps(ctx.attributes(), layout.columns));
  const DType type = ctx.input(0).dtype();
  if (type == DType::f32 || is_half(type)) return Interpolation<float>(ctx, layout, depth, rows, columns).run(ctx);
  return Interpolation<double>(ctx, layout, depth, rows, columns).run(ctx);
}

}  // namespace sdx::ops
