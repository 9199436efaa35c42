// InferContext: what a shape rule sees, and the vocabulary that most rules are made of.
#pragma once

#include <functional>

#include "kernel/node_facts.h"

namespace sdx::ops {

// The facts of all outputs. A rule with one output returns a Fact.
struct Facts {
  std::vector<Fact> list;
  Facts() = default;
  Facts(Fact fact) { list.push_back(std::move(fact)); }
  Facts(std::vector<Fact> facts) : list(std::move(facts)) {}
};

// Infers the subgraph of that attribute for given facts of its inputs; returns those of its outputs.
using SubgraphInference =
    std::function<Result<std::vector<Fact>>(std::string_view attribute, std::span<const Fact> inputs)>;

class InferContext : public NodeFacts {
 public:
  InferContext(const Node& node, std::span<const Fact* const> inputs, SymbolTable& symbols,
               const SubgraphInference* subgraphs = nullptr, std::vector<Constraint>* constraints = nullptr)
      : NodeFacts(node, inputs), symbols_(symbols), subgraphs_(subgraphs), constraints_(constraints) {}

  SymbolTable& symbols() const { return symbols_; }
  Dim unknown_dim() const { return symbols_.fresh(); }
  SymShape unknown_shape(int rank) const;  // a fresh symbol for each dimension

  template <typename... Args>
  Status fail(fmt::format_string<Args...> text, Args&&... args) const {
    return Status(Code::invalid_argument, format_args_to_text(text, fmt::make_format_args(args...)));
  }

  // Elements of an integer input of rank 0 or 1, as numbers where all are known.
  std::optional<Shape> known_elements(size_t i) const;
  // The same as symbolic integers; nullopt where not even their number is known.
  std::optional<std::vector<Dim>> elements(size_t i) const;

  // axis of an attribute, in [-rank, rank), to [0, rank).
  Result<int> axis(int64_t value, int rank) const;

  // Fails, with `what` and the condition, where it is certainly broken; where nobody can tell, records it for the run.
  Status require(const Constraint& constraint, std::string_view what) const;
  // Records the condition where nobody can tell: for rules that word the failure themselves.
  void assume(const Constraint& constraint) const;

  // An element that is used as a size: itself, recorded to be at least `least`; a fresh one where only data decide it.
  Dim size_of(const Dim& element, int64_t least = 0) const;
  Dim element_count(size_t i) const;  // of an input whose rank is known
  // Fails where an input that must be a scalar certainly has not one element; records what cannot be told.
  Status require_one_element(size_t i, std::string_view what) const;
  // Records that `own` is 1 or the same as `wanted`.
  void assume_broadcasts_to(const Dim& own, const Dim& wanted) const;
  // Records that nothing but this rule, with the numbers of a run, can tell.
  void leave_to_run() const;
  std::vector<Constraint>* constraints() const { return constraints_; }  // for a rule that asks another one

  // Numpy's broadcasting. Fails where two dimensions provably clash; records what cannot be told.
  Result<Dim> broadcast(const Dim& a, const Dim& b) const;
  Result<SymShape> broadcast(const SymShape& a, const SymShape& b) const;
  // All inputs from `first` on broadcast together; nullopt when a rank is unknown.
  Result<std::optional<SymShape>> broadcast_inputs(size_t first = 0) const;
  // Fails when the two differ for certain; otherwise gives the better known one and records that they are equal.
  Result<Dim> same(const Dim& a, const Dim& b, std::string_view what) const;

  Result<std::vector<Fact>> infer_subgraph(std::string_view attribute, std::span<const Fact> inputs) const;

 private:
  SymbolTable& symbols_;
  const SubgraphInference* subgraphs_;
  std::vector<Constraint>* constraints_;
};

// Ready-made rules.
Result<Facts> infer_same_as_first(InferContext& ctx);      // type and shape of input 0
Result<Facts> infer_broadcast(InferContext& ctx);          // type of input 0, broadcast shape of all inputs
Result<Facts> infer_broadcast_to_bool(InferContext& ctx);  // comparisons
// infer_broadcast, and elements that carry shapes followed through `f`.
Result<Facts> infer_shape_arithmetic(InferContext& ctx, const std::function<Dim(const Dim&, const Dim&)>& f);
Fact tensor_fact(DType type, std::optional<SymShape> shape);

}  // namespace sdx::ops
