#include "plan/program.h"

#include <gtest/gtest.h>

#include "graph/text.h"
#include "ops/graph_inference.h"
#include "plan/memory.h"
#include "providers/provider.h"

namespace sdx::plan {
namespace {

class EveryKernel final : public providers::Provider {
 public:
  std::string_view name() const override { return "EveryKernel"; }
  Verdict can_run(const NodeFacts&) const override { return yes(); }
  std::span<const Kernel> kernels(const ops::OpEntry& op) const override {
    return op.cpu_kernels != nullptr ? op.cpu_kernels->kernels() : std::span<const Kernel>();
  }
};

struct Planned {
  Graph graph;
  std::unique_ptr<Program> program;

  explicit Planned(std::string_view text) : graph(parse_graph(text).value()) {
    ops::InferenceBudget budget;
    const Status inferred = ops::infer_graph(graph, budget);
    EXPECT_TRUE(inferred.ok()) << inferred.message();
    const EveryKernel provider;
    const providers::Provider* const providers[] = {&provider};
    auto made = make_program(graph, providers, {});
    EXPECT_TRUE(made.ok());
    program = std::move(made).value();
  }
  const Slot& slot(std::string_view name) const { return program->slots[program->slot_of[*graph.find_value(name)]]; }
  const Slot& root(std::string_view name) const { return program->slots[slot(name).root]; }
  StepMode mode(std::string_view made) const { return program->steps[slot(made).made_by].mode; }
};

TEST(program, runs_nothing_for_views_of_planned_memory) {
  const Planned p(R"(graph "g" {
    input x: f32[n, 6]
    init s: i64[2] = {-1, 3}
    a: f32[?] = Relu(x)
    b: f32[?] = Reshape(a, s)
    c: f32[?] = Exp(b)
    output c
  })");
  EXPECT_EQ(p.mode("b"), StepMode::view);
  EXPECT_EQ(p.slot("b").root, p.slot("a").root);
  EXPECT_EQ(p.root("c").storage, Storage::output);
}

TEST(program, writes_in_place_over_what_nobody_reads_any_more) {
  const Planned p(R"(graph "g" {
    input x: f32[n, 4]
    a: f32[?] = Exp(x)
    b: f32[?] = Relu(a)
    c: f32[?] = Exp(b)
    d: f32[?] = Add(c, b)
    output d
  })");
  EXPECT_EQ(p.slot("b").root, p.slot("a").root) << "the last use of a";
  EXPECT_NE(p.slot("c").root, p.slot("b").root) << "b is read again";
  EXPECT_EQ(p.slot("d").root, p.slot("c").root);
  EXPECT_EQ(p.root("c").storage, Storage::output) << "what is handed out has an output's memory from the start";
}

TEST(program, writes_a_convolution_over_its_sum) {
  const Planned p(R"(graph "g" {
    input x: f32[n, 1, 4, 4, 16]
    input w: f32[16, 16, 1, 1]
    z: f32[?] = Exp(x)
    a: f32[?] = sardonyx.BlockedConv(x, w, _, z)
    b: f32[?] = sardonyx.BlockedConv(a, w, _, a)
    y: f32[?] = Exp(b)
    output y
  })");
  EXPECT_EQ(p.slot("a").root, p.slot("z").root);
  EXPECT_NE(p.slot("b").root, p.slot("a").root) << "the sum is the input too";
}

TEST(program, never_writes_over_an_input_a_weight_or_an_output) {
  const Planned p(R"(graph "g" {
    input x: f32[n]
    init w: f32[1] = {1}
    a: f32[?] = Relu(x)
    b: f32[?] = Relu(a)
    c: f32[?] = Relu(w)
    d: f32[?] = Add(c, c)
    output a
    output b
    output d
  })");
  EXPECT_EQ(p.slot("x").storage, Storage::input);
  EXPECT_NE(p.slot("a").root, p.slot("x").root);
  EXPECT_NE(p.slot("b").root, p.slot("a").root);
  EXPECT_NE(p.slot("c").root, p.slot("w").root);
  EXPECT_NE(p.slot("d").root, p.slot("c").root) << "both operands are the same memory";
}

TEST(program, begins_a_stage_where_data_decide_a_size) {
  const Planned p(R"(graph "g" {
    input x: f32[n]
    i: i64[?] = NonZero(x)
    f: f32[?] = Cast(i) {to = 1}
    y: f32[?] = Exp(f)
    output y
  })");
  EXPECT_EQ(p.program->stages.size(), 2u);
  EXPECT_EQ(p.mode("i"), StepMode::dynamic);
  EXPECT_EQ(p.mode("y"), StepMode::planned);
  EXPECT_EQ(p.slot("y").stage, 1u);
}

TEST(program, foresees_memory_from_the_symbols) {
  const Planned p(R"(graph "g" {
    input x: f32[n, 16]
    a: f32[?] = Exp(x)
    b: f32[?] = Transpose(a)
    y: f32[?] = Transpose(b)
    output y
  })");
  EXPECT_EQ(size_symbols(*p.program), std::vector<std::string>{"n"});
  const auto estimate = estimate_memory(*p.program, {{"n", 10}});
  ASSERT_TRUE(estimate.ok()) << estimate.status().message();
  EXPECT_EQ(estimate->arena, 2 * 10 * 16 * 4u);
  EXPECT_EQ(estimate->outputs, 10 * 16 * 4u);
  EXPECT_FALSE(estimate_memory(*p.program, {}).ok());
  EXPECT_FALSE(estimate_memory(*p.program, {{"n", INT64_MAX / 8}}).ok());
  EXPECT_NE(memory_formula(*p.program).find("128*n"), std::string::npos) << memory_formula(*p.program);
}

TEST(program, counts_packed_weights_around_omitted_inputs) {
  const Planned p(R"(graph "g" {
    input x: f32[2, 16]
    init b: u8[1, 1, 8] = {1, 2, 3, 4, 5, 6, 7, 8}
    init s: f32[1, 1] = {0.5}
    init c: f32[1] = {1}
    y: f32[?] = com.microsoft.MatMulNBits(x, b, s, _, _, c) {K = 16, N = 1, bits = 4, block_size = 16}
    output y
  })");
  EXPECT_GT(weight_bytes(*p.program, Branches::all).packed, 0u);
}

}  // namespace
}  // namespace sdx::plan
