#include "runtime/compile_shared.h"

#include "base/cpu.h"
#include "base/knobs.h"
#include "plan/weight_store.h"

namespace sdx::runtime {
namespace {

// The bindings name all members, so that a new one cannot be forgotten. Empty: nobody can tell, and nothing is shared.
std::string key_of(const onnx::Model& model, const CompileOptions& options) {
  const auto& [import, threads, passes, weights, references_only, in_double, providers, by_cost, winograd, purpose] =
      options;
  const auto& [strict_shapes, max_nodes, symbol_values, replaced, type_of_output, infer_opaque] = import;
  const auto& [from, to, disabled, last_rewrite, keeps_declines, rounds_products, widens_halves, verifies] = passes;
  if (!model.is_shared || knob::passes_printed()) return {};
  if (!replaced.empty() || type_of_output || infer_opaque || !providers.empty()) return {};
  std::string key = formatted("{}", static_cast<const void*>(&model));  // what was made of it keeps it
  const auto add = [&](auto one) { key += formatted(" {}", one); };
  for (const bool flag : {strict_shapes, references_only, in_double, by_cost, winograd, keeps_declines, rounds_products,
                          widens_halves, verifies, knob::passes_verified()})
    add(int{flag});
  for (const int choice : {threads, static_cast<int>(weights), static_cast<int>(purpose), static_cast<int>(from),
                           static_cast<int>(to), static_cast<int>(best_isa())})
    add(choice);
  add(max_nodes);
  add(last_rewrite);
  add(knob::passes_last_rewrite());
  add(knob::winograd());
  add(knob::passes_disabled());
  for (const std::string& name : disabled) key += "\n" + name;
  for (const auto& [symbol, value] : symbol_values) key += formatted("\n{}={}", symbol, value);
  return key;
}

}  // namespace

Result<std::shared_ptr<const Compiled>> compile_shared(std::shared_ptr<onnx::Model> model,
                                                       const CompileOptions& options) {
  static auto* const store = new plan::WeightStore();  // outlives every session, whatever the order of exit
  const std::string key = key_of(*model, options);
  if (key.empty()) return Compiled::create(std::move(model), options);
  SDX_ASSIGN(auto shared, store->get(key, [&]() -> Result<plan::WeightStore::Object> {
    SDX_ASSIGN(auto made, Compiled::create(model, options));
    return plan::WeightStore::Object(std::move(made));
  }));
  return std::static_pointer_cast<const Compiled>(std::move(shared));
}

}  // namespace sdx::runtime
