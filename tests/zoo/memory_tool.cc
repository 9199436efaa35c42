// What a run needs in memory against what was foreseen: MODEL FOLDER. For tests/zoo/memory.py.
// Prints {"foreseen": bytes or null, "grown": bytes, "peak_over_rest": bytes, "parts": {...}}: the growth of the
// process's peak from just before the first run, and by how much that peak stood above what stays.
#include <malloc.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/element.h"
#include "onnx/value_proto.h"
#include "plan/memory.h"
#include "runtime/session.h"

namespace {

using namespace sdx;
namespace fs = std::filesystem;

size_t status_bytes(std::string_view key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::stoull(line.substr(key.size() + 1)) * 1024;
  return 0;
}

// Code and constants of the program are the system's pages, shared by all processes: they are made resident first.
void touch_program() {
  std::ifstream maps("/proc/self/maps");
  const std::string program = fs::read_symlink("/proc/self/exe");
  volatile char sink = 0;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    char read = 0;
    if (line.find(program) == std::string::npos) continue;
    if (std::sscanf(line.c_str(), "%lx-%lx %c", &begin, &end, &read) != 3 || read != 'r') continue;
    for (uintptr_t at = begin; at < end; at += 4096) sink = *reinterpret_cast<const volatile char*>(at);
  }
  (void)sink;
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

std::vector<runtime::Feed> stored_inputs(const runtime::Session& session, const fs::path& folder) {
  std::vector<runtime::Feed> feeds;
  for (size_t i = 0; i < session.inputs().size(); ++i) {
    const fs::path file = folder / formatted("input_{}.pb", i);
    if (!fs::exists(file)) continue;
    const auto& input = session.inputs()[i];
    const std::string bytes = read_file(file);
    feeds.push_back({input.name, onnx::value_from_bytes(std::as_bytes(std::span(bytes)), input.fact.kind).value()});
  }
  return feeds;
}

std::map<std::string, int64_t> symbols_of(const runtime::Session& session, std::span<const runtime::Feed> feeds) {
  std::map<std::string, int64_t> numbers;
  const auto compiled = session.compiled();
  const Graph& graph = compiled->graph();
  for (const runtime::Feed& feed : feeds) {
    const Fact& fact = graph.fact(*graph.find_value(feed.name));
    if (!feed.value.is_tensor() || !fact.shape) continue;
    for (int axis = 0; axis < fact.rank(); ++axis)
      numbers.emplace(graph.symbols().to_text(fact.dim(axis)), feed.value.tensor().dim(axis));
    for (size_t i = 0; fact.elements && i < fact.elements->size(); ++i)
      numbers.emplace(graph.symbols().to_text((*fact.elements)[i]),
                      load_i64(feed.value.tensor(), static_cast<int64_t>(i)));
  }
  return numbers;
}

int fail(const Status& status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return fail(invalid_argument("MODEL FOLDER is wanted"));
  auto model = onnx::open_model(arguments[1]);
  if (!model.ok()) return fail(model.status());
  const auto session = runtime::Session::create(std::move(model).value(), {});
  if (!session.ok()) return fail(session.status());
  const auto feeds = stored_inputs(**session, arguments[2]);
  const auto estimate = plan::estimate_memory((*session)->compiled()->program(), symbols_of(**session, feeds));
  touch_program();
  malloc_trim(0);  // what the load left free would hide growth
  const size_t before = status_bytes("VmRSS:");
  reset_peak();
  const auto outputs = (*session)->run(feeds, {});
  if (!outputs.ok()) return fail(outputs.status());
  const size_t peak = status_bytes("VmHWM:"), after = status_bytes("VmRSS:");
  const std::string foreseen = estimate.ok() ? formatted("{}", estimate->total()) : "null";
  std::string parts;
  if (estimate.ok())
    parts = formatted(
        "\"arena\": {}, \"outputs\": {}, \"kept\": {}, \"packed\": {}, \"weights\": {}, \"bookkeeping\": {}, "
        "\"packing\": {}",
        estimate->arena, estimate->outputs, estimate->kept, estimate->packed_weights, estimate->weights,
        estimate->bookkeeping, estimate->packing);
  std::printf("{\"foreseen\": %s, \"grown\": %zu, \"peak_over_rest\": %zu, \"parts\": {%s}}\n", foreseen.c_str(),
              peak - before, peak - after, parts.c_str());
  return 0;
}
