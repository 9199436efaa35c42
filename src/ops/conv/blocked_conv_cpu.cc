// BlockedConv for float32 with constant weights.
#include "kernel/weight_parts.h"
#include "ops/conv/blocked_depthwise.h"
#include "ops/conv/blocked_grouped.h"
#include "ops/conv/blocked_winograd.h"

namespace sdx::ops {
namespace {

Verdict takes_weights(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32) return no("only f32");
  const auto w = facts.input(1).known_shape();
  if (facts.constant(1) == nullptr || !w) return no("the weights are not constant");
  if (w->size() < 3 || w->size() > 5) return no("only one to three spatial axes");
  if (count_of(*w) == 0) return no("no weights");
  return yes();
}

// Of blocked channels in their order.
Verdict takes_halves(const NodeFacts& facts) {
  if (facts.dtype(1) == DType::f32) return facts.has_input(4) ? no("a factor for weights of float32") : yes();
  if (facts.dtype(1) != DType::f16) return no("weights of another type than float16");
  if (facts.has_input(4) && facts.constant(4) == nullptr) return no("the factor is not constant");
  if (has_plain_input(facts.attributes())) return no("weights of float16 for channels that are not blocked");
  return yes();
}

// What a kernel takes besides weights of float32, and channels in order.
enum Takes : uint8_t { nothing_else, halves, any_order };

template <Verdict (*kCanRun)(const NodeFacts&), Takes kTakes>
Verdict with_weights(const NodeFacts& facts) {
  if (Verdict weights = takes_weights(facts); !weights) return weights;
  if (kTakes != halves && (facts.dtype(1) != DType::f32 || facts.has_input(4))) return no("weights of float16");
  if (Verdict verdict = takes_halves(facts); !verdict) return verdict;
  if (kTakes != any_order && facts.attributes().has("input_order")) return no("channels in another order");
  return kCanRun(facts);
}

Result<std::unique_ptr<KernelState>> prepare_direct(const NodeFacts& facts) {
  auto state = std::make_unique<BlockedWeights>();
  SDX_TRY(pack_blocked_weights(facts, has_plain_input(facts.attributes()) ? 1 : kChannelBlock, *state));
  return std::unique_ptr<KernelState>(std::move(state));
}

}  // namespace

SDX_CPU_KERNELS(blocked_conv,
                {.name = "blocked_conv_depthwise_f32",
                 .can_run = with_weights<can_run_depthwise, nothing_else>,
                 .prepare = prepare_depthwise,
                 .run = run_depthwise,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = depthwise_scratch,
                 .packed_bytes = depthwise_bytes},
                {.name = "blocked_conv_winograd_f32",
                 .can_run = with_weights<can_run_winograd, halves>,
                 .prepare = prepare_winograd,
                 .run = run_winograd,
                 .packs_inputs = input_bit(1) | in_parts(1),
                 .scratch_bytes = winograd_scratch,
                 .packed_bytes = blocked_weights_bytes},
                {.name = "blocked_conv_grouped_f32",
                 .can_run = with_weights<can_run_grouped, any_order>,
                 .prepare = prepare_grouped,
                 .run = run_grouped,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = grouped_scratch,
                 .packed_bytes = grouped_bytes},
                {.name = "blocked_conv_f32",
                 .can_run = with_weights<can_run_direct, halves>,
                 .prepare = prepare_direct,
                 .run = run_direct,
                 .packs_inputs = input_bit(1) | in_parts(1),
                 .scratch_bytes = direct_scratch,
                 .packed_bytes = blocked_weights_bytes});

}  // namespace sdx::ops
