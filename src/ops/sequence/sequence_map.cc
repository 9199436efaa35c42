// SequenceMap: the body run for each element of the first sequence, and of the further ones beside it; tensors among
// the inputs are the same in each run. Each output is the sequence of the body's results.
#include "ops/sequence/sequence_values.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_sequence_map(InferContext& ctx) {
  SDX_TRY(check_sequence(ctx, 0));
  SDX_ASSIGN([[maybe_unused]] const Graph* body,
             subgraph(ctx.attributes(), "body", ctx.input_count(), ctx.output_count()));
  std::vector<Fact> inputs;
  for (size_t i = 0; i < ctx.input_count(); ++i)
    inputs.push_back(ctx.input(i).kind == ValueKind::sequence ? element_of(ctx, ctx.input(i)) : ctx.input(i));
  const size_t known_symbols = ctx.symbols().size();
  SDX_ASSIGN(std::vector<Fact> results, ctx.infer_subgraph("body", inputs));
  Facts outputs;
  for (Fact& result : results)
    outputs.list.push_back(Fact::sequence(outside_of_body(ctx, std::move(result), known_symbols)));
  outputs.list.resize(ctx.output_count());
  return outputs;
}

Status sequence_map_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Graph* body, subgraph(ctx.attributes(), "body", ctx.input_count(), ctx.output_count()));
  SDX_ASSIGN(const Sequence* first, sequence_input(ctx, 0));
  const size_t length = first->elements.size();
  std::vector<Value> inputs(ctx.input_count());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Value& given = ctx.input_value(i);
    if (given.kind() != ValueKind::sequence) {
      inputs[i] = given;
    } else if (given.sequence().elements.size() != length) {
      return invalid_argument("input {} has {} elements, input 0 has {}", i, given.sequence().elements.size(), length);
    }
  }
  std::vector<Sequence> outputs(ctx.output_count());
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i].element_type = type_of(formal_fact(*body, body->outputs()[i]));
  for (size_t k = 0; k < length; ++k) {
    SDX_TRY(ctx.check_cancelled());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Value& given = ctx.input_value(i);
      if (given.kind() == ValueKind::sequence) inputs[i] = given.sequence().elements[k];
    }
    SDX_ASSIGN(std::vector<Value> results, ctx.subgraphs().run("body", inputs));
    SDX_CHECK(results.size() == outputs.size(), "a body gave another number of outputs");
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (k == 0) outputs[i].element_type = results[i].type();
      outputs[i].elements.push_back(std::move(results[i]));
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (ctx.wants_output(i)) ctx.set_output(i, std::move(outputs[i]));
  return {};
}

}  // namespace

SDX_OP(sequence_map) = {
    .name = "SequenceMap",
    .since = 17,
    .infer = infer_sequence_map,
    .reference = sequence_map_reference,
};

}  // namespace sdx::ops
