// Every change of form in the standard's history of the operators that exist: the contract has a step for it, or it is
// listed here why none is wanted. A change of form is one of inputs, outputs, or attributes, as the facts have it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ops/op.h"

namespace sdx::ops {
namespace {

struct NoStep {
  std::string_view op;
  int from;
  std::string_view why;
};

// An attribute or input that is new and left out means what the operator did before it.
constexpr NoStep kNoSteps[] = {
    {"ArgMax", 11, "select_last_index 0 takes the first, as before"},
    {"ArgMin", 11, "select_last_index 0 takes the first, as before"},
    {"Attention", 23, "nonpad_kv_seqlen is optional"},
    {"Attention", 24, "window sizes of -1 are no window"},
    {"AveragePool", 1, "count_include_pad 0 leaves padding out, as before"},
    {"AveragePool", 7, "ceil_mode 0 rounds down, as before"},
    {"AveragePool", 11, "dilations are 1 by default"},
    {"Cast", 13, "saturate is of float8 types, which are new"},
    {"Cast", 23, "round_mode is of float8e8m0, which is new"},
    {"CastLike", 15, "saturate is of float8 types, which are new"},
    {"CastLike", 23, "round_mode is of float8e8m0, which is new"},
    {"Constant", 9, "value may be left out; sparse_value is another way to say it"},
    {"Constant", 11, "value_float and the like are other ways to say value"},
    {"DepthToSpace", 1, "mode DCR is what it did before"},
    {"DequantizeLinear", 10, "a scalar scale has no axis"},
    {"DequantizeLinear", 19, "block_size 0 is no blocks"},
    {"DequantizeLinear", 21, "output_dtype 0 is the scale's type, as before"},
    {"GRU", 7, "layout 0 is the order before"},
    {"GatherND", 11, "batch_dims 0 is no batch"},
    {"Gemm", 9, "input C may be left out"},
    {"LSTM", 7, "layout 0 is the order before"},
    {"LpPool", 11, "ceil_mode 0 and dilations of 1 are what it did before"},
    {"MaxPool", 1, "output Indices is optional, storage_order is about it"},
    {"MaxPool", 8, "ceil_mode 0 and dilations of 1 are what it did before"},
    {"OptionalHasElement", 15, "the input may be left out"},
    {"Pad", 13, "axes may be left out: all of them"},
    {"QuantizeLinear", 10, "a scalar scale has no axis"},
    {"QuantizeLinear", 13, "saturate is of float8 types, which are new"},
    {"QuantizeLinear", 19, "block_size 0 is no blocks, output_dtype 0 the zero point's type"},
    {"QuantizeLinear", 21, "precision 0 is the type of the inputs"},
    {"RNN", 7, "layout 0 is the order before"},
    {"Range", 11, "stash_type is of half types, which are new"},
    {"Reshape", 13, "allowzero 0 copies the dimension, as before"},
    {"Resize", 11, "roi and scales may be left out; an empty tensor still says the same"},
    {"Resize", 13, "antialias 0, all axes and stretching are what it did before"},
    {"Scatter", 9, "at opset 11 and above it is deprecated; the step from there on serves opset 9 too"},
    {"ScatterElements", 13, "reduction none is what it did before"},
    {"ScatterND", 13, "reduction none is what it did before"},
    {"Shape", 13, "start 0 and no end are all dimensions"},
    {"SpaceToDepth", 13, "mode DCR is what it did before"},
    {"TopK", 10, "largest and sorted are what it did before"},
    {"Upsample", 9, "at opset 10 it is deprecated; the step from there on serves opset 9 too"},
    {"LabelEncoder", 2, "keys, values and default as tensors are another way to say the lists"},
    {"TreeEnsembleClassifier", 1, "numbers as tensors are another way to say the lists"},
    {"TreeEnsembleClassifier", 3, "deprecated without another form"},
    {"TreeEnsembleRegressor", 1, "numbers as tensors are another way to say the lists"},
    {"TreeEnsembleRegressor", 3, "deprecated without another form"},
};

bool same_formals(std::span<const Formal> a, std::span<const Formal> b) {
  return std::ranges::equal(a, b, [](const Formal& x, const Formal& y) { return x.option == y.option; });
}

bool same_attribute(const AttributeFacts& a, const AttributeFacts& b) {
  return a.name == b.name && a.kind == b.kind && a.required == b.required && a.has_default == b.has_default &&
         a.default_value == b.default_value;
}

bool form_changes(const OpFacts& a, const OpFacts& b) {
  return a.deprecated != b.deprecated || !same_formals(a.inputs, b.inputs) || !same_formals(a.outputs, b.outputs) ||
         !std::ranges::equal(a.attributes, b.attributes, same_attribute);
}

bool has_step(const Contract& contract, int from) {
  return std::ranges::any_of(contract.upgrades,
                             [&](const Upgrade& step) { return step.apply != nullptr && step.from == from; });
}

const NoStep* find_reason(std::string_view op, int from) {
  const auto* found = std::ranges::find_if(kNoSteps, [&](const NoStep& n) { return n.op == op && n.from == from; });
  return found == std::end(kNoSteps) ? nullptr : found;
}

struct Change {
  const OpFacts* from;
  const OpFacts* to;
};

std::vector<Change> changes_of_form() {
  std::vector<Change> changes;
  const auto all = all_facts();
  for (size_t i = 0; i + 1 < all.size(); ++i)
    if (all[i].domain == all[i + 1].domain && all[i].name == all[i + 1].name && form_changes(all[i], all[i + 1]) &&
        find_op(all[i].domain, all[i].name) != nullptr)
      changes.push_back({&all[i], &all[i + 1]});
  return changes;
}

TEST(upgrades, serve_every_change_of_form) {
  size_t reasons = 0;
  for (const auto& [from, to] : changes_of_form()) {
    const std::string change = formatted("{} {} -> {}", from->name, from->since, to->since);
    const bool step = has_step(*find_op(from->domain, from->name)->contract, from->since);
    const NoStep* reason = find_reason(from->name, from->since);
    if (reason != nullptr) ++reasons;
    EXPECT_TRUE(step || reason != nullptr) << change << " has no step and no reason for it";
    EXPECT_FALSE(step && reason != nullptr) << change << " has a step: \"" << reason->why << "\" is not true";
  }
  EXPECT_EQ(reasons, std::size(kNoSteps)) << "a reason is listed for what is no change of form";
}

TEST(upgrades, need_a_step_where_something_goes_away) {
  for (const NoStep& reason : kNoSteps) {
    if (reason.why.find("deprecated") != std::string_view::npos) continue;
    for (const auto& [from, to] : changes_of_form()) {
      if (from->name != reason.op || from->since != reason.from) continue;
      for (const AttributeFacts& before : from->attributes) {
        const AttributeFacts* after = find_attribute(*to, before.name);
        EXPECT_TRUE(after != nullptr && after->kind == before.kind) << reason.op << " loses " << before.name;
      }
      for (const AttributeFacts& after : to->attributes)
        EXPECT_FALSE(after.required && find_attribute(*from, after.name) == nullptr) << reason.op << " " << after.name;
      EXPECT_LE(to->min_inputs, from->min_inputs) << reason.op;
      EXPECT_GE(to->max_inputs, from->max_inputs) << reason.op;
      EXPECT_GE(to->max_outputs, from->max_outputs) << reason.op;
    }
  }
}

TEST(upgrades, know_the_changes_of_form_that_others_count) {
  const char* shared = std::getenv("SARDONYX_SHARED");
  const std::string path = std::string(shared != nullptr ? shared : "../shared") + "/conformance/op_versions.tsv";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "there is no " << path;
  const auto changes = changes_of_form();
  size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string domain, op, from, to, kind;
    fields >> domain >> op >> from >> to >> kind;
    if (kind != "form" || find_op(domain, op) == nullptr) continue;
    ++rows;
    const auto known = std::ranges::any_of(changes, [&](const Change& change) {
      return change.from->name == op && change.from->since == std::atoi(from.c_str());
    });
    EXPECT_TRUE(known) << line;
  }
  EXPECT_EQ(rows, 134u);
}

}  // namespace
}  // namespace sdx::ops
