// Scan: runs the body once for each position along the scan inputs' axes. Inputs: states, then num_scan_inputs scan
// inputs; the body takes (states..., elements...) and gives (states..., scan outputs...), which are stacked.
#include "ops/control/iterations.h"
#include "ops/control/scan_8.h"
#include "ops/tensor_parts.h"

namespace sdx::ops {
namespace {

struct ScanForm {
  const Graph* body = nullptr;
  size_t states = 0, inputs = 0, outputs = 0;  // outputs: scan outputs alone
  std::span<const int64_t> input_axes, output_axes, input_directions, output_directions;

  static int64_t at(std::span<const int64_t> list, size_t i) { return list.empty() ? 0 : list[i]; }
};

Result<ScanForm> scan_form(const Attributes& attributes, size_t inputs, size_t outputs) {
  ScanForm form;
  const int64_t scanned = attributes.get_int("num_scan_inputs", 0);
  if (scanned < 1 || static_cast<uint64_t>(scanned) > inputs)
    return invalid_argument("num_scan_inputs is {}, it may be 1 to the number of inputs, {}", scanned, inputs);
  form.inputs = static_cast<size_t>(scanned);
  form.states = inputs - form.inputs;
  SDX_ASSIGN(form.body, subgraph(attributes, "body", inputs, std::nullopt));
  const size_t given = form.body->outputs().size();
  if (given < form.states || given < outputs)
    return invalid_argument("body has {} outputs, {} states and {} outputs of the node are wanted", given, form.states,
                            outputs);
  form.outputs = given - form.states;
  const auto list = [&](std::string_view name, size_t count, std::span<const int64_t>& out) -> Status {
    out = attributes.get_ints(name);
    if (!out.empty() && out.size() != count)
      return invalid_argument("{} has {} entries, {} are wanted", name, out.size(), count);
    return {};
  };
  SDX_TRY(list("scan_input_axes", form.inputs, form.input_axes));
  SDX_TRY(list("scan_input_directions", form.inputs, form.input_directions));
  SDX_TRY(list("scan_output_axes", form.outputs, form.output_axes));
  SDX_TRY(list("scan_output_directions", form.outputs, form.output_directions));
  for (const std::string_view name : {"scan_input_directions", "scan_output_directions"})
    for (const int64_t direction : attributes.get_ints(name))
      if (direction != 0 && direction != 1)
        return invalid_argument("attribute {}: a scan direction is {}, not 0 or 1", name, direction);
  return form;
}

Result<int> scan_axis(const InferContext& ctx, std::string_view attribute, int64_t axis, int rank) {
  auto normal = ctx.axis(axis, rank);
  if (normal.ok()) return normal;
  return std::move(normal).status().with_prefix(formatted("attribute {}: ", attribute));
}

Result<Facts> infer_scan(InferContext& ctx) {
  SDX_ASSIGN(const ScanForm form, scan_form(ctx.attributes(), ctx.input_count(), ctx.output_count()));
  std::vector<Fact> states, elements;
  for (size_t i = 0; i < form.states; ++i) states.push_back(ctx.input(i));
  std::optional<Dim> length;
  for (size_t i = 0; i < form.inputs; ++i) {
    const Fact& whole = ctx.input(form.states + i);
    Fact element = Fact::tensor(whole.dtype);
    if (whole.has_rank()) {
      if (whole.rank() == 0) return ctx.fail("scan input {} is a scalar", i);
      SDX_ASSIGN(const int axis, scan_axis(ctx, "scan_input_axes", ScanForm::at(form.input_axes, i), whole.rank()));
      element.shape = whole.shape;
      element.shape->erase(element.shape->begin() + axis);
      if (length) {
        SDX_ASSIGN(length, ctx.same(*length, whole.dim(axis), formatted("length of scan input {}", i)));
      } else {
        length = whole.dim(axis);
      }
    }
    elements.push_back(std::move(element));
  }
  SDX_ASSIGN(LoopFacts facts, infer_loop(ctx, {}, std::move(states), elements, 0));
  if (!length) length = ctx.unknown_dim();
  Facts outputs(std::move(facts.carried));
  for (size_t i = 0; i < form.outputs; ++i) {
    Fact fact = Fact::tensor(facts.rest[i].dtype);
    fact.shape = facts.rest[i].shape;
    if (fact.shape) {
      SDX_ASSIGN(const int axis,
                 scan_axis(ctx, "scan_output_axes", ScanForm::at(form.output_axes, i), fact.rank() + 1));
      fact.shape->insert(fact.shape->begin() + axis, *length);
    }
    outputs.list.push_back(std::move(fact));
  }
  outputs.list.resize(ctx.output_count());
  return outputs;
}

Status scan_reference(KernelContext& ctx) {
  SDX_ASSIGN(const ScanForm form, scan_form(ctx.attributes(), ctx.input_count(), ctx.output_count()));
  std::vector<Value> values(form.states + form.inputs);
  for (size_t i = 0; i < form.states; ++i) values[i] = ctx.input_value(i);
  std::vector<int> axes;
  std::vector<Shape> element_shapes;
  int64_t length = 0;
  for (size_t i = 0; i < form.inputs; ++i) {
    const Tensor& whole = ctx.input(form.states + i);
    const auto axis = normalize_axis(ScanForm::at(form.input_axes, i), whole.rank());
    if (!axis)
      return invalid_argument("scan input {} of shape {} has no axis {}", i, to_text(whole.shape()),
                              ScanForm::at(form.input_axes, i));
    if (i > 0 && whole.dim(*axis) != length)
      return invalid_argument("scan input {} has length {}, input 0 has {}", i, whole.dim(*axis), length);
    length = whole.dim(*axis);
    axes.push_back(*axis);
    element_shapes.push_back(whole.shape());
    element_shapes.back().erase(static_cast<size_t>(*axis));
  }
  std::vector<ScanOutput> scans;
  for (size_t i = 0; i < form.outputs; ++i) scans.emplace_back(i);
  for (int64_t t = 0; t < length; ++t) {
    SDX_TRY(ctx.check_cancelled());
    for (size_t i = 0; i < form.inputs; ++i) {
      const int64_t position = ScanForm::at(form.input_directions, i) == 0 ? t : length - 1 - t;
      SDX_ASSIGN(values[form.states + i],
                 take_part(ctx.input(form.states + i), axes[i], position, 1, element_shapes[i]));
    }
    SDX_ASSIGN(std::vector<Value> results, ctx.subgraphs().run("body", values));
    SDX_CHECK(results.size() == form.states + form.outputs, "a body gave another number of outputs");
    for (size_t i = 0; i < form.states; ++i) values[i] = std::move(results[i]);
    for (size_t i = 0; i < form.outputs; ++i)
      if (ctx.wants_output(form.states + i)) SDX_TRY(scans[i].append(std::move(results[form.states + i])));
  }
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    if (!ctx.wants_output(i)) continue;
    if (i < form.states) {
      ctx.set_output(i, std::move(values[i]));
      continue;
    }
    const size_t k = i - form.states;
    const Fact& formal = formal_fact(*form.body, form.body->outputs()[i]);
    SDX_ASSIGN(Tensor stacked, scans[k].finish(ScanForm::at(form.output_axes, k),
                                               ScanForm::at(form.output_directions, k) == 1, ctx, i, formal));
    ctx.set_output(i, std::move(stacked));
  }
  return {};
}

}  // namespace

SDX_OP(scan) = {
    .name = "Scan",
    .since = 25,
    .infer = infer_scan,
    .reference = scan_reference,
    .upgrades = {{8, scan_8_to_9}},
};

}  // namespace sdx::ops
