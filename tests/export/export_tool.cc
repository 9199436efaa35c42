// Exports models, or parts of them, for tests/export/run.py: each line of the file named is MODEL<tab>OUT<tab>LEAST OPSET,
// and may go on with <tab> and the names of nodes (a node without one goes by its first output), separated by <tab>. Answers one line
// each: OUT<tab>opset of ai.onnx, or OUT<tab>error: why.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "onnx/exporter.h"
#include "onnx/writer.h"

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
    const auto& origins = graph.node(id).origins;
    if (!origins.empty() && std::ranges::find(names, origins[0]) != names.end()) nodes.push_back(id);
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

void answer(const std::string& out, const Status& status) {
  std::string message(status.message());
  std::ranges::replace(message, '\n', ' ');
  std::printf("%s\terror: %s\n", out.c_str(), message.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
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
      auto made = onnx::import_model(*model);
      if (!made.ok()) {
        answer(fields[1], made.status());
        continue;
      }
      imported = std::move(made).value();
    }
    if (!imported) continue;
    const auto opset = export_to(*model, *imported, fields[1], std::atoi(fields[2].c_str()), std::span(fields).subspan(3));
    if (opset.ok()) {
      std::printf("%s\t%lld\n", fields[1].c_str(), static_cast<long long>(*opset));
    } else {
      answer(fields[1], opset.status());
    }
  }
  return 0;
}
