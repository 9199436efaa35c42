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
        outside_columns_(runs_of(columns.outside)),
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
    int64_t row = begin % layout_.rows.out, slice = begin / layout_.rows.out;
    for (int64_t i = begin; i < end;) {
      std::byte* to = y + static_cast<size_t>(i) * out_row;
      const int64_t depth = slice % layout_.depth.out, at = rows_.at(row);
      const bool outside = rows_.is_outside(row) || depth_.is_outside(depth);
      int64_t copies = 1;
      while (i + copies < end && row + copies < layout_.rows.out && !outside && rows_.at(row + copies) == at &&
             !rows_.is_outside(row + copies))
        ++copies;
      if (outside) {
        fill(to, out_row);
      } else {
        const int64_t plane = slice / layout_.depth.out * layout_.depth.in + depth_.at(depth);
        pick(x + static_cast<size_t>(plane * layout_.rows.in + at) * in_row, static_cast<size_t>(copies), to, out_row);
      }
      i += copies;
      row += copies;
      if (row == layout_.rows.out) {
        row = 0;
        ++slice;
      }
    }
  }

 private:
  void pick(const std::byte* from, size_t copies, std::byte* to, size_t out_row) const {
    if (shuffles_) {
      table_.pick(table_, from, copies, to);
    } else {
      pick_once(from, to, out_row);
    }
    for (const auto& [begin, end] : outside_columns_)
      for (size_t copy = 0; copy < (shuffles_ ? copies : 1); ++copy)
        fill(to + copy * out_row + static_cast<size_t>(begin) * column_, static_cast<size_t>(end - begin) * column_);
    for (size_t copy = 1; copy < copies && !shuffles_; ++copy) std::memcpy(to + copy * out_row, to, out_row);
  }

  void pick_once(const std::byte* from, std::byte* to, size_t out_row) const {
    if (columns_.identity) {
      std::memcpy(to, from, out_row);
    } else if (layout_.inner == 1) {
      switch (element_) {
        case 1: return pick_elements<uint8_t>(from, columns_.index, to);
        case 2: return pick_elements<uint16_t>(from, columns_.index, to);
        case 4: return pick_elements<uint32_t>(from, columns_.index, to);
        default: return pick_elements<uint64_t>(from, columns_.index, to);
      }
    } else {
      for (const int64_t at : columns_.index) {
        std::memcpy(to, from + static_cast<size_t>(at) * column_, column_);
        to += column_;
      }
    }
  }

  void fill(std::byte* to, size_t bytes) const {
    for (size_t i = 0; i < bytes; i += element_) std::memcpy(to + i, outside_.raw(), element_);
  }

  const ResizeLayout& layout_;
  const Places &depth_, &rows_, &columns_;
  Runs outside_columns_;
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
