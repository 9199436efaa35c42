// Products by a weight of 2, 4 or 8-bit codes with scales in blocks along the depth become MatMulNBits, which
// multiplies the codes; also a bias behind one. The floats that it makes of a code are those of DequantizeLinear. So do
// large weights with a scale a column, or one for all, that no other operator took as codes: where the rows are few or
// of unknown number, memory is what they wait for; and some would be too large as floats.
#include <algorithm>
#include <cstring>

#include "base/element.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// A matrix [depth, columns] of the model, or [columns, depth], in blocks along its depth.
struct BlockedWeight {
  NodeId node = kNoNode, turn = kNoNode;  // the DequantizeLinear, a Transpose behind it
  Tensor codes, scales, zeros;            // no zeros: undefined
  DType type = DType::undefined;          // of the codes
  bool by_column = false;                 // [columns, depth]
  int64_t depth = 0, columns = 0, block = 0;
  enum class Scales : uint8_t { by_block, by_column, one } scaled = Scales::by_block;

  int bits() const { return bit_width(type); }
  int64_t blocks() const { return (depth + block - 1) / block; }
  int64_t index(int64_t column, int64_t k, int64_t length) const {
    return by_column ? column * length + k : k * columns + column;
  }
  // Of a scale or zero point.
  int64_t parameter(int64_t column, int64_t part) const {
    return scaled == Scales::one ? 0 : scaled == Scales::by_column ? column : index(column, part, blocks());
  }
  // MatMulNBits' codes are unsigned, and its zero point 2^(bits - 1) where it has none.
  int64_t offset() const { return is_signed_integer(type) ? int64_t{1} << (bits() - 1) : 0; }
};

enum class Part : uint8_t { codes, scales, zeros };

Shape shape_of(const BlockedWeight& w, Part part) {
  if (part == Part::codes) return {w.columns, w.blocks(), w.block * w.bits() / 8};
  if (part == Part::scales) return {w.columns, w.blocks()};
  return {w.columns, (w.blocks() * w.bits() + 7) / 8};
}

// Unsigned codes [length] a column, each column at a byte's start; `at`: where they are.
template <typename At>
void pack_codes(const BlockedWeight& w, const Tensor& from, int64_t length, int64_t column_bytes, uint8_t* to, At at) {
  const auto mask = (uint32_t{1} << w.bits()) - 1;
  for (int64_t column = 0; column < w.columns; ++column)
    for (int64_t k = 0; k < length; ++k) {
      const auto code = static_cast<uint32_t>(load_i64(from, at(column, k)) + w.offset());
      store_packed(w.bits(), to + column * column_bytes, k, code & mask);
    }
}

Result<Tensor> make_part(const BlockedWeight& w, Part part, const Tensor* from) {
  SDX_ASSIGN(Tensor made, Tensor::allocate(part == Part::scales ? DType::f32 : DType::u8, shape_of(w, part)));
  std::memset(made.raw(), 0, made.byte_size());
  const auto parameter = [&](int64_t column, int64_t k) { return w.parameter(column, k); };
  if (part == Part::scales) {
    for (int64_t column = 0; column < w.columns; ++column)
      for (int64_t k = 0; k < w.blocks(); ++k)
        store_double(made, column * w.blocks() + k, load_double(*from, parameter(column, k)));
  } else if (from != nullptr) {
    const int64_t bytes = made.count() / w.columns;
    if (part == Part::zeros) {
      pack_codes(w, *from, w.blocks(), bytes, made.data<uint8_t>(), parameter);
    } else {
      pack_codes(w, *from, w.depth, bytes, made.data<uint8_t>(),
                 [&](int64_t column, int64_t k) { return w.index(column, k, w.depth); });
    }
  }
  return made;
}

enum class Blocks : uint8_t { given, whole_columns };

class Fusing {
 public:
  Fusing(PassContext& ctx, Blocks blocks) : ctx_(ctx), graph_(ctx.graph()), blocks_(blocks) {}

  void product(NodeId id) {
    const Node& node = graph_.node(id);
    const bool is_gemm = is_op(node, "Gemm");
    const auto weight = weight_behind(id, node.inputs[1], is_gemm && node.attributes.get_int("transB", 0) != 0);
    if (!weight) return;
    if (is_gemm && (node.attributes.get_int("transA", 0) != 0 || node.attributes.get_float("alpha", 1) != 1))
      return ctx_.decline(id, "MatMulNBits: a is transposed, or the product scaled");
    ValueId bias = input_of(node, 2);
    if (bias != kNoValue && (node.attributes.get_float("beta", 1) != 1 || !is_bias(bias, weight->columns)))
      return ctx_.decline(id, "MatMulNBits: the bias is scaled, or not along the columns");
    Rewrite rewrite(ctx_, formatted("{} of {}-bit codes", node.op, weight->bits()));
    rewrite.take(id);
    if (weight->turn != kNoNode && has_one_use(graph_, node.inputs[1])) rewrite.take(weight->turn);
    if (has_one_use(graph_, graph_.node(weight->node).outputs[0]) &&
        (weight->turn == kNoNode || has_one_use(graph_, node.inputs[1])))
      rewrite.take(weight->node);
    std::vector<ValueId> inputs = {node.inputs[0]};
    for (const Part part : {Part::codes, Part::scales, Part::zeros}) {
      // Signed codes without zero points are MatMulNBits' default.
      if (part == Part::zeros && !weight->zeros.defined() && weight->offset() != 0) {
        inputs.push_back(kNoValue);
        continue;
      }
      auto made = part_of(*weight, part);
      if (!made.ok()) return ctx_.decline(id, made.status().message());
      constexpr std::string_view kNames[] = {"codes", "scales", "zero_points"};
      inputs.push_back(
          rewrite.constant(formatted("{}_{}", graph_.node(weight->node).name, kNames[static_cast<size_t>(part)]),
                           std::move(made).value()));
    }
    if (bias != kNoValue) inputs.insert(inputs.end(), {kNoValue, bias});
    while (inputs.back() == kNoValue) inputs.pop_back();
    rewrite.become(node.outputs[0], rewrite.add({.op = "MatMulNBits",
                                                 .domain = kContrib,
                                                 .inputs = inputs,
                                                 .attributes = make_attributes({{"K", weight->depth},
                                                                                {"N", weight->columns},
                                                                                {"bits", int64_t{weight->bits()}},
                                                                                {"block_size", weight->block}})}));
    rewrite.apply();
  }

  void take_bias(NodeId id) {
    const Node& node = graph_.node(id);
    const ValueId y = node.outputs[0];
    const NodeId user = only_user(graph_, y);
    if (user == kNoNode || !is_op(graph_.node(user), "Add") || input_of(node, 5) != kNoValue) return;
    if (graph_.fact(y).dtype != DType::f32 || !graph_.fact(y).has_rank()) return;
    const Node& add = graph_.node(user);
    const ValueId bias = add.inputs[add.inputs[0] == y ? 1 : 0];
    if (!is_bias(bias, node.attributes.get_int("N", 0))) return;
    Rewrite rewrite(ctx_, "MatMulNBits + Add");
    rewrite.take(id).take(user);
    std::vector<ValueId> inputs = node.inputs;
    inputs.resize(5, kNoValue);
    inputs.push_back(bias);
    rewrite.become(
        add.outputs[0],
        rewrite.add({.op = "MatMulNBits", .domain = kContrib, .inputs = inputs, .attributes = node.attributes}));
    rewrite.apply();
  }

 private:
  bool is_bias(ValueId value, int64_t columns) const {
    const Tensor* bias = weight_of(graph_, value);
    return bias != nullptr && bias->dtype() == DType::f32 && bias->rank() == 1 && bias->dim(0) == columns;
  }

  // `turned`: the product transposes the value itself.
  std::optional<BlockedWeight> weight_behind(NodeId product, ValueId value, bool turned) {
    BlockedWeight weight;
    if (const Node* transpose = made_by(graph_, value, "Transpose")) {
      const auto perm = transpose->attributes.get_ints("perm");
      if (graph_.fact(value).rank() != 2 || (perm.size() == 2 && perm[0] == 0)) return std::nullopt;
      weight.turn = producer_of(graph_, value);
      value = transpose->inputs[0];
      turned = !turned;
    }
    const Node* node = made_by(graph_, value, "DequantizeLinear");
    if (node == nullptr) return std::nullopt;
    weight.node = producer_of(graph_, value);
    weight.block = node->attributes.get_int("block_size", 0);
    if ((weight.block == 0) != (blocks_ == Blocks::whole_columns)) return std::nullopt;
    const Tensor *codes = weight_of(graph_, node->inputs[0]), *scales = weight_of(graph_, node->inputs[1]),
                 *zeros = weight_of(graph_, input_of(*node, 2));
    const auto declined = [&](std::string_view reason) {
      ctx_.decline(product, formatted("MatMulNBits: {}", reason));
      return std::nullopt;
    };
    if (codes == nullptr || scales == nullptr || (input_of(*node, 2) != kNoValue && zeros == nullptr))
      return declined("the codes, scales or zero points are no weights");
    constexpr DTypeSet kCodes = set_of(DType::i8, DType::u8, DType::i4, DType::u4, DType::i2, DType::u2);
    if (!contains(kCodes, codes->dtype())) return declined("the codes are no integers of 2, 4 or 8 bits");
    if (scales->dtype() != DType::f32 || graph_.fact(value).dtype != DType::f32)
      return declined("the scales or the floats are not f32");
    if (codes->rank() != 2) return declined("the weight is no matrix");
    const int64_t axis = node->attributes.get_int("axis", 1), along = axis < 0 ? axis + 2 : axis;
    weight.type = codes->dtype();
    weight.by_column = turned;
    weight.depth = codes->dim(turned ? 1 : 0);
    weight.columns = codes->dim(turned ? 0 : 1);
    if (weight.depth == 0 || weight.columns == 0) return declined("the weight is empty");
    const std::string_view refusal = blocks_ == Blocks::given ? take_blocks(weight, along, scales, zeros)
                                                              : take_columns(weight, product, along, scales, zeros);
    if (!refusal.empty()) return declined(refusal);
    weight.codes = *codes, weight.scales = *scales;
    if (zeros != nullptr) weight.zeros = *zeros;
    return weight;
  }

  // These return why not.
  std::string_view take_blocks(const BlockedWeight& w, int64_t axis, const Tensor* scales, const Tensor* zeros) const {
    if (axis != (w.by_column ? 1 : 0)) return "the blocks are not along the depth of a matrix";
    if (w.block < 16 || w.block > 256 || (w.block & (w.block - 1)) != 0)
      return "the length of a block is no power of two from 16 to 256";
    const int64_t wanted[] = {w.by_column ? w.columns : w.blocks(), w.by_column ? w.blocks() : w.columns};
    for (const Tensor* tensor : {scales, zeros})
      if (tensor != nullptr && !std::ranges::equal(tensor->shape(), wanted)) return "the scales are others";
    return {};
  }
  std::string_view take_columns(BlockedWeight& w, NodeId product, int64_t axis, const Tensor* scales,
                                const Tensor* zeros) const {
    constexpr int64_t kLeastWeights = int64_t{1} << 18, kFewRows = 6, kBlock = 256, kLeastBlock = 16;
    using Scales = BlockedWeight::Scales;
    const int64_t bits = bit_width(w.type);
    if (w.depth < kLeastBlock || w.columns * w.depth < kLeastWeights) return "the weight is small";
    w.scaled = scales->count() == 1 ? Scales::one : Scales::by_column;
    if (w.scaled == Scales::by_column &&
        (axis != (w.by_column ? 0 : 1) || scales->rank() != 1 || scales->dim(0) != w.columns))
      return "the scales are not along the columns";
    if (zeros != nullptr && zeros->count() != scales->count()) return "the zero points are others";
    const Fact& a = graph_.fact(graph_.node(product).inputs[0]);
    if (!a.has_rank() || a.rank() < 2) return "the other operand is no matrix";
    const auto code_bytes = static_cast<size_t>(w.columns * w.depth * bits / 8);
    const bool is_huge = code_bytes * static_cast<size_t>(32 / bits) > code_bytes + kMaxLazyGrowth;
    if (!is_huge && rows_of(a, kFewRows + 1) > kFewRows) return "so many rows are faster with floats";
    w.block = kBlock;
    while (w.block / 2 >= w.depth) w.block /= 2;
    return {};
  }
  // At most `most`; 1 where the number is not known.
  static int64_t rows_of(const Fact& a, int64_t most) {
    int64_t rows = 1;
    for (int axis = 0; axis + 1 < a.rank(); ++axis) {
      if (!a.dim(axis).is_known()) return 1;
      rows = std::min(rows * std::min(a.dim(axis).known(), most), most);
    }
    return rows;
  }

  // Made now where it is small, else when it is read.
  Result<Tensor> part_of(const BlockedWeight& weight, Part part) {
    const Tensor& from = part == Part::codes ? weight.codes : part == Part::scales ? weight.scales : weight.zeros;
    const DType type = part == Part::scales ? DType::f32 : DType::u8;
    if (!from.defined() || !LazyWeights::takes(type, shape_of(weight, part))) {
      if (!from.defined()) return make_part(weight, part, nullptr);
      SDX_ASSIGN(const Tensor content, ctx_.weights().content(from));
      return make_part(weight, part, &content);
    }
    BlockedWeight form = weight;
    form.codes = form.scales = form.zeros = {};  // the recipe's sources have them
    auto recipe = std::make_shared<Recipe>();
    recipe->text = formatted("MatMulNBits part {} of {} codes {}x{} by {}{}, scales {}", static_cast<int>(part),
                             name(weight.type), weight.depth, weight.columns, weight.block,
                             weight.by_column ? " a column a row" : "", static_cast<int>(weight.scaled));
    recipe->sources = {ctx_.weights().source(from)};
    recipe->make = [form, part](std::span<const Tensor> sources) { return make_part(form, part, &sources[0]); };
    return ctx_.weights().add(std::move(recipe), type, shape_of(weight, part));
  }

  PassContext& ctx_;
  const Graph& graph_;
  const Blocks blocks_;
};

Status fuse(PassContext& ctx, Blocks blocks) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  Fusing fusing(ctx, blocks);
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (is_op(node, "MatMul") || is_op(node, "Gemm")) fusing.product(id);
  }
  SDX_ASSIGN(const std::vector<NodeId> after, ctx.order());
  for (const NodeId id : after)
    if (is_op(ctx.graph().node(id), "MatMulNBits", kContrib)) fusing.take_bias(id);
  return {};
}

Status run(PassContext& ctx) { return fuse(ctx, Blocks::given); }
Status run_whole_columns(PassContext& ctx) { return fuse(ctx, Blocks::whole_columns); }

}  // namespace

constinit const Pass fuse_nbits{"fuse_nbits", Level::extended, Exactness::rounding,
                                "multiplies by the codes of weights that are dequantized in blocks", run};
constinit const Pass keep_codes{"keep_codes", Level::layout, Exactness::rounding,
                                "multiplies few rows by the codes of large weights", run_whole_columns};

}  // namespace sdx::passes
