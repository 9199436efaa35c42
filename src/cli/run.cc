// sardonyx run: loads a model, runs it, shows or writes the outputs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/load_model.h"
#include "cli/model_inputs.h"
#include "cli/profile_table.h"
#include "cli/progress.h"

namespace sdx::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNamedByTime = "true";  // what a flag without a value holds

struct RunCommand {
  std::string model;
  std::vector<std::string> inputs;
  std::string output;
  int repeat = 1;
  int threads = 0;
  uint64_t seed = 1;
  std::string profile;  // a file; "": none; kNamedByTime: one named after the time
  bool json = false;
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::string file_name(const std::string& name) {
  std::string safe = name;
  for (char& c : safe)
    if (c == '/' || c == '\\' || c == ':') c = '_';
  return safe;
}

Json summary(const sardonyx::Value& value) {
  Json summary{{"type", sardonyx::to_text(value.type())}};
  if (!value.is_tensor()) return summary;
  summary["shape"] = value.shape();
  if (value.data_type() == sardonyx::DataType::string) {
    summary["first"] = value.strings();
    if (summary["first"].size() > 8) summary["first"].erase(summary["first"].begin() + 8, summary["first"].end());
    return summary;
  }
  const std::vector<double> elements = value.to_doubles();
  Json first = Json::array();
  double least = HUGE_VAL, most = -HUGE_VAL;
  size_t not_finite = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i < 8) first.push_back(elements[i]);
    if (!std::isfinite(elements[i])) {
      ++not_finite;
      continue;
    }
    least = std::min(least, elements[i]);
    most = std::max(most, elements[i]);
  }
  summary["first"] = std::move(first);
  if (least <= most) {
    summary["min"] = least;
    summary["max"] = most;
  }
  if (not_finite > 0) summary["not_finite"] = not_finite;
  return summary;
}

void write_output(const std::string& folder, const std::string& name, size_t index, const sardonyx::Value& value) {
  const std::filesystem::path base = std::filesystem::path(folder);
  if (value.is_tensor()) write_file((base / (file_name(name) + ".npy")).string(), format_npy(value));
  write_file((base / ("output_" + std::to_string(index) + ".pb")).string(), value.to_proto(name));
}

sardonyx::SessionOptions session_options(const std::string& profile) {
  sardonyx::SessionOptions options;
  if (!profile.empty()) options.profile(profile == kNamedByTime ? "sardonyx_profile" : profile);
  return options;
}

// The session's profile, which goes under the name that was asked for, or, where the command fails, away.
class Profile {
 public:
  Profile(const std::string& file, sardonyx::Session& session) : file_(file), session_(session) {}
  ~Profile() {
    try {
      if (!file_.empty()) std::filesystem::remove(session_.end_profiling());
    } catch (const std::exception&) {  // the failure that the command ends with is told
    }
  }

  // Its file, which is complete.
  std::string finish() {
    std::string file;
    try {
      file = session_.end_profiling();
      if (file_ != kNamedByTime) {
        std::filesystem::rename(file, file_);
        file = file_;
      }
    } catch (const std::exception& error) {
      throw CliError(kBadFile, error.what());
    }
    file_.clear();
    return file;
  }

 private:
  std::string file_;
  sardonyx::Session& session_;
};

int run(const RunCommand& options) {
  auto start = std::chrono::steady_clock::now();
  sardonyx::Session session = load_model(options.model, options.threads, session_options(options.profile));
  Profile profile(options.profile, session);
  const double load_ms = milliseconds_since(start);
  const std::vector<NamedValue> values = read_inputs(session, options.inputs, options.seed);
  std::vector<sardonyx::Session::Input> inputs;
  inputs.reserve(values.size());
  for (const NamedValue& value : values) inputs.emplace_back(value.name, value.value);
  std::vector<double> times;
  std::vector<sardonyx::Value> outputs;
  {
    Progress progress("run", static_cast<size_t>(options.repeat));
    for (int i = 0; i < options.repeat; ++i) {
      start = std::chrono::steady_clock::now();
      outputs = session.run(inputs);
      times.push_back(milliseconds_since(start));
      progress.step();
    }
  }
  if (!options.output.empty()) {
    std::filesystem::create_directories(options.output);
    for (size_t i = 0; i < outputs.size(); ++i) write_output(options.output, session.outputs()[i].name, i, outputs[i]);
  }
  std::vector<double> sorted = times;
  std::ranges::sort(sorted);
  Json report{{"model", options.model},    {"load_ms", load_ms},
              {"first_run_ms", times[0]},  {"median_run_ms", sorted[sorted.size() / 2]},
              {"least_run_ms", sorted[0]}, {"runs", times.size()}};
  report["outputs"] = Json::array();
  for (size_t i = 0; i < outputs.size(); ++i) {
    Json entry{{"name", session.outputs()[i].name}};
    entry.update(summary(outputs[i]));
    report["outputs"].push_back(std::move(entry));
  }
  ProfileSummary summed;
  if (!options.profile.empty()) {
    report["profile"]["file"] = profile.finish();
    summed = summarize_profile(report["profile"]["file"]);
    report["profile"].update(Json::parse(profile_to_json(summed)));
  }
  if (options.json) {
    std::printf("%s\n", report.dump().c_str());
    return kSuccess;
  }
  std::printf("loaded in %.1f ms, first run %.2f ms", load_ms, times[0]);
  if (times.size() > 1)
    std::printf(", median of %zu runs %.2f ms, least %.2f ms", times.size(), sorted[sorted.size() / 2], sorted[0]);
  std::printf("\n");
  for (const Json& entry : report["outputs"]) {
    std::printf("%s: %s", entry["name"].get<std::string>().c_str(), entry["type"].get<std::string>().c_str());
    if (entry.contains("first")) std::printf(" %s", entry["first"].dump().c_str());
    if (entry.contains("min")) std::printf(" in [%g, %g]", entry["min"].get<double>(), entry["max"].get<double>());
    std::printf("\n");
  }
  if (options.profile.empty()) return kSuccess;
  print_profile(summed);
  std::printf("\nprofile written to %s\n", report["profile"]["file"].get<std::string>().c_str());
  return kSuccess;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "run a model");
  auto options = std::make_shared<RunCommand>();
  command->add_option("MODEL", options->model, "an .onnx file")->required();
  command->add_option("--input,-i", options->inputs,
                      "NAME=FILE.npy, NAME=FILE.pb, NAME=random:1x3x224x224 or FILE.npz; may be repeated");
  command->add_option("--output,-o", options->output,
                      "folder for the outputs: NAME.npy of tensors, output_N.pb of all");
  command->add_option("--repeat,-n", options->repeat, "number of runs")->check(CLI::PositiveNumber);
  command->add_option("--threads,-t", options->threads, "threads; 0: the cores that are allowed")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seed", options->seed, "of random inputs");
  command->add_flag(
      "--profile", options->profile,
      "show where the time goes; =FILE: where the trace is written, else sardonyx_profile_DATE_TIME.json");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace sdx::cli
