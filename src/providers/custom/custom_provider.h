// Custom operators: what callers describe as OrtCustomOp, one node at a time. A field of an OrtCustomOp is read only
// where its version has it.
#pragma once

#include <memory>
#include <vector>

#include "abi/options.h"
#include "providers/provider.h"

namespace sdx::providers {

inline constexpr char kCustomProvider[] = "CustomOpExecutionProvider";

class CustomProvider final : public Provider {
 public:
  // The domains are the caller's and must outlive it. `libraries`: those that must stay open.
  CustomProvider(std::vector<const OrtCustomOpDomain*> domains,
                 std::vector<std::shared_ptr<abi::LoadedLibrary>> libraries, const OrtApi& api,
                 const OrtLogger* logger);

  // The type of an output of an operator that no contract is for; undefined where it is none of these or its inputs
  // say.
  DType output_type(const Node& node, size_t output, std::span<const Fact* const> inputs) const;

  // What the operator's own shape inference says of its outputs, where it has one.
  Status infer(const Node& node, std::span<const Fact* const> inputs, SymbolTable& symbols,
               std::span<Fact> outputs) const;

  std::string_view name() const override { return kCustomProvider; }
  Verdict can_run(const NodeFacts& facts) const override;
  std::span<const Kernel> kernels(const ops::OpEntry& /*op*/) const override { return {}; }
  bool makes_claims() const override { return true; }
  Claims claim(const Graph& view) const override;
  Result<Compilation> compile(const Group& group) const override;

 private:
  // The operator of the node's name whose inputs take the node's types.
  const OrtCustomOp* find(const Node& node, std::span<const Fact* const> inputs, std::string& reason) const;
  Verdict takes(const Graph& graph, const Node& node) const;

  std::vector<const OrtCustomOpDomain*> domains_;
  std::vector<std::shared_ptr<abi::LoadedLibrary>> libraries_;
  const OrtApi& api_;
  const OrtLogger* logger_;
};

}  // namespace sdx::providers
