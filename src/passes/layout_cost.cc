#include "passes/layout_cost.h"

#include <algorithm>

#include "ops/conv/blocked_conv.h"
#include "ops/conv/row_conv.h"
#include "passes/patterns.h"

namespace sdx::passes {
namespace {

constexpr int64_t kGuessedSize = 256;  // of a spatial axis that is a symbol
constexpr int64_t kMostPositions = 1 << 26;
constexpr int64_t kMostChannels = 1 << 20;  // what is estimated stays far from overflow, whatever a model declares
constexpr double kNodeNs = 500;             // to start a node
constexpr double kReorderBytesPerNs = 15;
constexpr double kMapBytesPerNs = 20;
constexpr double kPassBytesPerNs = 60;  // over what a plain convolution has made, for a sum
// Operations a nanosecond: products of panels that are made first, of few and of many elements a filter, and blocked;
// depthwise. Windows that do not overlap are panels as they lie: the same as blocked. So are those of one element, in
// whole panels of positions, or, where these are few, of filters.
constexpr double kPlainFew = 90, kPlain = 125, kPlainMany = 150, kPlainPoints = 185, kBlocked = 200;
constexpr int64_t kFewPositions = 64, kPanelPositions = 32;
constexpr int64_t kEndDepth = 4;  // storing a panel's sums takes as long as so many products
constexpr int64_t kFew = 64, kMany = 1024;
constexpr double kPlainDepthwise = 15, kBlockedDepthwise = 45;
constexpr double kRowsOfOneFilter = 50, kRows = 190;  // along rows: one filter; as many as go together
constexpr double kWeightBytesPerNs = 20;              // where a weight is used once

int64_t whole_ns(double ns) { return static_cast<int64_t>(std::clamp(ns, -1e15, 1e15)); }

// A stride is the kernel's size, or both are 1: no element of x is in two windows.
bool has_apart_windows(const Node& node, const Shape& w) {
  const auto strides = node.attributes.get_ints("strides");
  for (size_t axis = 0; axis + 2 < w.size(); ++axis)
    if (w[axis + 2] != (axis < strides.size() ? strides[axis] : 1)) return false;
  return true;
}

// Lanes that groups of filters take: the blocks that each touches; blocks of two groups at most are made once.
int64_t lanes_of(int64_t outputs, int64_t groups) {
  const int64_t filters = outputs / std::max<int64_t>(1, groups);
  if (filters >= ops::kChannelBlock) return ops::channel_blocks(outputs) * ops::kChannelBlock;
  int64_t blocks = 0;
  for (int64_t group = 0; group < groups; ++group)
    blocks += ops::channel_blocks((group + 1) * filters) - group * filters / ops::kChannelBlock;
  return blocks * ops::kChannelBlock;
}

int64_t channels_of(const Fact& fact) { return std::min(fact.dim(1).known(), kMostChannels); }

}  // namespace

int64_t LayoutCost::guess(const Dim& dim) const {
  if (dim.is_known()) return std::clamp<int64_t>(dim.known(), 0, kMostPositions);
  const auto value = graph_.symbols().evaluate(dim, [](AtomId) -> std::optional<int64_t> { return kGuessedSize; });
  return std::clamp<int64_t>(value.value_or(kGuessedSize), 1, 1 << 16);
}

int64_t LayoutCost::positions(ValueId value) const {
  int64_t count = 1;
  const Fact& fact = graph_.fact(value);
  for (int axis = 2; axis < fact.rank(); ++axis) count = std::min(kMostPositions, count * guess(fact.dim(axis)));
  return count;
}

int64_t LayoutCost::bytes(ValueId value) const {
  const Fact& fact = graph_.fact(value);
  return positions(value) * channels_of(fact) * bit_width(fact.dtype) / 8;
}

int64_t LayoutCost::blocked_bytes(ValueId value) const {
  const Fact& fact = graph_.fact(value);
  const int64_t channels = ops::channel_blocks(channels_of(fact)) * ops::kChannelBlock;
  return positions(value) * channels * bit_width(fact.dtype) / 8;
}

bool LayoutCost::is_reshape(ValueId value) const {
  const Fact& fact = graph_.fact(value);
  return fact.dim(1).known() % ops::kChannelBlock == 0 &&
         std::all_of(fact.shape->begin() + 2, fact.shape->end(), [](const Dim& dim) { return dim.is(1); });
}

int64_t LayoutCost::reorder(ValueId value) const {
  if (is_reshape(value)) return 100;
  const auto both = static_cast<double>(bytes(value) + blocked_bytes(value));
  return whole_ns(kNodeNs + both / kReorderBytesPerNs);
}

// Operations a nanosecond of a plain convolution.
double LayoutCost::plain_rate(const Node& node, bool is_depthwise) const {
  if (is_depthwise) return kPlainDepthwise;
  if (!ops::suits_rows(NodeFacts(node, input_facts(graph_, node)))) {
    const Shape w = *graph_.fact(node.inputs[1]).known_shape();
    const int64_t depth = count_range(w, 1, w.size());
    if (has_apart_windows(node, w)) {
      const int64_t at = positions(node.outputs[0]);
      if (count_range(w, 2, w.size()) > 1) return kBlocked;
      if (at <= kFewPositions && node.attributes.get_int("group", 1) == 1) return kBlocked;
      const int64_t panels = (at + kPanelPositions - 1) / kPanelPositions;
      const double filled = static_cast<double>(at) / static_cast<double>(panels * kPanelPositions);
      return kPlainPoints * filled * static_cast<double>(depth) / static_cast<double>(depth + kEndDepth);
    }
    return depth < kFew ? kPlainFew : depth < kMany ? kPlain : kPlainMany;
  }
  const int64_t filters = graph_.fact(node.inputs[1]).dim(0).known() / node.attributes.get_int("group", 1);
  return std::min(kRows, kRowsOfOneFilter * static_cast<double>(filters));
}

int64_t LayoutCost::convolution_gain(const Node& node) const {
  const Fact &w = graph_.fact(node.inputs[1]), &y = graph_.fact(node.outputs[0]);
  const auto shape = w.known_shape();
  if (!shape || w.rank() < 3) return 0;
  const int64_t outputs = (*shape)[0], depth = (*shape)[1], taps = count_range(*shape, 2, shape->size());
  const auto at = static_cast<double>(positions(node.outputs[0]));
  const double weights = static_cast<double>(outputs) * static_cast<double>(depth) * static_cast<double>(taps);
  const double operations = 2.0 * at * weights;
  const int64_t groups = node.attributes.get_int("group", 1);
  const bool is_depthwise = depth == 1 && groups > 1;
  const double padded = static_cast<double>(lanes_of(outputs, is_depthwise ? 1 : groups)) /
                        static_cast<double>(std::max<int64_t>(1, outputs));
  const double once = 4 * weights / kWeightBytesPerNs;
  const bool has_sum = node.inputs.size() > 3 && node.inputs[3] != kNoValue;
  const double sum = has_sum ? static_cast<double>(bytes(node.outputs[0])) / kPassBytesPerNs : 0;
  const double plain = std::max(operations / plain_rate(node, is_depthwise), once) + sum;
  const double blocked = std::max(operations * padded / (is_depthwise ? kBlockedDepthwise : kBlocked), once);
  const double written = static_cast<double>(blocked_bytes(node.outputs[0]) - bytes(node.outputs[0]));
  return whole_ns(plain - blocked - written / kMapBytesPerNs) + (y.dim(1).is(1) ? 0 : 1);
}

int64_t LayoutCost::up_convolution_gain(const Node& node) const {
  const auto shape = graph_.fact(node.inputs[1]).known_shape();
  if (!shape) return 0;
  const double operations =
      2.0 * static_cast<double>(positions(node.inputs[0])) * static_cast<double>(count_of(*shape));
  const double padded = static_cast<double>(ops::channel_blocks((*shape)[1]) * ops::kChannelBlock) /
                        static_cast<double>(std::max<int64_t>(1, (*shape)[1]));
  const double copied = 2.0 * static_cast<double>(blocked_bytes(node.outputs[0])) / kMapBytesPerNs;
  return whole_ns(operations / kPlain - operations * padded / kBlocked - copied);
}

int64_t LayoutCost::gain(const Node& node, const BlockedForm& form) const {
  if (form.is_convolution()) return convolution_gain(node);
  if (form.kind == BlockedForm::Kind::up_convolution) return up_convolution_gain(node);
  int64_t wasted = 0;  // bytes of empty lanes
  for (const ValueId output : node.outputs)
    if (output != kNoValue && !form.gives_plain()) wasted += blocked_bytes(output) - bytes(output);
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (form.operands[i] == Operand::blocked) wasted += blocked_bytes(node.inputs[i]) - bytes(node.inputs[i]);
  const int64_t lost = whole_ns(static_cast<double>(wasted) / kMapBytesPerNs);
  if (form.kind == BlockedForm::Kind::pool) return bytes(node.outputs[0]) / 8 - lost + 1;  // windows of whole vectors
  return 1 - lost;                                                                         // of equals, blocked
}

}  // namespace sdx::passes
