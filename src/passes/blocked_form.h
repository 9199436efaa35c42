// How a node looks over blocked tensors (ops/conv/blocked_conv.h): which operators can, what becomes of their operands,
// and the node that takes their place.
#pragma once

#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {

// A tensor that may be blocked: of a short float, with a known number of channels on axis 1.
bool is_blockable(const Graph& graph, ValueId value);
Fact blocked_fact(const Graph& graph, ValueId value);

enum class Operand : uint8_t {
  as_is,            // nothing along channels or spatial axes; or not a tensor that blocks touch
  blocked,          // has the channels on axis 1
  trailing,         // one number for all channels: gets an axis of 1 at the end
  channel_weight,   // a small weight along the channels: blocked ahead
  trailing_weight,  // a weight that is `trailing`
};

struct BlockedForm {
  enum class Kind : uint8_t {
    convolution,
    plain_convolution,  // reads x as it is
    elementwise,
    normalization,
    pool,
    reduction,
    global_pool,
    concat,
    gather,  // channels of all inputs in another order, or such that do not lie in whole blocks
    split,
    slice,
    pad,
    resize,
    up_convolution,  // transposed, whose windows do not overlap: as many 1x1 convolutions as the kernel has elements
    turn_last,       // Transpose of channels to the last axis: a reorder does it, and gives a plain value
    turn_first       // Transpose of channels from the last axis
  } kind = Kind::elementwise;
  std::vector<Operand> operands;  // one an input of the node
  bool is_convolution() const { return kind == Kind::convolution || kind == Kind::plain_convolution; }
  bool gives_plain() const { return kind == Kind::turn_last; }
};

// What a node of kind `gather` makes of the channels of its inputs, counted one after another: output by output.
std::vector<std::vector<int64_t>> gathered_channels(const Graph& graph, const Node& node);

// Nullopt, with the reason, where the node has none.
std::optional<BlockedForm> blocked_form(const Graph& graph, const Node& node, std::string_view& reason);

// Adds the nodes to the rewrite; gives the first output. `inputs`: the node's, those that are `blocked` in that form.
Result<ValueId> add_blocked(PassContext& ctx, Rewrite& rewrite, const Node& node, const BlockedForm& form,
                            std::vector<ValueId> inputs);

}  // namespace sdx::passes
