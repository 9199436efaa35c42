#include "passes/quantized.h"

#include "base/element.h"

namespace sdx::passes {
namespace {

bool is_one(const Graph& graph, ValueId value) {
  const auto shape = graph.fact(value).known_shape();
  return shape && count_of(*shape) == 1;
}

DType type_of(const Graph& graph, ValueId value) { return graph.fact(value).dtype; }

}  // namespace

bool is_byte(DType type) { return type == DType::u8 || type == DType::i8; }

std::optional<Codes> codes_behind(const Graph& graph, ValueId floats) {
  const Node* node = made_by(graph, floats, "DequantizeLinear");
  if (node == nullptr || type_of(graph, floats) != DType::f32 || node->attributes.get_int("block_size", 0) != 0)
    return std::nullopt;
  Codes codes{.node = producer_of(graph, floats),
              .codes = node->inputs[0],
              .scale = node->inputs[1],
              .zero = input_of(*node, 2),
              .type = type_of(graph, node->inputs[0]),
              .axis = node->attributes.get_int("axis", 1)};
  if (!is_byte(codes.type) && codes.type != DType::i32) return std::nullopt;
  if (type_of(graph, codes.scale) != DType::f32) return std::nullopt;
  codes.for_tensor = is_one(graph, codes.scale);
  return codes;
}

std::optional<Codes> codes_after(const Graph& graph, ValueId floats) {
  const NodeId id = only_user(graph, floats);
  if (id == kNoNode || !is_op(graph.node(id), "QuantizeLinear")) return std::nullopt;
  const Node& node = graph.node(id);
  Codes codes{.node = id,
              .codes = node.outputs[0],
              .scale = node.inputs[1],
              .zero = input_of(node, 2),
              .type = type_of(graph, node.outputs[0]),
              .axis = node.attributes.get_int("axis", 1),
              .for_tensor = is_one(graph, node.inputs[1])};
  const int64_t precision = node.attributes.get_int("precision", 0);
  if (node.inputs[0] != floats || !codes.for_tensor || !is_byte(codes.type) || (precision != 0 && precision != 1) ||
      type_of(graph, floats) != DType::f32 || type_of(graph, codes.scale) != DType::f32 ||
      node.attributes.get_int("block_size", 0) != 0)
    return std::nullopt;
  return codes;
}

bool same_weight(const Graph& graph, ValueId a, ValueId b) {
  if (a == b) return true;
  const Tensor *x = small_weight_of(graph, a), *y = small_weight_of(graph, b);
  if (x == nullptr || y == nullptr || x->dtype() != y->dtype() || x->count() != y->count()) return false;
  for (int64_t i = 0; i < x->count(); ++i)
    if (load_double(*x, i) != load_double(*y, i)) return false;
  return true;
}

bool same_codes(const Graph& graph, const Codes& a, const Codes& b) {
  const auto zero_is_zero = [&](const Codes& codes) {
    return codes.zero == kNoValue || uniform_value(graph, codes.zero) == 0.0;
  };
  const bool same_zero = a.zero != kNoValue && b.zero != kNoValue ? same_weight(graph, a.zero, b.zero)
                                                                  : zero_is_zero(a) && zero_is_zero(b);
  return a.type == b.type && a.for_tensor && b.for_tensor && same_zero && same_weight(graph, a.scale, b.scale);
}

ValueId zero_of(Rewrite& rewrite, const Codes& codes) {
  if (codes.zero != kNoValue) return codes.zero;
  auto made = Tensor::allocate(codes.type, Shape{});
  if (!made.ok()) return kNoValue;
  store_i64(*made, 0, 0);
  return rewrite.constant("zero_point", std::move(made).value());
}

bool is_along(const Codes& codes, int64_t axis, int64_t rank) {
  return codes.for_tensor || codes.axis == axis || codes.axis == axis - rank;
}

void take_if_alone(Rewrite& rewrite, const Graph& graph, const Codes& codes) {
  if (has_one_use(graph, graph.node(codes.node).outputs[0])) rewrite.take(codes.node);
}

}  // namespace sdx::passes
