// An Einsum of one or two operands without diagonals becomes what it says: transposes, a product of matrices (or an
// elementwise one, where no letter that both have is summed), and sums. Products are made before they are summed, as
// the equation has it: infinities stay what they are.
#include <algorithm>

#include "ops/math/einsum_equation.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

using Letter = ops::EinsumLabel;
using Letters = std::vector<Letter>;
constexpr Letter kNone = -1;  // a dimension of 1 that no operand has

bool has(const Letters& letters, Letter letter) { return std::ranges::find(letters, letter) != letters.end(); }

bool has_diagonal(Letters letters) {
  std::ranges::sort(letters);
  return std::ranges::adjacent_find(letters) != letters.end();
}

Letters joined(std::initializer_list<Letters> parts) {
  Letters all;
  for (const Letters& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

struct Operand {
  ValueId value = kNoValue;
  Letters letters;
};

class Expanding {
 public:
  Expanding(PassContext& ctx, NodeId einsum)
      : ctx_(ctx), graph_(ctx.graph()), einsum_(einsum), rewrite_(ctx, "Einsum") {}

  void run() {
    const Node& node = graph_.node(einsum_);
    const auto* text = node.attributes.get<std::string>("equation");
    std::vector<int> ranks;
    for (const ValueId input : node.inputs) {
      if (input == kNoValue || !graph_.fact(input).has_rank()) return decline("the rank of an operand is not known");
      ranks.push_back(graph_.fact(input).rank());
    }
    if (text == nullptr) return;
    const auto equation = ops::EinsumEquation::parse(*text, ranks);
    if (!equation.ok()) return;
    if (ranks.size() > 2) return decline("more than two operands");
    if (!has_type_of_products(node.inputs[0])) return decline("no product of matrices has this type");
    if (std::ranges::any_of(equation->operands, has_diagonal)) return decline("a letter twice in one operand");
    output_ = equation->output;
    rewrite_.take(einsum_);
    const Operand made = ranks.size() == 1 ? Operand{node.inputs[0], equation->operands[0]}
                                           : multiplied({node.inputs[0], equation->operands[0]},
                                                        {node.inputs[1], equation->operands[1]});
    if (made.value == kNoValue) return;
    const ValueId y = in_output_order(made);
    if (y == node.inputs[0]) {
      rewrite_.forward(node.outputs[0], y);
    } else {
      rewrite_.become(node.outputs[0], y);
    }
    rewrite_.apply();
  }

 private:
  void decline(std::string_view reason) { ctx_.decline(einsum_, formatted("Einsum: {}", reason)); }

  bool has_type_of_products(ValueId value) const {
    constexpr DType kTypes[] = {DType::f16, DType::bf16, DType::f32, DType::f64,
                                DType::i32, DType::i64,  DType::u32, DType::u64};
    return std::ranges::find(kTypes, graph_.fact(value).dtype) != std::end(kTypes);
  }

  // The letters of what comes out, and behind them those that one operand alone has and that are summed afterwards.
  Operand multiplied(const Operand& a, const Operand& b) {
    Letters result = output_, terms;
    for (const Letter letter : a.letters)
      if (!has(output_, letter)) (has(b.letters, letter) ? terms : result).push_back(letter);
    for (const Letter letter : b.letters)
      if (!has(output_, letter) && !has(a.letters, letter)) result.push_back(letter);
    if (terms.empty()) {
      const ValueId left = arranged(a, result, 0), right = arranged(b, result, 0);
      return {rewrite_.add({.op = "Mul", .inputs = {left, right}}), result};
    }
    for (const Letter letter : terms)
      if (graph_.symbols().equal(size_of(a, letter), size_of(b, letter)) != Truth::yes) {
        decline("a summed letter may have different sizes");
        return {};
      }
    const Letter row = last_of(a, b, result), column = last_of(b, a, result);
    const bool turned =
        row != kNone && column != kNone && std::ranges::find(result, column) < std::ranges::find(result, row);
    return turned ? product(b, a, {column, row}, result, terms) : product(a, b, {row, column}, result, terms);
  }

  struct Matrix {
    Letter row, column;
  };

  Operand product(const Operand& a, const Operand& b, Matrix matrix, const Letters& result, const Letters& terms) {
    Letters batch;
    for (const Letter letter : result)
      if (letter != matrix.row && letter != matrix.column) batch.push_back(letter);
    const size_t kept = terms.size() + 1;
    ValueId left = arranged(a, joined({batch, {matrix.row}, terms}), kept), right = kNoValue;
    if (terms.size() == 1) {
      right = arranged(b, joined({batch, terms, {matrix.column}}), kept);
    } else {
      int64_t size = 1;
      for (const Letter letter : terms) {
        const Dim& dim = size_of(a, letter);
        if (!dim.is_known() || dim.known() < 1 || size > INT32_MAX / dim.known()) {
          decline("the sizes of several summed letters are not known, or one is 0");
          return {};
        }
        size *= dim.known();
      }
      left = merged(left, rank_, terms.size(), size);
      right = arranged(b, joined({batch, {matrix.column}, terms}), kept);
      right = merged(right, rank_, terms.size(), size);
      const size_t rank = rank_ - terms.size() + 1;
      std::vector<int64_t> perm;
      for (size_t i = 0; i < rank; ++i) perm.push_back(static_cast<int64_t>(i));
      std::swap(perm[rank - 1], perm[rank - 2]);
      right = transposed(right, perm);
    }
    return {rewrite_.add({.op = "MatMul", .inputs = {left, right}}), joined({batch, {matrix.row, matrix.column}})};
  }

  const Dim& size_of(const Operand& operand, Letter letter) const {
    const auto at = std::ranges::find(operand.letters, letter) - operand.letters.begin();
    return graph_.fact(operand.value).dim(static_cast<int>(at));
  }

  // Of the letters that `own` alone has.
  static Letter last_of(const Operand& own, const Operand& other, const Letters& result) {
    for (size_t i = result.size(); i-- > 0;)
      if (has(own.letters, result[i]) && !has(other.letters, result[i])) return result[i];
    return kNone;
  }

  // The operand in the order of `wanted`, with 1 for letters that it lacks; those in front of the `kept` last ones may
  // be missing before its first. Leaves the rank in rank_.
  ValueId arranged(const Operand& operand, const Letters& wanted, size_t kept) {
    std::vector<int64_t> perm, missing;
    rank_ = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const auto at = std::ranges::find(operand.letters, wanted[i]);
      const bool lacks = at == operand.letters.end();
      if (lacks && rank_ == 0 && i + kept < wanted.size()) continue;
      if (lacks) {
        missing.push_back(static_cast<int64_t>(rank_));
      } else {
        perm.push_back(at - operand.letters.begin());
      }
      ++rank_;
    }
    const ValueId made = transposed(operand.value, perm);
    return missing.empty() ? made
                           : rewrite_.add({.op = "Unsqueeze", .inputs = {made, rewrite_.numbers("axes", missing)}});
  }

  ValueId transposed(ValueId value, const std::vector<int64_t>& perm) {
    if (std::ranges::is_sorted(perm)) return value;
    return rewrite_.add({.op = "Transpose", .inputs = {value}, .attributes = make_attributes({{"perm", perm}})});
  }

  // The last `count` dimensions as one.
  ValueId merged(ValueId value, size_t rank, size_t count, int64_t size) {
    std::vector<int64_t> shape(rank - count, 0);  // 0: as it is
    shape.push_back(size);
    return rewrite_.add({.op = "Reshape", .inputs = {value, rewrite_.numbers("shape", shape)}});
  }

  ValueId in_output_order(Operand made) {
    std::vector<int64_t> ones, summed;
    Letters left;
    for (size_t i = 0; i < made.letters.size(); ++i)
      if (made.letters[i] == kNone) ones.push_back(static_cast<int64_t>(i));
    std::erase(made.letters, kNone);
    for (size_t i = 0; i < made.letters.size(); ++i) {
      if (has(output_, made.letters[i])) {
        left.push_back(made.letters[i]);
      } else {
        summed.push_back(static_cast<int64_t>(i));
      }
    }
    if (!ones.empty())
      made.value = rewrite_.add({.op = "Squeeze", .inputs = {made.value, rewrite_.numbers("axes", ones)}});
    if (!summed.empty())
      made.value = rewrite_.add({.op = "ReduceSum",
                                 .inputs = {made.value, rewrite_.numbers("axes", summed)},
                                 .attributes = make_attributes({{"keepdims", int64_t{0}}})});
    std::vector<int64_t> perm;
    for (const Letter letter : output_) perm.push_back(std::ranges::find(left, letter) - left.begin());
    return transposed(made.value, perm);
  }

  PassContext& ctx_;
  const Graph& graph_;
  const NodeId einsum_;
  Rewrite rewrite_;
  Letters output_;
  size_t rank_ = 0;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "Einsum")) Expanding(ctx, id).run();
  return {};
}

}  // namespace

constinit const Pass expand_einsum{"expand_einsum", Level::basic, Exactness::rounding,
                                   "makes transposes, products and sums of what an Einsum says", run};

}  // namespace sdx::passes
