// Pass: a function over one graph. The driver (pipeline.h) lists, verifies, times, counts, disables and stops passes; a
// pass only finds what it may rewrite, and rewrites it (rewrite.h).
#pragma once

#include <string_view>

#include "graph/graph.h"
#include "passes/lazy_weights.h"

namespace sdx::passes {

// ONNX Runtime's levels; each includes those before it.
enum class Level : uint8_t {
  none,
  basic,     // keeps to the standard's operators: any provider understands what comes out
  extended,  // after nodes have their providers: makes what only their owner can run
  layout,
};
std::string_view name(Level level);

// How the values after a pass compare with those before.
enum class Exactness : uint8_t {
  bits,      // the same, but for the payload of NaNs
  rounding,  // the same formula, rounded in other places; what overflowed in between may not any more
  codes,     // the same formula in exact integers: what it quantizes differs by one code at most
};
std::string_view name(Exactness exactness);

class PassContext;

struct Pass {
  std::string_view name;
  Level level = Level::basic;
  Exactness exactness = Exactness::bits;
  std::string_view sentence;  // what it does
  Status (*run)(PassContext&) = nullptr;
};

// One rewrite, in the model's own names.
struct Rewritten {
  std::string_view pass;
  std::string what;                  // "Conv + Add"
  std::vector<std::string> origins;  // of the nodes that went
};

// A rewrite that nearly happened.
struct Declined {
  std::string_view pass;
  std::string node;
  std::string reason;
};

// What all passes did to a model.
struct Journal {
  std::vector<Rewritten> rewrites;
  std::vector<Declined> declines;
  std::shared_ptr<LazyWeights> weights = std::make_shared<LazyWeights>();  // that passes made
  uint64_t last_rewrite = UINT64_MAX;                                      // no more than so many
  bool keeps_declines = false;
  bool rounds_products = false;  // PipelineOptions::rounds_products
  bool widens_halves = false;    // PipelineOptions::widens_halves
};

class PassContext {
 public:
  PassContext(const Pass& pass, Graph& graph, Journal& journal) : pass_(pass), graph_(graph), journal_(journal) {}

  Graph& graph() const { return graph_; }
  LazyWeights& weights() const { return *journal_.weights; }
  // Nodes that are there now, producers first, without those that belong to another provider than the CPU.
  Result<std::vector<NodeId>> order() const;

  // False once the driver wants no more rewrites.
  bool may_rewrite() const { return journal_.rewrites.size() < journal_.last_rewrite; }
  bool rounds_products() const { return journal_.rounds_products; }
  bool widens_halves() const { return journal_.widens_halves; }
  void note(std::string what, std::vector<std::string> origins);
  void decline(NodeId node, std::string_view reason);

 private:
  const Pass& pass_;
  Graph& graph_;
  Journal& journal_;
};

}  // namespace sdx::passes
