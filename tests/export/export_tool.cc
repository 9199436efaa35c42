// Exports models, or parts of them, for tests/export/run.py: each line of the file named is MODEL<tab>OUT<tab>LEAST
// OPSET, and may go on with <tab> and the names of nodes (a node without one goes by its first output), separated by
// <tab>. Answers one line each: OUT<tab>opset of ai.onnx, or OUT<tab>error: why. A second argument, basic or extended,
// is the last level of passes that run before.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "onnx/exporter.h"
#include "onnx/writer.h"
#include "runtime/compiled.h"

namespace {

using namespace sdx;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

std::vector<NodeId> nodes_named(const Graph& graph, std::span<const std::string> names) {
  std::vector<NodeId> nodes;
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    const Node& node = graph.node(id);
    if (!node.alive || node.origins.empty()) continue;
    const bool is_named = std::ranges::find(names, node.name) != names.end();
    if (is_named || std::ranges::find(names, node.origins[0]) != names.end()) nodes.push_back(id);
  }
  return nodes;
}

Result<int64_t> export_to(const onnx::Model& model, const onnx::Imported& imported, const std::string& path,
                          int least_opset, std::span<const std::string> names) {
  onnx::ExportOptions options;
  options.least_opset = least_opset;
  if (!names.empty()) options.nodes = nodes_named(imported.graph, names);
  SDX_ASSIGN(const onnx::Exported exported, onnx::export_model(model, imported, options));
  SDX_TRY(onnx::write_model(exported.proto, path));
  const auto opset = exported.opsets.find("");
  return opset == exported.opsets.end() ? 0 : opset->second;
}

Result<onnx::Imported> prepared(const std::shared_ptr<onnx::Model>& model, std::string_view level) {
  if (level.empty()) return onnx::import_model(*model);
  runtime::CompileOptions options;
  options.passes.to = level == "basic" ? passes::Level::basic : passes::Level::extended;
  SDX_ASSIGN(const auto compiled, runtime::Compiled::create(model, options));
  return compiled->imported();
}

void answer(const std::string& out, const Status& status) {
  std::string message(status.message());
  std::ranges::replace(message, '\n', ' ');
  std::printf("%s\terror: %s\n", out.c_str(), message.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) return 2;
  const std::string_view level = argc == 3 ? argv[2] : "";
  std::ifstream list(argv[1]);
  std::string open_path;
  std::shared_ptr<onnx::Model> model;
  std::optional<onnx::Imported> imported;
  for (std::string line; std::getline(list, line); std::fflush(stdout)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() < 3) continue;
    if (fields[0] != open_path) {
      imported.reset();
      open_path = fields[0];
      auto opened = onnx::open_model(open_path);
      if (!opened.ok()) {
        answer(fields[1], opened.status());
        continue;
      }
      model = std::move(opened).value();
      auto made = prepared(model, level);
      if (!made.ok()) {
        answer(fields[1], made.status());
        continue;
      }
      imported = std::move(made).value();
    }
    if (!imported) continue;
    const auto opset =
        export_to(*model, *imported, fields[1], std::atoi(fields[2].c_str()), std::span(fields).subspan(3));
    if (opset.ok()) {
      std::printf("%s\t%lld\n", fields[1].c_str(), static_cast<long long>(*opset));
    } else {
      answer(fields[1], opset.status());
    }
  }
  return 0;
}
