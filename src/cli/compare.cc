// sardonyx compare: runs a model on stored inputs and holds its outputs against stored ones (test_data_set folders).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "cli/difference.h"
#include "cli/files.h"
#include "cli/load_model.h"
#include "cli/progress.h"

namespace sdx::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct CompareOptions {
  std::string model;
  std::vector<std::string> folders;
  std::string list;
  int threads = 0;
  bool json = false;
};

struct Case {
  std::string model;
  std::vector<std::string> folders;
};

Tolerance tolerance_of(const fs::path& model) {
  Tolerance tolerance;
  std::ifstream file(model.parent_path() / "tol");
  if (file && !(file >> tolerance.relative >> tolerance.absolute))
    throw CliError(kBadFile,
                   (model.parent_path() / "tol").string() + ": two numbers are wanted, relative and absolute");
  return tolerance;
}

struct StoredInputs {
  std::vector<std::string> names;
  std::vector<sardonyx::Value> values;
};

StoredInputs stored_inputs(const sardonyx::Session& session, const fs::path& folder) {
  StoredInputs stored;
  for (size_t i = 0; i < session.inputs().size(); ++i) {
    const fs::path file = folder / ("input_" + std::to_string(i) + ".pb");
    if (!fs::exists(file)) continue;
    stored.names.push_back(session.inputs()[i].name);
    stored.values.push_back(sardonyx::Value::from_proto(read_file(file.string()), session.inputs()[i].type.kind));
  }
  return stored;
}

// One folder: {"folder", "status", "message", "outputs": [{"name", "equal", "largest_absolute", ...}]}.
Json compare_folder(const sardonyx::Session& session, const fs::path& folder, const Tolerance& tolerance) {
  Json report{{"folder", folder.string()}, {"status", "pass"}, {"message", ""}, {"outputs", Json::array()}};
  const StoredInputs stored = stored_inputs(session, folder);
  std::vector<sardonyx::Session::Input> inputs;
  for (size_t i = 0; i < stored.names.size(); ++i) inputs.emplace_back(stored.names[i], stored.values[i]);
  const std::vector<sardonyx::Value> outputs = session.run(inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const fs::path file = folder / ("output_" + std::to_string(i) + ".pb");
    if (!fs::exists(file)) continue;
    const sardonyx::InputOutput& output = session.outputs()[i];
    const sardonyx::Kind kind = output.type.kind == sardonyx::Kind::none ? outputs[i].kind() : output.type.kind;
    const auto found = difference(outputs[i], sardonyx::Value::from_proto(read_file(file.string()), kind), tolerance);
    report["outputs"].push_back({{"name", output.name},
                                 {"equal", found.equal},
                                 {"largest_absolute", found.largest_absolute},
                                 {"largest_relative", found.largest_relative},
                                 {"where", found.where}});
    if (found.equal || report["status"] == "fail") continue;
    report["status"] = "fail";
    report["message"] = "output " + output.name + ": " + found.message;
  }
  return report;
}

// {"model", "status": "pass" | "fail" | "error", "message", "sets": [...]}
Json compare_case(const Case& test, int threads) {
  Json report{{"model", test.model}, {"status", "pass"}, {"message", ""}, {"sets", Json::array()}};
  try {
    const sardonyx::Session session = load_model(test.model, threads);
    for (const std::string& folder : test.folders) {
      Json set = compare_folder(session, folder, tolerance_of(test.model));
      if (set["status"] != "pass" && report["status"] == "pass") {
        report["status"] = set["status"];
        report["message"] = set["message"];
      }
      report["sets"].push_back(std::move(set));
    }
  } catch (const CliError& error) {
    report["status"] = "error";
    report["message"] = error.what();
    report["exit"] = error.code();
  } catch (const std::exception& error) {
    report["status"] = "error";
    report["message"] = error.what();
    report["exit"] = kRunFailed;
  }
  return report;
}

std::vector<Case> cases_of(const CompareOptions& options) {
  if (options.list.empty()) return {{options.model, options.folders}};
  std::istringstream lines(read_file(options.list));
  std::vector<Case> cases;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    Case test;
    std::getline(fields, test.model, '\t');
    for (std::string folder; std::getline(fields, folder, '\t');) test.folders.push_back(folder);
    if (!test.model.empty()) cases.push_back(std::move(test));
  }
  return cases;
}

int compare(const CompareOptions& options) {
  const std::vector<Case> cases = cases_of(options);
  Progress progress("case", cases.size());
  int worst = kSuccess;
  size_t passed = 0;
  for (const Case& test : cases) {
    const Json report = compare_case(test, options.threads);
    progress.step();
    passed += report["status"] == "pass";
    if (report["status"] == "fail") worst = std::max<int>(worst, kDifferent);
    if (report["status"] == "error") worst = std::max(worst, report["exit"].get<int>());
    if (options.json) {
      std::printf("%s\n", report.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    } else if (report["status"] != "pass" || cases.size() == 1) {
      std::printf("%-5s %s %s\n", report["status"].get<std::string>().c_str(), test.model.c_str(),
                  report["message"].get<std::string>().c_str());
    }
    std::fflush(stdout);
  }
  if (!options.json && cases.size() > 1) std::printf("%zu of %zu pass\n", passed, cases.size());
  return cases.size() == 1 ? worst : (passed == cases.size() ? kSuccess : kDifferent);
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("compare", "run a model on stored inputs and compare with stored outputs");
  auto options = std::make_shared<CompareOptions>();
  auto* model = command->add_option("MODEL", options->model,
                                    "an .onnx file; a file `tol` beside it holds the relative and absolute tolerance");
  auto* folders = command->add_option("FOLDER", options->folders, "folders of input_N.pb and output_N.pb");
  auto* list = command->add_option("--list", options->list, "a file of many cases: MODEL<tab>FOLDER<tab>... a line");
  model->excludes(list);
  folders->excludes(list);
  command->add_option("--threads,-t", options->threads, "threads; 0: the cores that are allowed")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", options->json, "one JSON object a case and line");
  command->callback([options, &exit_code] {
    if (options->list.empty() && (options->model.empty() || options->folders.empty()))
      throw CliError(kUsage, "compare: MODEL and FOLDER, or --list, are wanted");
    exit_code = compare(*options);
  });
}

}  // namespace sdx::cli
