#include "session_plan.h"

#include <algorithm>

#include "json_text.h"
#include "plan/memory.h"
#include "plan/size_registers.h"
#include "runtime/count_operations.h"
#include "runtime/step_traces.h"

namespace sdx::api {
namespace {

// Of each step: bytes of the arena while it runs, bytes that it reads and makes, arithmetic (0: none to speak of).
void write_schedule(JsonText& json, const plan::Program& program, const std::map<std::string, int64_t>& numbers) {
  const auto registers = plan::size_registers(program, numbers);
  json.key("schedule");
  if (!registers.ok()) return void(json.null());
  runtime::StepTraces arena(program);
  for (size_t stage = 0; stage < program.stages.size(); ++stage) arena.plan_stage(stage, *registers);
  json.begin_array();
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const bool is_view = program.steps[i].mode == plan::StepMode::view;
    const runtime::StepTensors of = runtime::tensors_of(program, i, *registers, {});
    size_t moved = 0;
    for (const runtime::TensorList* list : {&of.inputs, &of.outputs})
      list->for_each([&](const auto& entry) { moved += is_view ? 0 : entry.bytes; });
    const auto operations =
        runtime::count_operations(program.graph->node(program.steps[i].node), of.inputs, of.outputs);
    json.begin_object().member("arena", static_cast<int64_t>(arena.during(i).in_use));
    json.member("moved", static_cast<int64_t>(moved)).member("operations", operations.value_or(0)).end_object();
  }
  json.end_array();
}

}  // namespace

std::string plan_memory_json(const runtime::Compiled& compiled, const std::map<std::string, int64_t>& numbers) {
  const plan::Program& program = compiled.program();
  JsonText json;
  json.begin_object().member("formula", plan::memory_formula(program));
  json.key("symbols").begin_array();
  const std::vector<std::string> symbols = plan::size_symbols(program);
  for (const std::string& symbol : symbols) json.value(symbol);
  json.end_array().key("bytes");
  const auto estimate = plan::estimate_memory(program, numbers);
  if (estimate.ok()) {
    const auto member = [&](std::string_view name, size_t bytes) { json.member(name, static_cast<int64_t>(bytes)); };
    json.begin_object();
    member("arena", estimate->arena);
    member("outputs", estimate->outputs);
    member("kept", estimate->kept);
    member("packed_weights", estimate->packed_weights);
    member("weights", estimate->weights);
    member("packing", estimate->packing);
    member("bookkeeping", estimate->bookkeeping);
    member("total", estimate->total());
    json.end_object();
  } else {
    json.null();
  }
  write_schedule(json, program, numbers);
  return json.end_object().text();
}

std::string plan_statistics_json(const runtime::Compiled& compiled) {
  const plan::Program& program = compiled.program();
  const auto steps_in = [&](plan::StepMode mode) {
    return std::ranges::count_if(program.steps, [&](const plan::Step& step) { return step.mode == mode; });
  };
  const auto written_in_place = std::ranges::count_if(program.steps, [&](const plan::Step& step) {
    return step.mode == plan::StepMode::planned && program.slots[step.first_output].root != step.first_output;
  });
  const auto constants = std::ranges::count_if(program.constants, [](const auto& one) { return one != nullptr; });
  JsonText json;
  json.begin_object().member("steps", static_cast<int64_t>(program.steps.size()));
  json.member("planned", static_cast<int64_t>(steps_in(plan::StepMode::planned)));
  json.member("views", static_cast<int64_t>(steps_in(plan::StepMode::view)));
  json.member("in_place", static_cast<int64_t>(written_in_place));
  json.member("dynamic", static_cast<int64_t>(steps_in(plan::StepMode::dynamic)));
  json.member("stages", static_cast<int64_t>(program.stages.size()));
  json.member("constants", static_cast<int64_t>(constants));
  return json.end_object().text();
}

}  // namespace sdx::api
