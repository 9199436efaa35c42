#include "ops/image/resize_layout.h"

namespace sdx::ops {

std::optional<ResizeLayout> resize_layout(const Attributes& attributes, std::span<const ResizeAxis> axes) {
  SmallVector<size_t, 4> changing;
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i].changes(attributes)) changing.push_back(i);
  ResizeLayout layout;
  if (changing.empty()) {
    for (const ResizeAxis& axis : axes) layout.inner *= axis.in;
    return layout;
  }
  const size_t first = changing.front(), last = changing.back();
  if (last - first > 2) return std::nullopt;
  for (size_t i = 0; i < first; ++i) layout.outer *= axes[i].in;
  for (size_t i = last + 1; i < axes.size(); ++i) layout.inner *= axes[i].in;
  layout.columns = axes[last];
  if (last > first) {
    layout.rows = axes[last - 1];
  } else if (layout.inner < ResizeLayout::kWideColumn) {
    layout.rows.in = layout.rows.out = layout.outer;
    layout.outer = 1;
  } else {
    layout.rows = layout.columns;
    layout.columns = {.in = layout.inner, .out = layout.inner};
    layout.inner = 1;
  }
  if (last - first == 2) layout.depth = axes[first];
  return layout;
}

Runs runs_of(const std::vector<bool>& positions) {
  Runs runs;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (!positions[i]) continue;
    const auto at = static_cast<int64_t>(i);
    if (runs.empty() || runs.back().second != at) runs.emplace_back(at, at);
    runs.back().second = at + 1;
  }
  return runs;
}

int64_t ResizeTaps::most() const {
  int32_t most = 1;
  for (size_t i = 1; i < begin.size(); ++i) most = std::max(most, begin[i] - begin[i - 1]);
  return most;
}

Result<ResizeTaps> resize_taps(const Attributes& attributes, const ResizeAxis& axis) {
  ResizeTaps taps;
  taps.identity = !axis.changes(attributes);
  if (taps.identity) return taps;
  SDX_ASSIGN(AxisTaps table, axis_taps(attributes, axis));
  taps.outside = std::move(table.outside);
  taps.index.reserve(table.index.size());
  taps.weight.reserve(table.index.size());
  taps.begin.push_back(0);
  for (size_t i = 0; i < table.index.size();) {
    for (const size_t end = i + static_cast<size_t>(table.taps); i < end; ++i) {
      if (table.weight[i] == 0) continue;
      taps.index.push_back(static_cast<int32_t>(table.index[i]));
      taps.weight.push_back(table.weight[i]);
    }
    taps.begin.push_back(static_cast<int32_t>(taps.index.size()));
  }
  return taps;
}

}  // namespace sdx::ops
