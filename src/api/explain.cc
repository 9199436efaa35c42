#include "explain.h"

#include <algorithm>

#include "explain_layout.h"
#include "json_text.h"
#include "session_plan.h"

namespace sdx::api {
namespace {

using plan::Program;
using plan::Step;

void write_list(JsonText& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_pass(JsonText& json, const passes::Pass& pass) {
  json.member("pass", pass.name).member("level", passes::name(pass.level));
  json.member("exactness", name(pass.exactness));
  json.member("sentence", pass.sentence);
}

void write_passes(JsonText& json, const passes::PipelineReport& report) {
  json.key("passes").begin_array();
  for (const passes::Pass* pass : passes::all_passes()) {
    const auto count = std::ranges::find(report.counts, pass->name, &passes::PassCount::pass);
    json.begin_object();
    write_pass(json, *pass);
    const bool ran = count != report.counts.end();
    json.member("ran", std::string_view(ran ? "yes" : "no"));
    json.member("rewrites", ran ? static_cast<int64_t>(count->rewrites) : 0);
    json.member("microseconds", ran ? count->ns / 1000 : 0);
    json.end_object();
  }
  json.end_array().key("rewrites").begin_array();
  for (const passes::Rewritten& rewrite : report.journal.rewrites) {
    json.begin_object().member("pass", rewrite.pass).member("what", rewrite.what);
    write_list(json, "origins", rewrite.origins);
    json.end_object();
  }
  json.end_array().key("declined").begin_array();
  for (const passes::Declined& declined : report.journal.declines)
    json.begin_object()
        .member("pass", declined.pass)
        .member("node", declined.node)
        .member("reason", declined.reason)
        .end_object();
  json.end_array();
}

std::string_view mode_name(plan::StepMode mode) {
  switch (mode) {
    case plan::StepMode::planned: return "planned";
    case plan::StepMode::view: return "view";
    case plan::StepMode::dynamic: return "dynamic";
  }
  return "";
}

// The kernels that came first in the order of preference, and why they do not run the node.
void write_refusals(JsonText& json, const Program& program, const Step& step, const Node& node) {
  const auto facts = plan::facts_of(*program.graph, node.inputs);
  const NodeFacts view(node, facts);
  json.key("refused").begin_array();
  for (const auto& candidate : step.candidates) {
    const Verdict verdict = candidate->kernel->can_run(view);
    if (verdict) break;
    json.begin_object().member("kernel", candidate->kernel->name).member("reason", verdict.reason()).end_object();
  }
  json.end_array();
}

void write_step(JsonText& json, const Program& program, const Step& step, std::string_view place) {
  const Graph& graph = *program.graph;
  const Node& node = graph.node(step.node);
  json.begin_object().member("node", node.label()).member("domain", node.domain).member("op", node.op);
  if (!place.empty()) json.member("graph", place);
  write_list(json, "origins", node.origins);
  json.member("provider", node.provider.empty() ? "CPUExecutionProvider" : std::string_view(node.provider));
  json.member("mode", mode_name(step.mode));
  const bool by_reference = (step.by_reference && step.candidates.empty()) ||
                            (step.mode == plan::StepMode::planned && step.chosen == nullptr);
  if (step.mode == plan::StepMode::view) {
    json.member("kernel", "none");
  } else if (step.chosen != nullptr) {
    json.member("kernel", step.chosen->kernel->name);
  } else {
    json.member("kernel", by_reference ? "reference" : "chosen by the run");
  }
  write_refusals(json, program, step, node);
  json.key("outputs").begin_array();
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    json.begin_object().member("name", graph.value(output).name);
    json.member("fact", to_text(graph.fact(output), graph.symbols())).end_object();
  }
  json.end_array().end_object();
}

void write_steps(JsonText& json, const Program& program, const std::string& place) {
  for (const Step& step : program.steps) {
    write_step(json, program, step, place);
    for (const plan::Body& body : step.bodies)
      write_steps(json, *body.program,
                  formatted("{}{} of {}", place.empty() ? "" : place + ", ", body.attribute,
                            program.graph->node(step.node).label()));
  }
}

// Where the nodes went before later passes; nothing where the CPU is alone.
void write_placements(JsonText& json, const plan::Partition& partition) {
  json.key("placements").begin_array();
  for (const plan::Placement& placement : partition.placements) {
    json.begin_object().member("node", placement.node).member("domain", placement.domain).member("op", placement.op);
    if (!placement.graph.empty()) json.member("graph", placement.graph);
    write_list(json, "origins", placement.origins);
    json.member("provider", placement.provider);
    if (placement.group) json.member("group", static_cast<int64_t>(*placement.group));
    json.key("refused").begin_array();
    for (const plan::Refusal& refusal : placement.refusals)
      json.begin_object().member("provider", refusal.provider).member("reason", refusal.reason).end_object();
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

std::string explain_json(const runtime::Compiled& compiled) {
  const Program& program = compiled.program();
  JsonText json;
  json.begin_object().member("graph", program.graph->name);
  write_list(json, "providers", compiled.provider_names());
  json.member("copies", static_cast<int64_t>(compiled.copies()));
  json.key("statistics").raw(plan_statistics_json(compiled));
  write_passes(json, compiled.passes());
  write_placements(json, compiled.partition());
  json.key("steps").begin_array();
  write_steps(json, program, "");
  json.end_array().key("layout");
  write_layout(json, program);
  json.key("memory").raw(plan_memory_json(compiled, {}));
  return json.end_object().text();
}

std::string passes_json() {
  JsonText json;
  json.begin_array();
  for (const passes::Pass* pass : passes::all_passes()) {
    json.begin_object();
    write_pass(json, *pass);
    json.end_object();
  }
  return json.end_array().text();
}

}  // namespace sdx::api
