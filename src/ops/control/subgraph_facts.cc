#include "ops/control/subgraph_facts.h"

namespace sdx::ops {
namespace {

bool is_local(const Dim& dim, size_t known_symbols) {
  for (const auto& term : dim.terms())
    for (const AtomId atom : term.atoms)
      if (atom >= known_symbols) return true;
  return false;
}

bool is_anonymous(const InferContext& ctx, const Dim& dim) {
  for (const auto& term : dim.terms()) {
    for (const AtomId atom : term.atoms) {
      if (atom >= ctx.symbols().size()) return true;
      const auto& known = ctx.symbols().atom(atom);
      if (known.function != SymbolTable::Function::symbol || known.anonymous) return true;
    }
  }
  return false;
}

template <typename Replace>
void replace_dims(const InferContext& ctx, Fact& fact, Replace replace) {
  if (fact.shape)
    for (Dim& dim : *fact.shape)
      if (replace(dim)) dim = ctx.unknown_dim();
  for (Fact& inner : fact.inner) replace_dims(ctx, inner, replace);
}

std::optional<SymShape> join_shapes(const InferContext& ctx, const std::optional<SymShape>& a,
                                    const std::optional<SymShape>& b) {
  if (!a || !b || a->size() != b->size()) return std::nullopt;
  SymShape joined;
  for (size_t i = 0; i < a->size(); ++i) joined.push_back((*a)[i] == (*b)[i] ? (*a)[i] : ctx.unknown_dim());
  return joined;
}

std::optional<std::vector<Dim>> join_elements(const InferContext& ctx, const Fact& a, const Fact& b) {
  if (!a.elements || !b.elements || a.elements->size() != b.elements->size()) return std::nullopt;
  std::vector<Dim> joined;
  for (size_t i = 0; i < a.elements->size(); ++i)
    joined.push_back((*a.elements)[i] == (*b.elements)[i] ? (*a.elements)[i] : ctx.symbols().fresh_value());
  return joined;
}

// Widens what differs in `next` from `fact`; a dimension that is unknown already holds any value. Returns whether
// anything was widened.
Result<bool> widen(const InferContext& ctx, Fact& fact, const Fact& next, std::vector<Dim>& unknown,
                   std::string_view what) {
  SDX_ASSIGN(Fact joined, join_facts(ctx, fact, next, what));
  bool changed = joined.kind != fact.kind || joined.dtype != fact.dtype || joined.inner.size() != fact.inner.size() ||
                 joined.has_rank() != fact.has_rank();
  if (fact.elements && (!next.elements || *fact.elements != *next.elements)) changed = true;
  if (fact.is_constant()) changed = true;
  joined.elements = changed ? std::nullopt : fact.elements;
  if (joined.shape && fact.shape && joined.shape->size() == fact.shape->size()) {
    for (size_t i = 0; i < fact.shape->size(); ++i) {
      const Dim& own = (*fact.shape)[i];
      if ((*joined.shape)[i] == own) continue;
      if (std::find(unknown.begin(), unknown.end(), own) != unknown.end()) {
        (*joined.shape)[i] = own;
        continue;
      }
      unknown.push_back((*joined.shape)[i]);
      changed = true;
    }
  }
  // What an optional holds is compared with the other's content, or with the other itself where that is no optional.
  const bool opens = fact.kind == ValueKind::optional && next.kind != ValueKind::optional;
  for (size_t i = 0; i < std::min(joined.inner.size(), fact.inner.size()) && (opens || i < next.inner.size()); ++i) {
    Fact inner = fact.inner[i];
    SDX_ASSIGN(const bool wider, widen(ctx, inner, opens ? next : next.inner[i], unknown, what));
    joined.inner[i] = std::move(inner);
    changed = changed || wider;
  }
  fact = std::move(joined);
  return changed;
}

}  // namespace

Result<Fact> join_facts(const InferContext& ctx, const Fact& a, const Fact& b, std::string_view what) {
  if (a.kind == ValueKind::none || b.kind == ValueKind::none) {
    Fact known = a.kind == ValueKind::none ? b : a;
    known.shape.reset();
    known.elements.reset();
    known.constant = {};
    for (Fact& inner : known.inner) inner.shape.reset();
    return known;
  }
  if (a.kind != b.kind) {
    if (a.kind == ValueKind::optional && !a.inner.empty()) {
      SDX_ASSIGN(Fact inner, join_facts(ctx, a.inner[0], b, what));
      return Fact::optional(std::move(inner));
    }
    if (b.kind == ValueKind::optional && !b.inner.empty()) return join_facts(ctx, b, a, what);
    return ctx.fail("{} is {} in one place, {} in another", what, to_text(type_of(a)), to_text(type_of(b)));
  }
  if (a.dtype != b.dtype && a.dtype != DType::undefined && b.dtype != DType::undefined)
    return ctx.fail("{} is {} in one place, {} in another", what, to_text(type_of(a)), to_text(type_of(b)));
  Fact joined;
  joined.kind = a.kind;
  joined.dtype = a.dtype == DType::undefined ? b.dtype : a.dtype;
  joined.shape = join_shapes(ctx, a.shape, b.shape);
  joined.elements = join_elements(ctx, a, b);
  const auto& longer = a.inner.size() >= b.inner.size() ? a.inner : b.inner;
  for (size_t i = 0; i < longer.size(); ++i) {
    if (i >= std::min(a.inner.size(), b.inner.size())) {
      joined.inner.push_back(longer[i]);
      continue;
    }
    SDX_ASSIGN(Fact inner, join_facts(ctx, a.inner[i], b.inner[i], what));
    joined.inner.push_back(std::move(inner));
  }
  return joined;
}

Fact outside_of_body(const InferContext& ctx, Fact fact, size_t known_symbols) {
  fact.elements.reset();
  fact.constant = {};
  replace_dims(ctx, fact, [&](const Dim& dim) { return is_local(dim, known_symbols); });
  return fact;
}

Fact element_of(const InferContext& ctx, const Fact& sequence) {
  Fact element = sequence.inner.empty() ? Fact() : sequence.inner[0];
  element.elements.reset();
  element.constant = {};
  replace_dims(ctx, element, [&](const Dim& dim) { return is_anonymous(ctx, dim); });
  return element;
}

Result<LoopFacts> infer_loop(const InferContext& ctx, std::vector<Fact> leading, std::vector<Fact> carried,
                             const std::vector<Fact>& trailing, size_t outputs_before) {
  std::vector<Dim> unknown;
  for (Fact& fact : carried) fact.constant = {};
  for (;;) {
    std::vector<Fact> inputs = leading;
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    inputs.insert(inputs.end(), trailing.begin(), trailing.end());
    const size_t known_symbols = ctx.symbols().size();
    SDX_ASSIGN(const std::vector<Fact> outputs, ctx.infer_subgraph("body", inputs));
    if (outputs.size() < outputs_before + carried.size())
      return ctx.fail("body has {} outputs, at least {} are wanted", outputs.size(), outputs_before + carried.size());
    bool changed = false;
    for (size_t i = 0; i < carried.size(); ++i) {
      const std::string what = formatted("carried value {}", i);
      SDX_ASSIGN(const bool wider, widen(ctx, carried[i], outputs[outputs_before + i], unknown, what));
      changed = changed || wider;
    }
    if (changed) continue;
    LoopFacts facts;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (i >= outputs_before && i < outputs_before + carried.size()) {
        // The last value is not the one an iteration saw: dimensions that vary get symbols of their own.
        Fact last = carried[i - outputs_before];
        const Fact& body = outputs[i];
        if (last.kind == ValueKind::optional && body.kind != ValueKind::optional && body.kind != ValueKind::none)
          last = Fact(last.inner[0]);
        replace_dims(ctx, last, [&](const Dim& dim) {
          return is_local(dim, known_symbols) || std::find(unknown.begin(), unknown.end(), dim) != unknown.end();
        });
        facts.carried.push_back(std::move(last));
      } else {
        Fact rest = outputs[i];
        const Tensor constant = rest.constant;
        rest = outside_of_body(ctx, std::move(rest), known_symbols);
        replace_dims(ctx, rest,
                     [&](const Dim& dim) { return std::find(unknown.begin(), unknown.end(), dim) != unknown.end(); });
        rest.constant = constant;
        facts.rest.push_back(std::move(rest));
      }
    }
    return facts;
  }
}

Result<const Graph*> subgraph(const Attributes& attributes, std::string_view attribute, std::optional<size_t> inputs,
                              std::optional<size_t> outputs) {
  const auto* box = attributes.get<GraphBox>(attribute);
  if (box == nullptr) return invalid_argument("subgraph {} is missing", attribute);
  const Graph& graph = **box;
  if (inputs && graph.inputs().size() != *inputs)
    return invalid_argument("subgraph {} has {} inputs, {} are wanted", attribute, graph.inputs().size(), *inputs);
  if (outputs && graph.outputs().size() != *outputs)
    return invalid_argument("subgraph {} has {} outputs, {} are wanted", attribute, graph.outputs().size(), *outputs);
  return &graph;
}

const Fact& formal_fact(const Graph& graph, ValueId value) {
  const ValueInfo& info = graph.value(value);
  return info.fact.kind == ValueKind::none && info.declared ? *info.declared : info.fact;
}

}  // namespace sdx::ops
