// Look-ups in the generated tables.
#include "ops/op_facts.h"

#include <algorithm>
#include <tuple>

namespace sdx::ops {

extern const std::span<const OpFacts> generated_facts;
extern const std::span<const OpEntry> generated_ops;

namespace {

std::string_view canonical(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }

}  // namespace

std::span<const OpFacts> all_facts() { return generated_facts; }

std::span<const OpEntry> all_ops() { return generated_ops; }

const OpFacts* find_facts(std::string_view domain, std::string_view name, int opset) {
  const auto key = [](const OpFacts& facts) { return std::tuple(facts.domain, facts.name, facts.since); };
  const auto after = std::ranges::upper_bound(generated_facts, std::tuple(canonical(domain), name, opset), {}, key);
  if (after == generated_facts.begin()) return nullptr;
  const OpFacts& found = *(after - 1);
  return found.domain == canonical(domain) && found.name == name ? &found : nullptr;
}

const OpEntry* find_op(std::string_view domain, std::string_view name) {
  const auto key = [](const OpEntry& entry) { return std::tuple(entry.domain, entry.name); };
  const auto wanted = std::tuple(canonical(domain), name);
  const auto found = std::ranges::lower_bound(generated_ops, wanted, {}, key);
  return found != generated_ops.end() && key(*found) == wanted ? &*found : nullptr;
}

const AttributeFacts* find_attribute(const OpFacts& facts, std::string_view name) {
  const auto found = std::ranges::find(facts.attributes, name, &AttributeFacts::name);
  return found != facts.attributes.end() ? &*found : nullptr;
}

}  // namespace sdx::ops
