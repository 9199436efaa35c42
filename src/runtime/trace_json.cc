#include "runtime/trace_json.h"

#include <algorithm>
#include <string_view>

namespace sdx::runtime {
namespace {

// As onnxruntime's profiles spell element types: those of the standard but for the newer ones.
std::string_view type_name(DType type) {
  switch (type) {
    case DType::f8e4m3fn: return "Float8E4M3FN";
    case DType::f8e4m3fnuz: return "Float8E4M3FNUZ";
    case DType::f8e5m2: return "Float8E5M2";
    case DType::f8e5m2fnuz: return "Float8E5M2FNUZ";
    case DType::f8e8m0: return "Float8E8M0";
    case DType::u4: return "UInt4x2";
    case DType::i4: return "Int4x2";
    case DType::u2: return "UInt2x4";
    case DType::i2: return "Int2x4";
    default: return info(type).onnx_name;
  }
}

// [{"float": [2, 3]}, {"int64": []}]
void put_shapes(JsonText& json, std::string_view name, const TensorList& tensors) {
  json.key(name).begin_array();
  tensors.for_each([&](const TensorList::Entry& entry) {
    json.begin_object().key(type_name(entry.dtype)).begin_array();
    for (const int64_t dim : entry.dims) json.value(dim);
    json.end_array().end_object();
  });
  json.end_array();
}

void put_text(JsonText& json, std::string_view name, int64_t number) { json.member(name, std::to_string(number)); }
void put_text(JsonText& json, std::string_view name, size_t number) { json.member(name, std::to_string(number)); }

// Bytes that are in use with so much of the arena, of the graph and of those around it.
struct InUse {
  size_t arena, other, requested;
  size_t total() const { return arena + other; }
};

InUse in_use(const TracedMemory& memory, size_t used, const ArenaUse& own) {
  const size_t other = used > memory.held ? used - memory.held : 0;
  return {memory.outer.in_use + own.in_use, other, other + memory.outer.requested + own.requested};
}

int64_t difference(size_t after, size_t before) { return static_cast<int64_t>(after) - static_cast<int64_t>(before); }

}  // namespace

void TraceJson::put_step(JsonText& json, const TraceEvent& event, const TracedMemory& memory, size_t peak) const {
  const StepRecord& step = *event.step;
  size_t activations = 0, parameters = 0, made = 0;
  step.inputs.for_each([&](const auto& entry) { (entry.constant ? parameters : activations) += entry.bytes; });
  step.outputs.for_each([&](const auto& entry) { made += entry.bytes; });
  const InUse before = in_use(memory, memory.used_before, step.before);
  const InUse after = in_use(memory, memory.used_after, step.during);
  json.member("op_name", step.facts->op);
  json.member("provider", step.facts->provider);
  put_text(json, "node_index", step.facts->node_index);
  json.member("thread_scheduling_stats", "");  // as where one thread runs: the pool keeps none
  put_shapes(json, "input_type_shape", step.inputs);
  put_shapes(json, "output_type_shape", step.outputs);
  put_text(json, "activation_size", activations);
  put_text(json, "parameter_size", parameters);
  put_text(json, "output_size", made);
  put_text(json, "mem_bytes_in_use", after.total());
  put_text(json, "mem_in_use_delta", difference(after.total(), before.total()));
  put_text(json, "mem_in_use_peak", peak);
  put_text(json, "mem_bytes_requested_in_use", after.requested);
  put_text(json, "mem_requested_in_use_delta", difference(after.requested, before.requested));
  put_text(json, "mem_arena_held", memory.used_after);
  put_text(json, "mem_arena_held_delta", difference(memory.used_after, memory.used_before));
  // What onnxruntime's profiles do not say.
  json.member("kernel", step.kernel.empty() ? std::string_view("reference") : step.kernel);
  json.key("origins").begin_array();
  for (const std::string& origin : step.facts->origins) json.value(origin);
  json.end_array();
  if (step.facts->origins.size() > 1) {
    json.key("fused_from").begin_array();
    for (const std::string& origin : step.facts->origins) {
      const auto found = operators_.find(origin);
      json.value(found != operators_.end() ? std::string_view(found->second) : std::string_view());
    }
    json.end_array();
  }
  put_text(json, "duration_ns", scale_.length(event.end - event.start));
  put_text(json, "bytes", activations + parameters + made);
  if (step.operations) put_text(json, "operations", *step.operations);
}

std::string TraceJson::event_line(const TraceEvent& event, const TracedMemory* memory, size_t peak) const {
  const int64_t start = microseconds(event.start);
  JsonText json;
  json.begin_object().member("cat", event.step != nullptr ? "Node" : "Session");
  json.member("pid", int64_t{process_}).member("tid", int64_t{event.thread});
  json.member("dur", microseconds(event.end) - start).member("ts", start).member("ph", "X");
  json.member("name", event.step != nullptr ? event.step->facts->name + "_kernel_time"
                                            : std::string(name(static_cast<SessionEvent>(event.detail))));
  json.key("args").begin_object();
  if (memory != nullptr) put_step(json, event, *memory, peak);
  json.end_object().end_object();
  return json.text();
}

std::string TraceJson::memory_line(const TraceEvent& event, const Thread& thread) const {
  JsonText json;
  json.begin_object().member("cat", "Memory").member("pid", int64_t{process_}).member("tid", int64_t{event.thread});
  json.member("id", int64_t{event.thread});
  json.member("ts", microseconds(event.step != nullptr ? event.start : event.end)).member("ph", "C");
  json.member("name", "memory_in_use").key("args").begin_object();
  json.member("arena", static_cast<int64_t>(thread.arena)).member("other", static_cast<int64_t>(thread.other));
  json.end_object().end_object();
  return json.text();
}

std::string TraceJson::lines(const TraceEvent& event, std::span<const TracedMemory> memories) {
  const bool ends_run = event.step == nullptr && static_cast<SessionEvent>(event.detail) == SessionEvent::run;
  if (event.step == nullptr && !ends_run) return event_line(event, nullptr, 0);
  Thread& thread = threads_[event.thread];
  const TracedMemory* memory = event.step != nullptr ? &memories[event.detail] : nullptr;
  InUse now{};  // at the end of a run, nothing is
  if (memory != nullptr) now = in_use(*memory, memory->used_after, event.step->during);
  thread.peak = ends_run ? 0 : std::max(thread.peak, now.total());
  std::string text = event_line(event, memory, thread.peak);
  if (thread.has_line && thread.arena == now.arena && thread.other == now.other) return text;
  thread.arena = now.arena, thread.other = now.other, thread.has_line = true;
  return text + ",\n" + memory_line(event, thread);
}

}  // namespace sdx::runtime
