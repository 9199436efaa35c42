// A product of an operand that was transposed ahead: the product reads it the other way round instead, where that
// spares the transpose. Its kernels read either way equally fast.
#include <algorithm>
#include <array>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// How a product reads an operand: its batch brought in front of the first dimension, then the matrix transposed.
struct Reading {
  bool transposed = false, batch_transposed = false;
};

using Axes = std::vector<int64_t>;

// The axes of an operand in the order batch, rows, columns.
Axes axes_of(const Reading& reading, size_t rank) {
  Axes axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<int64_t>(i);
  if (reading.batch_transposed && rank > 2) std::rotate(axes.begin(), axes.begin() + 1, axes.end() - 1);
  if (reading.transposed && rank > 1) std::swap(axes[rank - 1], axes[rank - 2]);
  return axes;
}

// Of FusedMatMul, MatMul or Gemm, whose attributes have the same names.
Reading reading_of(const Node& product, size_t operand) {
  const bool first = operand == 0;
  return {.transposed = product.attributes.get_int(first ? "transA" : "transB", 0) != 0,
          .batch_transposed = product.attributes.get_int(first ? "transBatchA" : "transBatchB", 0) != 0};
}

void set_reading(Attributes& attributes, const Reading& reading, size_t operand) {
  const auto set = [&](std::string_view name, bool value) {
    attributes.remove(name);
    if (value) attributes.set(std::string(name), int64_t{1});
  };
  set(operand == 0 ? "transA" : "transB", reading.transposed);
  set(operand == 0 ? "transBatchA" : "transBatchB", reading.batch_transposed);
}

Axes perm_of(const Node& transpose, size_t rank) {
  const auto given = transpose.attributes.get_ints("perm");
  Axes perm(given.begin(), given.end());
  if (!transpose.attributes.has("perm"))
    for (size_t i = rank; i-- > 0;) perm.push_back(static_cast<int64_t>(i));
  return perm;
}

class Turning {
 public:
  Turning(PassContext& ctx, NodeId transpose) : ctx_(ctx), graph_(ctx.graph()), transpose_(transpose) {}

  void run() {
    const Node& node = graph_.node(transpose_);
    turned_ = node.outputs[0];
    x_ = node.inputs[0];
    const Fact& fact = graph_.fact(x_);
    if (!fact.has_rank() || fact.rank() < 2) return;
    perm_ = perm_of(node, static_cast<size_t>(fact.rank()));
    std::vector<NodeId> products = graph_.value(turned_).users;
    std::ranges::sort(products);
    products.erase(std::ranges::unique(products).begin(), products.end());
    if (std::ranges::none_of(products, [&](NodeId id) { return is_product(graph_.node(id)); })) return;
    if (graph_.is_output(turned_)) return decline("its result is an output");
    for (const NodeId id : products)
      if (!can_turn(graph_.node(id))) return;
    for (const NodeId id : products)
      if (!turn(id, id == products.back())) return;
  }

 private:
  static bool is_product(const Node& node) {
    return is_op(node, "MatMul") || is_op(node, "Gemm") || is_op(node, "FusedMatMul", kContrib);
  }

  void decline(std::string_view reason) const {
    ctx_.decline(transpose_, formatted("Transpose + product: {}", reason));
  }

  bool can_turn(const Node& node) const {
    const bool is_user = std::ranges::find(node.inputs, turned_) != node.inputs.end();
    if (!is_user || !is_product(node) || input_of(node, 2) == turned_) {
      decline("others want the transpose too");
      return false;
    }
    if (!is_op(node, "Gemm") && graph_.fact(turned_).dtype != DType::f32) {
      decline("only products of float32 read an operand the other way round");
      return false;
    }
    for (const size_t operand : {size_t{0}, size_t{1}})
      if (node.inputs[operand] == turned_ && !turned_reading(node, operand)) {
        decline("it does more than exchange rows and columns");
        return false;
      }
    return true;
  }

  // The reading of x that is the present one of its transpose.
  std::optional<Reading> turned_reading(const Node& node, size_t operand) const {
    const size_t rank = perm_.size();
    Axes wanted = axes_of(reading_of(node, operand), rank);
    for (int64_t& axis : wanted) axis = perm_[static_cast<size_t>(axis)];
    for (const Reading reading : {Reading{}, Reading{.transposed = true}})
      if (axes_of(reading, rank) == wanted) return reading;
    if (is_op(node, "Gemm") || !has_same_rank(node)) return std::nullopt;
    for (const Reading reading : {Reading{.batch_transposed = true}, Reading{true, true}})
      if (axes_of(reading, rank) == wanted) return reading;
    return std::nullopt;
  }

  bool has_same_rank(const Node& node) const {
    const Fact &a = graph_.fact(node.inputs[0]), &b = graph_.fact(node.inputs[1]);
    return a.has_rank() && b.has_rank() && a.rank() == b.rank();
  }

  bool turn(NodeId id, bool is_last) {
    const Node& node = graph_.node(id);
    Rewrite rewrite(ctx_, formatted("Transpose + {}", node.op));
    rewrite.take(id);
    if (is_last) rewrite.take(transpose_);
    std::vector<ValueId> inputs = node.inputs;
    Attributes attributes = node.attributes;
    for (const size_t operand : {size_t{0}, size_t{1}}) {
      if (inputs[operand] != turned_) continue;
      set_reading(attributes, *turned_reading(node, operand), operand);
      inputs[operand] = x_;
    }
    const bool is_gemm = is_op(node, "Gemm");
    rewrite.become(node.outputs[0], rewrite.add({.op = is_gemm ? "Gemm" : "FusedMatMul",
                                                 .domain = is_gemm ? std::string_view() : kContrib,
                                                 .inputs = inputs,
                                                 .attributes = attributes}));
    return rewrite.apply();
  }

  PassContext& ctx_;
  const Graph& graph_;
  const NodeId transpose_;
  ValueId turned_ = kNoValue, x_ = kNoValue;
  Axes perm_;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "Transpose")) Turning(ctx, id).run();
  return {};
}

}  // namespace

constinit const Pass turn_products{"turn_products", Level::extended, Exactness::bits,
                                   "lets products read an operand the other way round instead of its transpose", run};

}  // namespace sdx::passes
