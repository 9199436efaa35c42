#include "ops/infer.h"

#include <algorithm>

#include "base/element.h"

namespace sdx::ops {

SymShape InferContext::unknown_shape(int rank) const {
  SymShape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(unknown_dim());
  return shape;
}

std::optional<std::vector<Dim>> InferContext::elements(size_t i) const {
  const Fact& fact = input(i);
  if (fact.elements) return fact.elements;
  if (fact.is_constant() && (is_integer(fact.dtype) || fact.dtype == DType::boolean) && fact.constant.rank() <= 1) {
    std::vector<Dim> list;
    for (int64_t k = 0; k < fact.constant.count(); ++k) list.push_back(Dim(load_i64(fact.constant, k)));
    return list;
  }
  if (!fact.shape || fact.rank() > 1) return std::nullopt;
  const int64_t count = fact.rank() == 0 ? 1 : fact.dim(0).is_known() ? fact.dim(0).known() : -1;
  if (count < 0 || static_cast<size_t>(count) > kMaxTrackedElements) return std::nullopt;
  std::vector<Dim> list;
  for (int64_t k = 0; k < count; ++k) list.push_back(symbols_.fresh_value());
  return list;
}

std::optional<Shape> InferContext::known_elements(size_t i) const {
  const auto& tracked = input(i).elements;
  if (!tracked && !input(i).is_constant()) return std::nullopt;
  const auto list = elements(i);
  if (!list) return std::nullopt;
  Shape numbers;
  for (const Dim& dim : *list) {
    if (!dim.is_known()) return std::nullopt;
    numbers.push_back(dim.known());
  }
  return numbers;
}

Result<int> InferContext::axis(int64_t value, int rank) const {
  const auto normal = normalize_axis(value, rank);
  if (!normal) return fail("axis {} is outside [-{}, {})", value, rank, rank);
  return *normal;
}

void InferContext::assume(const Constraint& constraint) const {
  if (constraints_ == nullptr || symbols_.holds(constraint) == Truth::yes) return;
  if (std::ranges::find(*constraints_, constraint) == constraints_->end()) constraints_->push_back(constraint);
}

Status InferContext::require(const Constraint& constraint, std::string_view what) const {
  if (symbols_.holds(constraint) == Truth::no) return fail("{}: {} is wanted", what, symbols_.to_text(constraint));
  assume(constraint);
  return {};
}

Dim InferContext::size_of(const Dim& element, int64_t least) const {
  if (!symbols_.is_nameable(element)) return unknown_dim();
  assume({Constraint::Kind::at_least, element, Dim(least)});
  return element;
}

Dim InferContext::element_count(size_t i) const {
  Dim count(1);
  for (const Dim& dim : *input(i).shape) count = symbols_.mul(count, dim);
  return count;
}

Status InferContext::require_one_element(size_t i, std::string_view what) const {
  if (!has_input(i) || !has_rank(i)) return {};
  return require({Constraint::Kind::equal, element_count(i), Dim(1)}, what);
}

void InferContext::assume_broadcasts_to(const Dim& own, const Dim& wanted) const {
  assume({Constraint::Kind::broadcasts, own, wanted});
  assume({Constraint::Kind::equal, symbols_.broadcast(own, wanted), wanted});
}

void InferContext::leave_to_run() const { assume({Constraint::Kind::equal, unknown_dim(), Dim(0)}); }

Result<Dim> InferContext::broadcast(const Dim& a, const Dim& b) const {
  if (a == b) return a;
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.is_known() && b.is_known()) return fail("dimensions {} and {} do not broadcast", a.known(), b.known());
  assume({Constraint::Kind::broadcasts, a, b});
  return symbols_.broadcast(a, b);
}

Result<SymShape> InferContext::broadcast(const SymShape& a, const SymShape& b) const {
  const SymShape& longer = a.size() >= b.size() ? a : b;
  const SymShape& shorter = a.size() >= b.size() ? b : a;
  SymShape out = longer;
  const size_t offset = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    auto dim = broadcast(longer[offset + i], shorter[i]);
    if (!dim.ok())
      return fail("shapes {} and {} do not broadcast", to_text(Fact::tensor(DType::undefined, a), symbols_).substr(1),
                  to_text(Fact::tensor(DType::undefined, b), symbols_).substr(1));
    out[offset + i] = std::move(dim).value();
  }
  return out;
}

Result<std::optional<SymShape>> InferContext::broadcast_inputs(size_t first) const {
  SymShape shape;
  for (size_t i = first; i < input_count(); ++i) {
    if (!has_input(i)) continue;
    if (!has_rank(i)) return std::optional<SymShape>();
    SDX_ASSIGN(shape, broadcast(shape, *input(i).shape));
  }
  return std::optional<SymShape>(std::move(shape));
}

Result<Dim> InferContext::same(const Dim& a, const Dim& b, std::string_view what) const {
  if (symbols_.equal(a, b) == Truth::no)
    return fail("{}: {} and {} differ", what, symbols_.to_text(a), symbols_.to_text(b));
  assume({Constraint::Kind::equal, a, b});
  return b.is_known() ? b : a;
}

Result<std::vector<Fact>> InferContext::infer_subgraph(std::string_view attribute, std::span<const Fact> inputs) const {
  const auto* box = attributes().get<GraphBox>(attribute);
  if (box == nullptr) return fail("subgraph {} is missing", attribute);
  if (subgraphs_ == nullptr) {
    std::vector<Fact> facts;
    for (const ValueId output : (*box)->outputs()) facts.push_back((*box)->fact(output));
    return facts;
  }
  return (*subgraphs_)(attribute, inputs);
}

Fact tensor_fact(DType type, std::optional<SymShape> shape) {
  Fact fact = Fact::tensor(type);
  fact.shape = std::move(shape);
  return fact;
}

Result<Facts> infer_same_as_first(InferContext& ctx) { return tensor_fact(ctx.dtype(0), ctx.input(0).shape); }

Result<Facts> infer_broadcast(InferContext& ctx) {
  SDX_ASSIGN(auto shape, ctx.broadcast_inputs());
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Result<Facts> infer_broadcast_to_bool(InferContext& ctx) {
  SDX_ASSIGN(auto shape, ctx.broadcast_inputs());
  return tensor_fact(DType::boolean, std::move(shape));
}

Result<Facts> infer_shape_arithmetic(InferContext& ctx, const std::function<Dim(const Dim&, const Dim&)>& f) {
  SDX_ASSIGN(Facts facts, infer_broadcast(ctx));
  Fact& y = facts.list[0];
  if ((y.dtype != DType::i64 && y.dtype != DType::i32) || !y.shape || y.rank() > 1) return facts;
  const auto tracked = [&](size_t i) { return ctx.input(i).elements || ctx.input(i).is_constant(); };
  if (!tracked(0) && !tracked(1)) return facts;
  const auto a = ctx.elements(0), b = ctx.elements(1);
  if (!a || !b || a->empty() || b->empty()) return facts;
  const size_t count = std::max(a->size(), b->size());
  y.elements.emplace();
  for (size_t i = 0; i < count; ++i)
    y.elements->push_back(f((*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
  return facts;
}

}  // namespace sdx::ops
