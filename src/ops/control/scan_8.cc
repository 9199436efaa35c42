// The old Scan becomes a Scan over the batch, whose body is a Scan over the time axis with the old body. Where lengths
// are given, the inner Scan sees the first `length` steps, and its scan outputs are filled up with zeros.
#include "ops/control/scan_8.h"

namespace sdx::ops {
namespace {

// Writes the body over one element of the batch.
class BatchBody {
 public:
  explicit BatchBody(SymbolTable& symbols) : graph_(std::make_unique<Graph>(symbols)) {}

  Graph& graph() { return *graph_; }
  ValueId input(std::string_view name) { return graph_->add_input(name, {}); }
  ValueId ints(std::vector<int64_t> values) { return graph_->add_initializer("constant", vector_i64(values)); }
  std::vector<ValueId> add(std::string_view op, std::vector<ValueId> inputs, size_t outputs,
                           std::vector<Attribute> attributes = {}, std::vector<ValueId> captures = {}) {
    Node node;
    node.op = op;
    node.opset = kOpset;
    node.inputs = std::move(inputs);
    node.captures = std::move(captures);
    node.attributes.list() = std::move(attributes);
    for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(graph_->add_value(op));
    std::vector<ValueId> made = node.outputs;
    graph_->add_node(std::move(node));
    return made;
  }
  ValueId add_one(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes = {}) {
    return add(op, std::move(inputs), 1, std::move(attributes))[0];
  }
  GraphBox finish() { return GraphBox(std::move(graph_)); }

 private:
  static constexpr int kOpset = 28;  // the newest, as of all nodes of an upgrade
  std::unique_ptr<Graph> graph_;
};

}  // namespace

Status scan_8_to_9(UpgradeContext& ctx) {
  const auto* old_body = ctx.attributes().get<GraphBox>("body");
  if (old_body == nullptr) return ctx.fail("attribute body is missing");
  const int64_t scanned = ctx.attributes().get_int("num_scan_inputs", 0);
  const size_t inputs = ctx.node().inputs.empty() ? 0 : ctx.node().inputs.size() - 1;
  if (scanned < 1 || static_cast<uint64_t>(scanned) > inputs)
    return ctx.fail("num_scan_inputs is {}, it may be 1 to {}", scanned, inputs);
  const size_t states = inputs - static_cast<size_t>(scanned), outputs = (*old_body)->outputs().size();
  if (outputs < states) return ctx.fail("body has {} outputs for {} states", outputs, states);
  const bool has_lengths = ctx.has_input(0);
  const auto directions = ctx.attributes().get_ints("directions");

  BatchBody batch(ctx.graph().symbols());
  ValueId length = kNoValue;
  if (has_lengths) length = batch.add_one("Reshape", {batch.input("length"), batch.ints({1})});
  std::vector<ValueId> inner_inputs;
  for (size_t i = 0; i < inputs; ++i) inner_inputs.push_back(batch.input(i < states ? "state" : "scanned"));
  ValueId missing = kNoValue;  // steps that a short sequence lacks
  if (has_lengths) {
    const ValueId zero = batch.ints({0});
    const ValueId whole = batch.add_one("Shape", {inner_inputs[states]}, {attr("start", 0), attr("end", 1)});
    missing = batch.add_one("Sub", {whole, length});
    for (size_t i = states; i < inputs; ++i)
      inner_inputs[i] = batch.add_one("Slice", {inner_inputs[i], zero, length, zero});
  }

  // The old body moves one graph further in: what it captured from the outer graph now comes through the batch's body.
  GraphBox body = *old_body;
  std::vector<ValueId> captures;
  for (size_t i = 0; i < body->captures().size(); ++i) {
    const Capture capture = body->captures()[i];
    const ValueInfo& outer = ctx.graph().value(capture.outer);
    const ValueId passed = batch.graph().add_capture(capture.outer, outer.name, outer.fact);
    body->set_capture_outer(i, passed);
    captures.push_back(passed);
  }
  std::vector<Attribute> attributes = {attr("num_scan_inputs", scanned), {"body", std::move(body)}};
  if (!directions.empty())
    attributes.push_back(attr("scan_input_directions", std::vector<int64_t>(directions.begin(), directions.end())));
  std::vector<ValueId> results = batch.add("Scan", inner_inputs, outputs, std::move(attributes), std::move(captures));
  for (size_t i = states; has_lengths && i < outputs; ++i) {
    const ValueId pads = batch.add_one("Concat", {batch.ints({0}), missing}, {attr("axis", 0)});
    results[i] = batch.add_one("Pad", {results[i], pads, kNoValue, batch.ints({0})});
  }
  for (const ValueId result : results) batch.graph().add_output(result);

  Node& node = ctx.node();
  if (!has_lengths) node.inputs.erase(node.inputs.begin());
  node.attributes.remove("directions");
  node.attributes.set("num_scan_inputs", static_cast<int64_t>(node.inputs.size()));
  node.attributes.set("body", batch.finish());
  return {};
}

}  // namespace sdx::ops
