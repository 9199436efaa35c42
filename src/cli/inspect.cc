// sardonyx inspect: what a model is: inputs, outputs, symbols, operators, weights, opsets, metadata.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "sardonyx.hpp"

namespace sdx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InspectOptions {
  std::string model;
  bool json = false;
  bool graph = false;
  bool shapes = false;
};

std::string shape_text(const Json& shape) {
  if (shape.is_null()) return "[...]";
  std::string text = "[";
  for (const Json& dim : shape) {
    if (text.size() > 1) text += ", ";
    text += dim.is_string() ? dim.get<std::string>() : dim.is_null() ? "?" : dim.dump();
  }
  return text + "]";
}

void print_values(const Json& values, const char* title) {
  if (values.empty()) return;
  std::printf("%s\n", title);
  for (const Json& value : values) {
    const std::string type = value["type"];
    std::printf("  %-32s %s%s\n", value["name"].get<std::string>().c_str(), type.c_str(),
                value["kind"] == "tensor" ? (" " + shape_text(value["shape"])).c_str() : "");
  }
}

// Every value's shape, and what the numbers of a run are taken to be.
void print_shapes(const Json& model) {
  print_values(model["values"], "values");
  if (!model["assumptions"].empty()) std::printf("assumptions\n");
  for (const Json& one : model["assumptions"]) {
    const std::string kind = one["kind"];
    if (kind == "symbol") {
      std::string places;
      for (const Json& place : one["places"]) places += (places.empty() ? "" : ", ") + place.get<std::string>();
      std::printf("  %s is one size: %s\n", one["symbol"].get<std::string>().c_str(), places.c_str());
    } else if (kind == "declared") {
      std::printf("  %s is declared %s, inferred %s\n", one["value"].get<std::string>().c_str(),
                  one["declared"].get<std::string>().c_str(), one["inferred"].get<std::string>().c_str());
    } else {
      std::printf("  %s: %s\n", one["node"].get<std::string>().c_str(), one["condition"].get<std::string>().c_str());
    }
  }
}

void print(const Json& model) {
  std::printf("%s\n", model["path"].is_string() ? model["path"].get<std::string>().c_str() : "");
  std::printf("  IR version %s", model["ir_version"].dump().c_str());
  for (const auto& [domain, version] : model["opsets"].items())
    std::printf(", %s %s", domain.c_str(), version.dump().c_str());
  const std::string producer = model["producer_name"];
  if (!producer.empty())
    std::printf(", by %s %s", producer.c_str(), model["producer_version"].get<std::string>().c_str());
  std::printf("\n");
  print_values(model["inputs"], "inputs");
  print_values(model["overridable"], "inputs with a default");
  print_values(model["outputs"], "outputs");
  if (!model["symbols"].empty()) {
    std::printf("symbols\n ");
    for (const Json& symbol : model["symbols"]) std::printf(" %s", symbol.get<std::string>().c_str());
    std::printf("\n");
  }
  const Json& weights = model["weights"];
  std::printf("weights\n  %s tensors, %.1f MB:", weights["count"].dump().c_str(), weights["bytes"].get<double>() / 1e6);
  for (const auto& [type, bytes] : weights["by_type"].items())
    std::printf(" %s %.1f MB", type.c_str(), bytes.get<double>() / 1e6);
  std::printf("\noperators (%s nodes)\n", model["nodes"].dump().c_str());
  for (const Json& op : model["operators"]) {
    const std::string domain = op["domain"];
    std::printf("  %6s %s%s\n", op["count"].dump().c_str(),
                domain.empty() || domain == "ai.onnx" ? "" : (domain + ".").c_str(),
                op["op"].get<std::string>().c_str());
  }
  for (const Json& function : model["functions"])
    std::printf("function %s.%s, %s nodes\n", function["domain"].get<std::string>().c_str(),
                function["name"].get<std::string>().c_str(), function["nodes"].dump().c_str());
  if (!model["metadata"].empty()) std::printf("metadata\n");
  for (const auto& [key, value] : model["metadata"].items())
    std::printf("  %s = %.200s\n", key.c_str(), value.get<std::string>().c_str());
  for (const Json& warning : model["warnings"])
    std::fprintf(stderr, "warning: %s\n", warning.get<std::string>().c_str());
}

int inspect(const InspectOptions& options) {
  try {
    if (options.graph) {
      std::fputs(sardonyx::dump_graph(options.model).c_str(), stdout);
      return kSuccess;
    }
    const std::string text = sardonyx::inspect(options.model);
    if (options.json) {
      std::printf("%s\n", text.c_str());
    } else {
      const Json model = Json::parse(text);
      print(model);
      if (options.shapes) print_shapes(model);
    }
  } catch (const sardonyx::Error& error) {
    throw CliError(kBadModel, error.what());
  }
  return kSuccess;
}

}  // namespace

void add_inspect(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("inspect", "show a model's inputs, outputs, operators, weights, opsets, metadata");
  auto options = std::make_shared<InspectOptions>();
  command->add_option("MODEL", options->model, "an .onnx file")->required();
  command->add_flag("--json", options->json, "as JSON");
  command->add_flag("--shapes", options->shapes, "every value's shape and what runs are assumed to keep, too");
  command->add_flag("--graph", options->graph, "print the graph as text instead");
  command->callback([options, &exit_code] { exit_code = inspect(*options); });
}

}  // namespace sdx::cli
