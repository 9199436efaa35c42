// Convolutions and matrix products between DequantizeLinear and QuantizeLinear become QLinearConv, QLinearMatMul and
// QGemm; a product of dequantized matrices that stays in floats becomes MatMulIntegerToFloat or QGemm. The integer sums
// are exact, and rounded once: a code differs by one at most.
#include <cmath>

#include "base/element.h"
#include "passes/list.h"
#include "passes/quantized.h"

namespace sdx::passes {
namespace {

constexpr int64_t kMostSum = int64_t{1} << 31;  // the integer operators wrap there

class Fusing {
 public:
  explicit Fusing(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()) {}

  void convolution(NodeId id) {
    const Node& node = graph_.node(id);
    const auto x = operand(node, 0), w = operand(node, 1);
    if (!x || !w) return;
    const auto y = codes_after(graph_, node.outputs[0]);
    if (!y) return ctx_.decline(id, "QLinearConv: the output is not quantized, or not only");
    if (!x->for_tensor) return ctx_.decline(id, "QLinearConv: x has more than one scale");
    const Fact& filters = graph_.fact(w->codes);
    if (!filters.has_rank() || !is_along(*w, 0, filters.rank()))
      return ctx_.decline(id, "QLinearConv: the scales of w are not along its filters");
    if (x->type == DType::i8 && w->type == DType::u8) return ctx_.decline(id, "QLinearConv: x is signed, w is not");
    std::vector<ValueId> inputs;
    Rewrite rewrite(ctx_, "Conv between quantizations");
    rewrite.take(id).take(y->node);
    const auto shape = filters.known_shape();
    const int64_t depth = shape && !shape->empty() ? count_range(*shape, 1, shape->size()) : kMostSum;
    ValueId bias = kNoValue;
    if (input_of(node, 2) != kNoValue) {
      const auto b = bias_codes(node.inputs[2], *x, *w);
      if (!b) return ctx_.decline(id, "QLinearConv: the bias is not quantized by the scales of x and w");
      bias = b->codes;
      take_if_alone(rewrite, graph_, *b);
    }
    if (!fits(depth, bias)) return ctx_.decline(id, "QLinearConv: the sums may not fit into 32 bits");
    append(rewrite, inputs, *x);
    append(rewrite, inputs, *w);
    inputs.insert(inputs.end(), {y->scale, zero_of(rewrite, *y)});
    if (bias != kNoValue) inputs.push_back(bias);
    rewrite.become(y->codes, rewrite.add({.op = "QLinearConv", .inputs = inputs, .attributes = node.attributes}));
    rewrite.apply();
  }

  void product(NodeId id) {
    const Node& node = graph_.node(id);
    const auto a = operand(node, 0), b = operand(node, 1);
    if (!a || !b) return;
    const Fact& right = graph_.fact(b->codes);
    if (!a->for_tensor || !right.has_rank() || right.rank() < 2 || !is_along(*b, right.rank() - 1, right.rank()) ||
        (right.rank() > 2 && !b->for_tensor))
      return ctx_.decline(id, "integer product: a has more than one scale, or b's are not along its columns");
    if (a->type == DType::i8 && b->type == DType::u8) return ctx_.decline(id, "integer product: a is signed, b is not");
    const Dim& depth = right.dim(right.rank() - 2);
    if (!depth.is_known() || !fits(depth.known(), kNoValue))
      return ctx_.decline(id, "integer product: the sums may not fit into 32 bits");
    const auto y = codes_after(graph_, node.outputs[0]);
    Rewrite rewrite(ctx_, y ? "MatMul between quantizations" : "MatMul of dequantized matrices");
    rewrite.take(id);
    std::vector<ValueId> inputs;
    if (y) {
      rewrite.take(y->node);
      append(rewrite, inputs, *a);
      append(rewrite, inputs, *b);
      inputs.insert(inputs.end(), {y->scale, zero_of(rewrite, *y)});
      rewrite.become(y->codes, rewrite.add({.op = "QLinearMatMul", .inputs = inputs}));
    } else {
      inputs = {a->codes, b->codes, a->scale, b->scale, zero_of(rewrite, *a), zero_of(rewrite, *b)};
      for (const Codes* codes : {&*a, &*b}) take_if_alone(rewrite, graph_, *codes);
      rewrite.become(node.outputs[0],
                     rewrite.add({.op = "MatMulIntegerToFloat", .domain = kContrib, .inputs = inputs}));
    }
    rewrite.apply();
  }

  void gemm(NodeId id) {
    const Node& node = graph_.node(id);
    const auto a = operand(node, 0), b = operand(node, 1);
    if (!a || !b) return;
    const bool turned = node.attributes.get_int("transB", 0) != 0;
    if (!a->for_tensor || !is_along(*b, turned ? 0 : 1, 2))
      return ctx_.decline(id, "QGemm: a has more than one scale, or b's are not along its columns");
    if (a->type == DType::i8 && b->type == DType::u8) return ctx_.decline(id, "QGemm: a is signed, b is not");
    if (node.attributes.get_int("transA", 0) != 0 || node.attributes.get_float("alpha", 1) != 1 ||
        (input_of(node, 2) != kNoValue && node.attributes.get_float("beta", 1) != 1))
      return ctx_.decline(id, "QGemm: a is transposed, or the product or the bias scaled");
    const auto y = codes_after(graph_, node.outputs[0]);
    Rewrite rewrite(ctx_, y ? "Gemm between quantizations" : "Gemm of dequantized matrices");
    rewrite.take(id);
    ValueId bias = kNoValue;
    if (input_of(node, 2) != kNoValue) {
      const auto c = bias_codes(node.inputs[2], *a, *b);
      if (!c || graph_.fact(c->codes).rank() != 1)
        return ctx_.decline(id, "QGemm: the bias is not quantized by the scales of a and b");
      bias = c->codes;
      take_if_alone(rewrite, graph_, *c);
    }
    const auto shape = graph_.fact(b->codes).known_shape();
    if (!shape || !fits((*shape)[turned ? 1 : 0], bias))
      return ctx_.decline(id, "QGemm: the sums may not fit into 32 bits");
    std::vector<ValueId> inputs;
    append(rewrite, inputs, *a);
    append(rewrite, inputs, *b);
    if (bias != kNoValue || y) inputs.push_back(bias);
    ValueId out = node.outputs[0];
    if (y) {
      rewrite.take(y->node);
      inputs.insert(inputs.end(), {y->scale, zero_of(rewrite, *y)});
      out = y->codes;
    }
    rewrite.become(out, rewrite.add({.op = "QGemm",
                                     .domain = kContrib,
                                     .inputs = inputs,
                                     .attributes = make_attributes({{"transB", int64_t{turned ? 1 : 0}}})}));
    rewrite.apply();
  }

 private:
  std::optional<Codes> operand(const Node& node, size_t i) const {
    const auto codes = codes_behind(graph_, input_of(node, i));
    return codes && is_byte(codes->type) ? codes : std::nullopt;
  }

  void append(Rewrite& rewrite, std::vector<ValueId>& inputs, const Codes& codes) {
    inputs.insert(inputs.end(), {codes.codes, codes.scale, zero_of(rewrite, codes)});
    take_if_alone(rewrite, graph_, codes);
  }

  // A bias of 32 bits by the product of the scales, around 0.
  std::optional<Codes> bias_codes(ValueId value, const Codes& x, const Codes& w) const {
    const auto bias = codes_behind(graph_, value);
    if (!bias || bias->type != DType::i32 || graph_.fact(bias->codes).rank() != 1) return std::nullopt;
    if (bias->zero != kNoValue && uniform_value(graph_, bias->zero) != 0.0) return std::nullopt;
    const Tensor *own = small_weight_of(graph_, bias->scale), *of_x = small_weight_of(graph_, x.scale),
                 *of_w = small_weight_of(graph_, w.scale);
    if (own == nullptr || of_x == nullptr || of_w == nullptr || of_x->count() != 1) return std::nullopt;
    const int64_t count = std::max(own->count(), of_w->count());
    for (int64_t i = 0; i < count; ++i) {
      const double found = load_double(*own, own->count() == 1 ? 0 : i);
      const double wanted = load_double(*of_x, 0) * load_double(*of_w, of_w->count() == 1 ? 0 : i);
      if (!(std::abs(found - wanted) <= 1e-6 * std::abs(wanted))) return std::nullopt;
    }
    return bias;
  }

  // Whether sums of so many products of bytes, and the bias, stay within 32 bits.
  bool fits(int64_t depth, ValueId bias) const {
    if (depth < 0 || depth >= kMostSum / (255 * 255)) return false;
    int64_t most = depth * 255 * 255;
    if (bias == kNoValue) return true;
    const Tensor* weight = small_weight_of(graph_, bias);
    if (weight == nullptr) return false;
    int64_t largest = 0;
    for (int64_t i = 0; i < weight->count(); ++i) largest = std::max(largest, std::abs(load_i64(*weight, i)));
    most += largest;
    return most < kMostSum;
  }

  PassContext& ctx_;
  const Graph& graph_;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  Fusing fusing(ctx);
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (is_op(node, "Conv")) fusing.convolution(id);
    if (is_op(node, "MatMul")) fusing.product(id);
    if (is_op(node, "Gemm")) fusing.gemm(id);
  }
  return {};
}

}  // namespace

constinit const Pass fuse_quantized_products{"fuse_quantized_products", Level::extended, Exactness::codes,
                                             "makes integer operators of products between quantizations", run};

}  // namespace sdx::passes
