// Two nodes in a row that are one: casts of which the first loses nothing, transposes, reshapings.
#include <algorithm>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// The numbers of a type: integers of `digits` bits times powers of two.
struct Range {
  int digits = 0;
  int lowest = 0, highest = 0;  // powers of two of the smallest step and of the largest number
  bool negative = true;
};

std::optional<Range> range_of(DType type) {
  switch (type) {
    case DType::boolean: return Range{1, 0, 1, false};
    case DType::u8: return Range{8, 0, 8, false};
    case DType::i8: return Range{7, 0, 7, true};
    case DType::u16: return Range{16, 0, 16, false};
    case DType::i16: return Range{15, 0, 15, true};
    case DType::u32: return Range{32, 0, 32, false};
    case DType::i32: return Range{31, 0, 31, true};
    case DType::u64: return Range{64, 0, 64, false};
    case DType::i64: return Range{63, 0, 63, true};
    case DType::f16: return Range{11, -24, 16, true};
    case DType::bf16: return Range{8, -133, 128, true};
    case DType::f32: return Range{24, -149, 128, true};
    case DType::f64: return Range{53, -1074, 1024, true};
    default: return std::nullopt;
  }
}

// Every number of `from` is one of `to`.
bool loses_nothing(DType from, DType to) {
  const auto a = range_of(from), b = range_of(to);
  if (!a || !b || to == DType::boolean) return from == to;
  if (is_floating(from) && !is_floating(to)) return false;
  return a->digits <= b->digits && a->lowest >= b->lowest && a->highest <= b->highest && (b->negative || !a->negative);
}

void merge_casts(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& outer = graph.node(id);
  const Node* inner = made_by(graph, outer.inputs[0], "Cast");
  if (inner == nullptr) return;
  const ValueId x = inner->inputs[0], y = outer.outputs[0];
  const DType from = graph.fact(x).dtype, between = graph.fact(outer.inputs[0]).dtype, to = graph.fact(y).dtype;
  if (to == DType::string && from != between)
    return ctx.decline(id, formatted("Cast + Cast: as text, {} has other digits than {}", name(from), name(between)));
  if (from == DType::undefined || !loses_nothing(from, between)) {
    ctx.decline(id, formatted("Cast + Cast: {} to {} may lose digits", name(from), name(between)));
    return;
  }
  Rewrite rewrite(ctx, "Cast + Cast");
  rewrite.take(id);
  if (from == to) {
    rewrite.forward(y, x);
  } else {
    rewrite.become(y, rewrite.add({.op = "Cast", .inputs = {x}, .attributes = outer.attributes}));
  }
  rewrite.apply();
}

void merge_transposes(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& outer = graph.node(id);
  const Node* inner = made_by(graph, outer.inputs[0], "Transpose");
  const Fact& x = inner == nullptr ? graph.fact(outer.inputs[0]) : graph.fact(inner->inputs[0]);
  if (inner == nullptr || !x.has_rank()) return;
  const auto perm_of = [&](const Node& node) {
    const auto given = node.attributes.get_ints("perm");
    std::vector<int64_t> perm(given.begin(), given.end());
    for (int axis = x.rank(); perm.size() < static_cast<size_t>(x.rank());) perm.push_back(--axis);
    return perm;
  };
  const std::vector<int64_t> first = perm_of(*inner), second = perm_of(outer);
  std::vector<int64_t> both;
  both.reserve(second.size());
  for (const int64_t axis : second) both.push_back(first[static_cast<size_t>(axis)]);
  const ValueId y = outer.outputs[0];
  Rewrite rewrite(ctx, "Transpose + Transpose");
  rewrite.take(id);
  if (std::ranges::is_sorted(both)) {
    rewrite.forward(y, inner->inputs[0]);
  } else {
    rewrite.become(
        y, rewrite.add(
               {.op = "Transpose", .inputs = {inner->inputs[0]}, .attributes = make_attributes({{"perm", both}})}));
  }
  rewrite.apply();
}

// The shape as Reshape takes it, one dimension at most left to be found; nullopt where that cannot say it.
std::optional<std::vector<int64_t>> target_of(const Fact& fact) {
  if (!fact.has_rank()) return std::nullopt;
  std::vector<int64_t> target;
  bool open = false;
  for (const Dim& dim : *fact.shape) {
    if (dim.is(0) || (!dim.is_known() && open)) return std::nullopt;
    open = open || !dim.is_known();
    target.push_back(dim.is_known() ? dim.known() : -1);
  }
  return target;
}

void merge_reshapings(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& outer = graph.node(id);
  const NodeId before = producer_of(graph, outer.inputs[0]);
  if (before == kNoNode || !is_reshaping(graph.node(before))) return;
  const ValueId x = graph.node(before).inputs[0], y = outer.outputs[0];
  const auto target = target_of(graph.fact(y));
  if (!target) return ctx.decline(id, "Reshape + Reshape: more than one dimension is not known");
  Rewrite rewrite(ctx, formatted("{} + {}", graph.node(before).op, outer.op));
  rewrite.take(id);
  const ValueId to = rewrite.numbers("shape", *target);
  rewrite.become(y, rewrite.add({.op = "Reshape", .inputs = {x, to}}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (is_op(node, "Cast")) {
      merge_casts(ctx, id);
    } else if (is_op(node, "Transpose")) {
      merge_transposes(ctx, id);
    } else if (is_reshaping(node)) {
      merge_reshapings(ctx, id);
    }
  }
  return {};
}

}  // namespace

constinit const Pass merge_chains{"merge_chains", Level::basic, Exactness::bits,
                                  "makes one of two casts, transposes or reshapings in a row", run};

}  // namespace sdx::passes
