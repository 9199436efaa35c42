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
        columns_(columns),
        outside_columns_(runs_of(columns.outside)),
        outside_(outside),
        element_(static_cast<size_t>(bit_width(outside.dtype()) / 8)),
        column_(element_ * static_cast<size_t>(layout.inner)) {
    if (!columns.identity && layout.inner == 1 && layout.columns.in <= INT32_MAX / 8)
      shuffles_ = table_.make(columns.index, element_, static_cast<size_t>(layout.columns.in));
    is_whole_ = rows.outside.empty() && columns.outside.empty();
    for (int64_t row = 0; row < layout.rows.out; ++row) {
      const PickedRows next{.from = rows.at(row), .copies = 1, .outside = rows.is_outside(row)};
      if (row > 0 && runs_.back().from == next.from && runs_.back().outside == next.outside) {
        ++runs_.back().copies;
      } else {
        runs_.push_back(next);
        begins_.push_back(row);
      }
    }
  }

  int64_t runs() const { return layout_.outer * layout_.depth.out * static_cast<int64_t>(runs_.size()); }

  void run(const std::byte* x, int64_t begin, int64_t end, std::byte* y) const {
    const size_t in_row = static_cast<size_t>(layout_.columns.in) * column_;
    const size_t out_row = static_cast<size_t>(layout_.columns.out) * column_;
    const auto of_slice = static_cast<int64_t>(runs_.size());
    for (int64_t i = begin; i < end;) {
      const int64_t slice = i / of_slice, first = i % of_slice, last = std::min(of_slice, first + end - i);
      const int64_t depth = slice % layout_.depth.out;
      const int64_t plane = slice / layout_.depth.out * layout_.depth.in + depth_.at(depth);
      const std::byte* from = x + static_cast<size_t>(plane * layout_.rows.in) * in_row;
      std::byte* to = y + static_cast<size_t>(slice * layout_.rows.out + begins_[static_cast<size_t>(first)]) * out_row;
      const std::span<const PickedRows> rows(runs_.data() + first, static_cast<size_t>(last - first));
      if (shuffles_ && is_whole_ && !depth_.is_outside(depth)) {
        table_.pick(table_, rows.data(), rows.size(), from, to);
      } else {
        for (const PickedRows& row : rows) {
          pick(from + static_cast<size_t>(row.from) * in_row, row, depth_.is_outside(depth), to, out_row);
          to += static_cast<size_t>(row.copies) * out_row;
        }
      }
      i += last - first;
    }
  }

 private:
  void pick(const std::byte* from, const PickedRows& row, bool outside, std::byte* to, size_t out_row) const {
    if (outside || row.outside) {
      fill(to, out_row);
    } else {
      pick_once(from, to, out_row);
      for (const auto& [begin, end] : outside_columns_)
        fill(to + static_cast<size_t>(begin) * column_, static_cast<size_t>(end - begin) * column_);
    }
    for (int64_t copy = 1; copy < row.copies; ++copy)
      std::memcpy(to + static_cast<size_t>(copy) * out_row, to, out_row);
  }

  void pick_once(const std::byte* from, std::byte* to, size_t out_row) const {
    if (columns_.identity) {
      std::memcpy(to, from, out_row);
    } else if (shuffles_) {
      const PickedRows one;
      table_.pick(table_, &one, 1, from, to);
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
  const Places &depth_, &columns_;
  Runs outside_columns_;
  const Tensor& outside_;
  size_t element_, column_;  // bytes
  PickTable table_;
  bool shuffles_ = false, is_whole_ = true;
  std::vector<PickedRows> runs_;  // of a slice
  std::vector<int64_t> begins_;   // their first output rows
};

}  // namespace

Status resize_picking(KernelContext& ctx, const ResizeLayout& layout) {
  SDX_ASSIGN(const Places depth, places_of(ctx.attributes(), layout.depth));
  SDX_ASSIGN(const Places rows, places_of(ctx.attributes(), layout.rows));
  SDX_ASSIGN(const Places columns, places_of(ctx.attributes(), layout.columns));
  SDX_ASSIGN(const Tensor outside, resize_extrapolated(ctx));
  const Picking picking(layout, depth, rows, columns, outside);
  const int64_t rows_of_run = layout.outer * layout.depth.out * layout.rows.out / picking.runs();
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(1, rows_of_run * layout.out_row()));
  return parallel_ranges(ctx, picking.runs(), grain, [&](int64_t begin, int64_t end) {
    picking.run(ctx.input(0).bytes(), begin, end, ctx.output(0).bytes());
  });
}

}  // namespace sdx::ops
