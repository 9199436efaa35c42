// Loop: runs the body up to M times while its condition holds. Inputs: M, condition, carried values; the body takes
// (iteration, condition, carried...) and gives (condition, carried..., scan outputs...). Without a condition input the
// body's condition is ignored, as the standard has it; onnxruntime obeys it. With neither input nothing else could end
// the loop, so there it counts.
#include "base/element.h"
#include "ops/control/iterations.h"

namespace sdx::ops {
namespace {

size_t carried_count(size_t inputs) { return inputs > 2 ? inputs - 2 : 0; }

Result<const Graph*> loop_body(const Attributes& attributes, size_t inputs, size_t outputs) {
  const size_t carried = carried_count(inputs);
  SDX_ASSIGN(const Graph* body, subgraph(attributes, "body", 2 + carried, std::nullopt));
  if (body->outputs().size() < 1 + carried)
    return invalid_argument("body has {} outputs, a condition and {} carried values are wanted", body->outputs().size(),
                            carried);
  if (outputs + 1 > body->outputs().size())
    return invalid_argument("the node has {} outputs, the body gives {}", outputs, body->outputs().size() - 1);
  return body;
}

// Scalars, unless the body declares vectors of one element.
Shape formal_scalar(const Graph& body, size_t input) {
  const Fact& formal = formal_fact(body, body.inputs()[input]);
  return formal.has_rank() && formal.rank() == 1 ? Shape({1}) : Shape();
}

Tensor true_tensor(const Shape& shape) {
  const bool value = true;
  return make_tensor<bool>(DType::boolean, shape, {&value, 1});
}

Result<Facts> infer_loop_node(InferContext& ctx) {
  SDX_ASSIGN(const Graph* body, loop_body(ctx.attributes(), ctx.input_count(), ctx.output_count()));
  Fact condition = Fact::tensor(DType::boolean, to_symbolic(formal_scalar(*body, 1)));
  if (ctx.has_input(1)) condition = Fact::constant_of(true_tensor(formal_scalar(*body, 1)));  // else no iteration runs
  std::vector<Fact> carried;
  for (size_t i = 2; i < ctx.input_count(); ++i) carried.push_back(ctx.input(i));
  const Fact iteration = Fact::tensor(DType::i64, to_symbolic(formal_scalar(*body, 0)));
  SDX_ASSIGN(LoopFacts facts, infer_loop(ctx, {iteration, condition}, std::move(carried), {}, 1));

  Dim trips = ctx.unknown_dim();
  const Tensor* first = ctx.constant(1);
  const auto always = [](const Tensor* t) { return t != nullptr && t->count() == 1 && load_i64(*t, 0) != 0; };
  const bool counted =
      ctx.has_input(0) &&
      (!ctx.has_input(1) || (always(first) && facts.rest[0].is_constant() && always(&facts.rest[0].constant)));
  if (first != nullptr && first->count() == 1 && load_i64(*first, 0) == 0) {
    trips = Dim(0);
  } else if (counted && (ctx.input(0).elements || ctx.input(0).is_constant())) {
    if (const auto limit = ctx.elements(0); limit && limit->size() == 1) trips = ctx.symbols().max((*limit)[0], Dim(0));
  }
  Facts outputs(std::move(facts.carried));
  for (size_t i = 1; i < facts.rest.size(); ++i) {
    Fact fact = Fact::tensor(facts.rest[i].dtype);
    fact.shape = facts.rest[i].shape;
    if (fact.shape) fact.shape->insert(fact.shape->begin(), trips);
    outputs.list.push_back(std::move(fact));
  }
  outputs.list.resize(ctx.output_count());
  return outputs;
}

Result<bool> single_truth(const Value& value, std::string_view what) {
  if (!value.is_tensor() || value.tensor().dtype() != DType::boolean || value.tensor().count() != 1)
    return invalid_argument("{} is not one boolean", what);
  return load_i64(value.tensor(), 0) != 0;
}

Status loop_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Graph* body, loop_body(ctx.attributes(), ctx.input_count(), ctx.output_count()));
  int64_t limit = std::numeric_limits<int64_t>::max();
  if (ctx.has_input(0)) {
    const Tensor& count = ctx.input(0);
    if (count.count() != 1)
      return invalid_argument("the trip count has shape {}, one element is wanted", to_text(count.shape()));
    limit = load_i64(count, 0);
  }
  bool go_on = true;
  if (ctx.has_input(1)) {
    SDX_ASSIGN(go_on, single_truth(ctx.input_value(1), "the condition"));
  }
  const bool obeys_condition = ctx.has_input(1) || !ctx.has_input(0);

  const size_t carried = carried_count(ctx.input_count());
  std::vector<Value> values(2 + carried);
  const Shape condition_shape = formal_scalar(*body, 1), iteration_shape = formal_scalar(*body, 0);
  values[1] = true_tensor(condition_shape);
  for (size_t i = 0; i < carried; ++i) values[2 + i] = ctx.input_value(2 + i);
  std::vector<ScanOutput> scans;
  for (size_t i = 1 + carried; i < body->outputs().size(); ++i) scans.emplace_back(i - 1 - carried);

  for (int64_t iteration = 0; iteration < limit && go_on; ++iteration) {
    SDX_TRY(ctx.check_cancelled());
    values[0] = tensor_of_i64({&iteration, 1}, iteration_shape);
    SDX_ASSIGN(std::vector<Value> results, ctx.subgraphs().run("body", values));
    SDX_CHECK(results.size() == 1 + carried + scans.size(), "a body gave another number of outputs");
    SDX_ASSIGN(const bool holds, single_truth(results[0], "the condition that the body gives"));
    if (obeys_condition) go_on = holds;
    values[1] = results[0].tensor().reshaped(condition_shape);
    for (size_t i = 0; i < carried; ++i) values[2 + i] = std::move(results[1 + i]);
    for (size_t i = 0; i < scans.size(); ++i)
      if (ctx.wants_output(carried + i)) SDX_TRY(scans[i].append(std::move(results[1 + carried + i])));
  }

  for (size_t i = 0; i < ctx.output_count(); ++i) {
    if (!ctx.wants_output(i)) continue;
    if (i < carried) {
      ctx.set_output(i, std::move(values[2 + i]));
    } else {
      const Fact& formal = formal_fact(*body, body->outputs()[1 + i]);
      SDX_ASSIGN(Tensor stacked, scans[i - carried].finish(0, false, ctx, i, formal));
      ctx.set_output(i, std::move(stacked));
    }
  }
  return {};
}

}  // namespace

SDX_OP(loop) = {
    .name = "Loop",
    .since = 25,
    .infer = infer_loop_node,
    .reference = loop_reference,
};

}  // namespace sdx::ops
