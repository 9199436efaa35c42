// sardonyx verify: a model as it runs against its plain references, without rewrites and kernels; --bisect finds the
// first rewrite, or the kernels, that make the difference.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/difference.h"
#include "cli/exit_code.h"
#include "cli/model_inputs.h"
#include "cli/progress.h"

namespace sdx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyCommand {
  std::string model;
  std::vector<std::string> inputs;
  double relative = 1e-3, absolute = 1e-5;
  uint64_t seed = 0;
  int threads = 0;
  bool bisect = false, json = false;
};

// How a session comes to be: so many rewrites, with kernels or without.
struct Variant {
  bool rewrites = true, kernels = true;
  std::string last_rewrite = {};  // "": all
};

sardonyx::Session open(const VerifyCommand& command, const Variant& variant) {
  try {
    sardonyx::SessionOptions options;
    options.threads(command.threads);
    if (!variant.rewrites) options.optimization(ORT_DISABLE_ALL);
    if (!variant.kernels) options.config("sardonyx.kernels", "reference");
    if (!variant.last_rewrite.empty()) options.config("sardonyx.last_rewrite", variant.last_rewrite);
    return sardonyx::Session(command.model, options);
  } catch (const sardonyx::Error& error) {
    throw CliError(kBadModel, error.what());
  }
}

std::vector<sardonyx::Value> run(const sardonyx::Session& session, const std::vector<NamedValue>& values) {
  std::vector<sardonyx::Session::Input> inputs;
  for (const NamedValue& value : values) inputs.emplace_back(value.name, value.value);
  return session.run(inputs);
}

class Verifying {
 public:
  explicit Verifying(const VerifyCommand& command)
      : command_(command),
        reference_(open(command, {.rewrites = false, .kernels = false})),
        values_(read_inputs(reference_, command.inputs, command.seed)),
        wanted_(run(reference_, values_)) {}

  // {"status": "pass" | "fail", "outputs": [{"name", "equal", "largest_absolute", ...}]}
  Json report(const Variant& variant) const {
    const std::vector<sardonyx::Value> found = run(open(command_, variant), values_);
    Json report{{"status", "pass"}, {"outputs", Json::array()}};
    for (size_t i = 0; i < found.size(); ++i) {
      const Difference one = difference(found[i], wanted_[i], {command_.relative, command_.absolute});
      report["outputs"].push_back({{"name", reference_.outputs()[i].name},
                                   {"equal", one.equal},
                                   {"largest_absolute", one.largest_absolute},
                                   {"largest_relative", one.largest_relative},
                                   {"message", one.message}});
      if (!one.equal) report["status"] = "fail";
    }
    return report;
  }

  bool passes(const Variant& variant) const { return report(variant)["status"] == "pass"; }

  // {"kind": "rewrite", "number", "pass", "what", "origins"} or {"kind": "kernels"}: what first goes too far.
  Json culprit() const {
    if (!passes({.rewrites = false})) return {{"kind", "kernels"}};
    const Json explained = Json::parse(open(command_, {}).explain());
    const Json& rewrites = explained["rewrites"];
    size_t good = 0, bad = rewrites.size();  // rewrites after which the outputs agree, and do not
    Progress progress("step", 64);
    while (bad - good > 1) {
      const size_t middle = good + (bad - good) / 2;
      (passes({.last_rewrite = std::to_string(middle)}) ? good : bad) = middle;
      progress.step();
    }
    if (bad == 0) return {{"kind", "unknown"}};
    Json found{{"kind", "rewrite"}, {"number", bad}};
    found.update(rewrites[bad - 1]);
    return found;
  }

 private:
  const VerifyCommand& command_;
  sardonyx::Session reference_;
  std::vector<NamedValue> values_;
  std::vector<sardonyx::Value> wanted_;
};

void print(const Json& report) {
  for (const Json& output : report["outputs"])
    std::printf("%-5s %s: at most %.3g off, %.3g relative%s%s\n", output["equal"].get<bool>() ? "pass" : "fail",
                output["name"].get<std::string>().c_str(), output["largest_absolute"].get<double>(),
                output["largest_relative"].get<double>(), output["message"].get<std::string>().empty() ? "" : "; ",
                output["message"].get<std::string>().c_str());
  if (!report.contains("culprit")) return;
  const Json& culprit = report["culprit"];
  if (culprit["kind"] == "kernels") {
    std::printf("the kernels differ from the references before any rewrite\n");
  } else if (culprit["kind"] == "rewrite") {
    std::printf("rewrite %s of pass %s: %s", culprit["number"].dump().c_str(),
                culprit["pass"].get<std::string>().c_str(), culprit["what"].get<std::string>().c_str());
    std::string origins;
    for (const Json& origin : culprit["origins"]) origins += (origins.empty() ? "" : ", ") + origin.get<std::string>();
    std::printf(" [%s]\n", origins.c_str());
  } else {
    std::printf("nothing was found that makes the difference\n");
  }
}

int verify(const VerifyCommand& command) {
  const Verifying verifying(command);
  Json report = verifying.report({});
  const bool passed = report["status"] == "pass";
  if (command.bisect && !passed) report["culprit"] = verifying.culprit();
  if (command.json) {
    std::printf("%s\n", report.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  } else {
    print(report);
  }
  return passed ? kSuccess : kDifferent;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("verify", "run a model as it is optimized and by its plain references");
  auto options = std::make_shared<VerifyCommand>();
  command->add_option("MODEL", options->model, "an .onnx file")->required();
  command->add_option("--input,-i", options->inputs,
                      "NAME=FILE.npy, NAME=FILE.pb, NAME=random:1x3x224x224 or FILE.npz; may be repeated");
  command->add_option("--rtol", options->relative, "what an element may differ by, relative");
  command->add_option("--atol", options->absolute, "what an element may differ by, absolute");
  command->add_option("--seed", options->seed, "of random inputs");
  command->add_option("--threads,-t", options->threads, "threads; 0: the cores that are allowed");
  command->add_flag("--bisect", options->bisect, "name the first rewrite that makes an output differ");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace sdx::cli
