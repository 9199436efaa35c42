#include "operators.h"

#include "base/format.h"
#include "json_text.h"
#include "ops/op.h"
#include "providers/cpu/cpu_provider.h"

namespace sdx::api {
namespace {

// The versions that the standard has of an operator: none of what is not the standard's.
std::span<const ops::OpFacts> versions_of(const ops::OpEntry& op) {
  const auto all = ops::all_facts();
  const auto same = [&](const ops::OpFacts& facts) { return facts.domain == op.domain && facts.name == op.name; };
  size_t first = 0;
  while (first < all.size() && !same(all[first])) ++first;
  size_t end = first;
  while (end < all.size() && same(all[end])) ++end;
  return all.subspan(first, end - first);
}

void write_types(JsonText& json, const ops::OpFacts& facts) {
  json.key("types").begin_array();
  for (const ops::TypeConstraint& constraint : facts.constraints) {
    json.begin_object().member("name", constraint.name).key("allowed").begin_array();
    const auto write = [&](uint64_t types, std::string_view prefix, std::string_view suffix) {
      for (int i = 0; i < kDTypeCount; ++i)
        if ((types >> i & 1) != 0)
          json.value(formatted("{}{}{}", prefix, info(static_cast<DType>(i)).onnx_name, suffix));
    };
    write(constraint.tensor_types, "", "");
    write(constraint.sequence_types, "seq(", ")");
    write(constraint.optional_types, "optional(", ")");
    write(constraint.optional_sequence_types, "optional(seq(", "))");
    if (constraint.maps) json.value("map");
    json.end_array().end_object();
  }
  json.end_array();
}

std::string_view kind_of(const ops::OpEntry& op, bool deprecated, bool has_kernels) {
  if (deprecated && op.contract->upgrades[0].apply != nullptr) return "rewritten";
  if (op.contract->view_of >= 0) return "view";
  return has_kernels ? "optimized" : "reference";
}

}  // namespace

std::string operators_json() {
  const providers::Provider& provider = providers::cpu_provider();
  JsonText json;
  json.begin_array();
  for (const ops::OpEntry& op : ops::all_ops()) {
    const auto versions = versions_of(op);
    const bool deprecated = !versions.empty() && versions.back().deprecated;
    const auto kernels = provider.kernels(op);
    json.begin_object();
    json.member("domain", op.domain.empty() ? std::string_view("ai.onnx") : op.domain).member("op", op.name);
    json.member("since", static_cast<int64_t>(versions.empty() ? op.contract->since : versions.front().since));
    json.member("newest", static_cast<int64_t>(versions.empty() ? op.contract->since : versions.back().since));
    json.key("deprecated");
    if (deprecated) {
      json.value(static_cast<int64_t>(versions.back().since));
    } else {
      json.null();
    }
    json.member("provider", provider.name()).member("kind", kind_of(op, deprecated, !kernels.empty()));
    json.key("kernels").begin_array();
    for (const Kernel& kernel : kernels) json.value(kernel.name);
    json.end_array();
    if (!versions.empty()) {
      write_types(json, versions.back());
    } else {
      json.key("types").null();
    }
    json.end_object();
  }
  return json.end_array().text();
}

}  // namespace sdx::api
