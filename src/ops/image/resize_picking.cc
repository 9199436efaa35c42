// Resize of mode nearest for elements of whole bytes: rows are picked from rows, equal ones copied.
#include <algorithm>
#include <cstring>

#include "base/element.h"
#include "ops/elementwise.h"
#include "ops/image/resize.h"
#include "ops/image/resize_pick.h"

namespace sdx::ops {
namespace {

struct Places {
  bool identity = false;
  std::vector<int64_t> index;
  std::vector<bool> outside;

  int64_t at(int64_t i) const { return identity ? i : index[static_cast<size_t>(i)]; }
  bool is_outside(int64_t i) const { return !outside.empty() && outside[static_cast<size_t>(i)]; }
};

Result<Places> places_of(const Attributes& attributes, const ResizeAxis& axis) {
  if (!axis.changes(attributes)) return Places{.identity = true, .index = {}, .outside = {}};
  SDX_ASSIGN(AxisTaps taps, axis_taps(attributes, axis));
  return Places{.identity = false, .index = std::move(taps.index), .outside = std::move(taps.outside)};
}

template <typename T>
void pick_elements(const std::byte* from, const std::vector<int64_t>& index, std::byte* to) {
  const T* x = reinterpret_cast<const T*>(from);
  T* y = reinterpret_cast<T*>(to);
  for (size_t i = 0; i < index.size(); ++i) y[i] = x[index[i]];
}

class Picking {
 public:
  Picking(const ResizeLayout& layout, const Places& depth, const Places& rows, const Places& columns,
          const Tensor& outside)
      : layout_(layout),
        depth_(depth),
        rows_(rows),
        columns_(columns),
        outside_(outside),
        element_(static_cast<size_t>(bit_width(outside.dtype()) / 8)),
        column_(element_ * static_cast<size_t>(layout.inner)) {
    if (!columns.identity && layout.inner == 1 && layout.columns.in <= INT32_MAX / 8)
      shuffles_ = table_.make(columns.index, element_, static_cast<size_t>(layout.columns.in));
  }

  int64_t rows() const { return layout_.outer * layout_.depth.out * layout_.rows.out; }

  void run(const std::byte* x, int64_t begin, int64_t end, std::byte* y) const {
    const size_t in_row = static_cast<size_t>(layout_.columns.in) * column_;
    const size_t out_row = static_cast<size_t>(layout_.columns.out) * column_;
    int64_t last = -1;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i % layout_.rows.out, slice = i / layout_.rows.out;
      const int64_t depth = slice % layout_.depth.out;
      std::byte* to = y + static_cast<size_t>(i) * out_row;
      if (rows_.is_outside(row) || depth_.is_outside(depth)) {
        fill(to, out_row);
        last = -1;
        continue;
      }
      const int64_t plane = slice / layout_.depth.out * layout_.depth.in + depth_.at(depth);
      const int64_t from = plane * layout_.rows.in + rows_.at(row);
      if (from == last) {
        std::memcpy(to, to - out_row, out_row);
      } else {
        pick(x + static_cast<size_t>(from) * in_row, to, out_row);
      }
      last = from;
    }
  }

 private:
  void pick(const std::byte* from, std::byte* to, size_t out_row) const {
    if (columns_.identity) {
      std::memcpy(to, from, out_row);
    } else if (shuffles_) {
      pick_row(table_, from, to);
    } else if (layout_.inner == 1) {
      switch (element_) {
        case 1: pick_elements<uint8_t>(from, columns_.index, to); break;
        case 2: pick_elements<uint16_t>(from, columns_.index, to); break;
        case 4: pick_elements<uint32_t>(from, columns_.index, to); break;
        default: pick_elements<uint64_t>(from, columns_.index, to);
      }
    } else {
      std::byte* column = to;
      for (const int64_t at : columns_.index) {
        std::memcpy(column, from + static_cast<size_t>(at) * column_, column_);
        column += column_;
      }
    }
    if (columns_.outside.empty()) return;
    for (int64_t i = 0; i < layout_.columns.out; ++i)
      if (columns_.is_outside(i)) fill(to + static_cast<size_t>(i) * column_, column_);
  }

  void fill(std::byte* to, size_t bytes) const {
    for (size_t i = 0; i < bytes; i += element_) std::memcpy(to + i, outside_.raw(), element_);
  }

  const ResizeLayout& layout_;
  const Places &depth_, &rows_, &columns_;
  const Tensor& outside_;
  size_t element_, column_;  // bytes
  PickTable table_;
  bool shuffles_ = false;
};

}  // namespace

Status resize_picking(KernelContext& ctx, const ResizeLayout& layout) {
  SDX_ASSIGN(const Places depth, places_of(ctx.attributes(), layout.depth));
  SDX_ASSIGN(const Places rows, places_of(ctx.attributes(), layout.rows));
  SDX_ASSIGN(const Places columns, places_of(ctx.attributes(), layout.columns));
  SDX_ASSIGN(const Tensor outside, resize_extrapolated(ctx));
  const Picking picking(layout, depth, rows, columns, outside);
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(1, layout.out_row()));
  return parallel_ranges(ctx, picking.rows(), grain, [&](int64_t begin, int64_t end) {
    picking.run(ctx.input(0).bytes(), begin, end, ctx.output(0).bytes());
  });
}

}  // namespace sdx::ops
