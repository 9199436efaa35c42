#include "ops/pool/row_pool.h"

#include "ops/pool/row_tasks.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMostOuterTaps = 4096;  // of a window along all axes but the innermost
constexpr int64_t kMostPlanes = 64;       // of a block

// An axis of one element that windows do not span is none.
bool is_nothing(const Windows& w, size_t axis) {
  return w.in[axis] == 1 && w.out[axis] == 1 && w.kernel[axis] == 1 && w.begin[axis] == 0;
}

void keep_axes(Windows& w, size_t count) {
  for (Shape* list : {&w.in, &w.out, &w.kernel, &w.strides, &w.dilations, &w.begin, &w.end}) list->resize(count);
}

}  // namespace

PoolLines::PoolLines(const PoolSizes& sizes, size_t element_bytes) : planes_(sizes.planes), w_(sizes.windows) {
  while (w_.axes() > 1 && is_nothing(w_, w_.axes() - 1)) keep_axes(w_, w_.axes() - 1);
  outer_ = w_;
  keep_axes(outer_, w_.axes() - 1);
  lines_ = count_of(outer_.out);
  const int64_t stride = w_.strides.back(), span = (w_.kernel.back() - 1) * w_.dilations.back() + 1;
  steps_ = out_width() + std::max<int64_t>(0, (span - 1) / stride);
  const int64_t room = kRowBlockBytes / static_cast<int64_t>(element_bytes);
  block_.planes = block_.lines = 1;
  if (planes_ == 0 || lines_ == 0 || out_width() == 0) {
    tiles_ = 0;
    return;
  }
  block_.columns = std::max<int64_t>(1, room / stride);
  if (pitch() <= room) {
    block_.columns = out_width();
    block_.lines = std::clamp<int64_t>(room / std::max<int64_t>(1, pitch()), 1, lines_);
    if (block_.lines == lines_)
      block_.planes = std::clamp<int64_t>(room / (pitch() * lines_), 1, std::min(planes_, kMostPlanes));
  }
  line_blocks_ = (lines_ + block_.lines - 1) / block_.lines;
  tiles_ = (out_width() + block_.columns - 1) / block_.columns;
}

PoolLines::Block PoolLines::block(int64_t index) const {
  const int64_t groups = (planes_ + block_.planes - 1) / block_.planes;
  Block block{.plane = index % groups * block_.planes,
              .planes = block_.planes,
              .line = index / groups / tiles_ * block_.lines,
              .lines = block_.lines,
              .column = index / groups % tiles_ * block_.columns,
              .columns = block_.columns};
  block.planes = std::min(block.planes, planes_ - block.plane);
  block.lines = std::min(block.lines, lines_ - block.line);
  block.columns = std::min(block.columns, out_width() - block.column);
  return block;
}

int64_t PoolLines::block_work() const {
  const int64_t columns = block_.columns * (w_.kernel.back() + w_.strides.back() * count_of(outer_.kernel));
  return block_.planes * block_.lines * (columns + 32);
}

Shape PoolLines::position(int64_t line) const {
  Shape position(outer_.axes());
  for (size_t axis = outer_.axes(); axis-- > 0;) {
    position[axis] = line % outer_.out[axis];
    line /= outer_.out[axis];
  }
  return position;
}

void PoolLines::reach(int64_t line, int64_t lines, Reached& reached) const {
  reached.offsets.clear();
  reached.starts.assign(1, 0);
  for (int64_t i = line; i < line + lines; ++i) {
    for_each_in_window(outer_, position(i), [&](int64_t, int64_t from) { reached.offsets.push_back(from * width()); });
    reached.starts.push_back(static_cast<int64_t>(reached.offsets.size()));
  }
}

Verdict can_run_row_pool(const NodeFacts& facts) {
  const auto kernel = facts.attr_ints("kernel_shape");
  if (kernel.empty()) return no("no spatial axes");
  const auto windows = read_windows(facts.attributes(), kernel.size(), {});
  if (!windows.ok()) return no(windows.status().message());
  int64_t outer_taps = 1;
  for (size_t axis = 0; axis < kernel.size(); ++axis) {
    if (std::max({kernel[axis], windows->dilations[axis], windows->strides[axis]}) > PoolLines::kLargest ||
        windows->span(axis) > PoolLines::kLargest)
      return no("windows are too large");
    outer_taps *= axis + 1 < kernel.size() ? kernel[axis] : 1;
    if (outer_taps > kMostOuterTaps) return no("windows are too large");
  }
  return yes();
}

int64_t row_pool_span(const Attributes& attributes) {
  const auto kernel = attributes.get_ints("kernel_shape"), dilations = attributes.get_ints("dilations");
  int64_t span = 1;
  for (size_t i = 0; i < kernel.size(); ++i)
    span = std::max(span, (kernel[i] - 1) * (i < dilations.size() ? dilations[i] : 1) + 1);
  return span;
}

template Dim row_pool_scratch<float>(const ScratchFacts&);
template Dim row_pool_scratch<double>(const ScratchFacts&);
template Dim row_pool_scratch<uint8_t>(const ScratchFacts&);
template Status run_row_pool(KernelContext&, const PoolLines&, const RowSteps<float>&, const RowEnds<float>&);
template Status run_row_pool(KernelContext&, const PoolLines&, const RowSteps<double>&, const RowEnds<double>&);
template Status run_row_pool(KernelContext&, const PoolLines&, const RowSteps<uint8_t>&, const RowEnds<uint8_t>&);

}  // namespace sdx::ops
