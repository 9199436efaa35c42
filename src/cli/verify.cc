// sardonyx verify: a model as it runs against its plain references, without rewrites and kernels, in double precision;
// --bisect finds the first rewrite, or the kernels, that make the difference.
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
  bool special = false, bisect = false, json = false;
};

// How a session comes to be: so many rewrites, with kernels or without.
struct Variant {
  bool rewrites = true, kernels = true, in_double = false;
  std::string last_rewrite = {};  // "": all
};
constexpr Variant kPlain{.rewrites = false, .kernels = false};
constexpr Variant kPlainDouble{.rewrites = false, .kernels = false, .in_double = true};

sardonyx::Session open(const VerifyCommand& command, const Variant& variant) {
  sardonyx::SessionOptions options;
  options.threads(command.threads);
  if (!variant.rewrites) options.optimization(ORT_DISABLE_ALL);
  if (!variant.kernels) options.config("sardonyx.kernels", "reference");
  if (variant.in_double) options.config("sardonyx.precision", "double");
  if (!variant.last_rewrite.empty()) options.config("sardonyx.last_rewrite", variant.last_rewrite);
  return sardonyx::Session(command.model, options);
}

using Values = std::vector<sardonyx::Value>;

Values run(const sardonyx::Session& session, const std::vector<NamedValue>& values) {
  std::vector<sardonyx::Session::Input> inputs;
  for (const NamedValue& value : values) inputs.emplace_back(value.name, value.value);
  return session.run(inputs);
}

// What the model gives by plain references: in double precision, and in its own types once somebody asks. Rounding to a
// type may decide more than rounding explains (which of two is larger, what an integer becomes), so that an answer is
// right if it agrees with either.
class Verifying {
 public:
  explicit Verifying(const VerifyCommand& command) : command_(command) {
    try {
      const sardonyx::Session plain = open(command, kPlain);
      values_ = read_inputs(plain, command.inputs, command.seed, command.special ? Draw::special : Draw::plain);
      for (const sardonyx::InputOutput& output : plain.outputs()) names_.push_back(output.name);
    } catch (const sardonyx::Error& error) {
      throw CliError(kBadModel, error.what());
    }
    try {
      in_double_ = run(open(command, kPlainDouble), values_);
    } catch (const sardonyx::Error& error) {
      why_not_double_ = error.what();
    }
  }

  // {"status": "pass" | "fail", "reference": "double" | "own types", "why", "error", "outputs": [{"name", "equal",
  //  "agrees_with": "double" | "own types" | "none", "largest_absolute", ...}]}
  Json report(const Variant& variant) {
    Json report{{"status", "pass"}, {"reference", in_double_ ? "double" : "own types"}};
    if (!in_double_) report["why"] = why_not_double_;
    report["outputs"] = Json::array();
    Values found;
    try {
      found = run(open(command_, variant), values_);
    } catch (const sardonyx::Error& error) {
      report["status"] = "fail";
      report["error"] = error.what();
      return report;
    }
    for (size_t i = 0; i < found.size(); ++i) {
      report["outputs"].push_back(output_report(found[i], i, variant.kernels));
      if (!report["outputs"].back()["equal"]) report["status"] = "fail";
    }
    return report;
  }

  bool passes(const Variant& variant) { return report(variant)["status"] == "pass"; }

  // {"kind": "rewrite", "number", "pass", "what", "origins"; or "error" where the model cannot even be loaded with it}
  // or {"kind": "kernels"}: what first goes too far; "precision" where even references in the model's own types do.
  Json culprit() {
    if (!passes({.rewrites = false})) return {{"kind", passes(kPlain) ? "kernels" : "precision"}};
    size_t good = 0, bad = count_rewrites();  // rewrites after which the outputs agree, and do not
    if (bad == 0) return {{"kind", "unknown"}};
    Progress progress("step", 64);
    while (bad - good > 1) {
      const size_t middle = good + (bad - good) / 2;
      (passes({.last_rewrite = std::to_string(middle)}) ? good : bad) = middle;
      progress.step();
    }
    Json found{{"kind", "rewrite"}, {"number", bad}};
    try {
      found.update(Json::parse(open(command_, {.last_rewrite = std::to_string(bad)}).explain())["rewrites"][bad - 1]);
    } catch (const sardonyx::Error& error) {
      found["error"] = error.what();
    }
    return found;
  }

 private:
  // Beside references in the model's own types, unless it is these that are looked at.
  Json output_report(const sardonyx::Value& found, size_t i, bool takes_own_types) {
    const Tolerance tolerance{command_.relative, command_.absolute, true};
    Difference one = difference(found, (in_double_ ? *in_double_ : own())[i], tolerance);
    std::string_view agrees_with = in_double_ ? "double" : "own types";
    if (!one.equal && in_double_ && takes_own_types && difference(found, own()[i], tolerance).equal) {
      agrees_with = "own types";
      one.equal = true;
    }
    if (!one.equal) agrees_with = "none";
    return {{"name", names_[i]},
            {"equal", one.equal},
            {"agrees_with", agrees_with},
            {"largest_absolute", one.largest_absolute},
            {"largest_relative", one.largest_relative},
            {"message", one.message}};
  }

  const Values& own() {
    if (!own_) own_ = run(open(command_, kPlain), values_);
    return *own_;
  }

  // So many that an output differs after them; 0: there are none.
  size_t count_rewrites() {
    try {
      return Json::parse(open(command_, {}).explain())["rewrites"].size();
    } catch (const sardonyx::Error&) {  // with all of them the model cannot be loaded
      size_t count = 1;
      while (count < SIZE_MAX / 2 && passes({.last_rewrite = std::to_string(count)})) count *= 2;
      return count;
    }
  }

  const VerifyCommand& command_;
  std::vector<NamedValue> values_;
  std::vector<std::string> names_;  // of the outputs
  std::optional<Values> in_double_, own_;
  std::string why_not_double_;
};

void print(const Json& report) {
  if (report.contains("why"))
    std::printf("references in the model's own types: %s\n", report["why"].get<std::string>().c_str());
  if (report.contains("error")) std::printf("fail  %s\n", report["error"].get<std::string>().c_str());
  for (const Json& output : report["outputs"])
    std::printf("%-5s %s: at most %.3g off, %.3g relative%s%s%s\n", output["equal"].get<bool>() ? "pass" : "fail",
                output["name"].get<std::string>().c_str(), output["largest_absolute"].get<double>(),
                output["largest_relative"].get<double>(), output["message"].get<std::string>().empty() ? "" : "; ",
                output["message"].get<std::string>().c_str(),
                report["reference"] == "double" && output["agrees_with"] == "own types"
                    ? "; as the references in the model's own types"
                    : "");
  if (!report.contains("culprit")) return;
  const Json& culprit = report["culprit"];
  if (culprit["kind"] == "kernels") {
    std::printf("the kernels differ from the references before any rewrite\n");
  } else if (culprit["kind"] == "precision") {
    std::printf("references in the model's own types differ as well: rounding alone may be the reason\n");
  } else if (culprit.contains("error")) {
    std::printf("rewrite %s: %s\n", culprit["number"].dump().c_str(), culprit["error"].get<std::string>().c_str());
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
  Verifying verifying(command);
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
  command->add_flag("--special", options->special, "random inputs have NaN, infinities, -0 and the ends of integers");
  command->add_option("--threads,-t", options->threads, "threads; 0: the cores that are allowed");
  command->add_flag("--bisect", options->bisect, "name the first rewrite that makes an output differ");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace sdx::cli
