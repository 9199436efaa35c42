// Providers by name through the C API, and what explain says of them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explain.h"
#include "onnx/testing/model_builder.h"
#include "onnx/writer.h"
#include "providers/testing/rule_provider.h"
#include "runtime/provider_registry.h"
#include "session_handle.h"
#include "status_handle.h"
#include "tables.h"

namespace sdx::api {
namespace {

using nlohmann::json;
using providers::RuleProvider;
using providers::Rules;

std::string text_of(OrtStatus* status) {
  if (status == nullptr) return {};
  std::string text = ort_api::GetErrorMessage(status);
  ort_api::ReleaseStatus(status);
  return text;
}

class Registered {
 public:
  explicit Registered(Rules rules) : name_(rules.name) {
    EXPECT_TRUE(runtime::register_provider(std::make_shared<RuleProvider>(std::move(rules))));
  }
  ~Registered() { EXPECT_TRUE(runtime::unregister_provider(name_)); }

 private:
  std::string name_;
};

std::string model_bytes() {
  onnx::ModelBuilder model(17);
  model.input("x", DType::f32, {"n", "4"});
  model.node("Relu", {"x"}, {"a"}, {}, "rectify");
  model.node("Exp", {"a"}, {"b"}, {}, "grow");
  model.node("Neg", {"b"}, {"y"}, {}, "turn");
  model.output("y", DType::f32, {"n", "4"});
  return onnx::write_model_to_string(model.model()).value();
}

struct Options {
  OrtSessionOptions* handle = nullptr;
  Options() { EXPECT_EQ(text_of(ort_api::CreateSessionOptions(&handle)), ""); }
  ~Options() { ort_api::ReleaseSessionOptions(handle); }
  std::string append(const char* name) {
    return text_of(ort_api::SessionOptionsAppendExecutionProvider(handle, name, nullptr, nullptr, 0));
  }
};

json explained(Options& options) {
  EXPECT_EQ(text_of(ort_api::AddSessionConfigEntry(options.handle, "sardonyx.explain", "1")), "");
  OrtEnv* env = nullptr;
  EXPECT_EQ(text_of(ort_api::CreateEnv(ORT_LOGGING_LEVEL_FATAL, "test", &env)), "");
  const std::string bytes = model_bytes();
  OrtSession* session = nullptr;
  EXPECT_EQ(text_of(ort_api::CreateSessionFromArray(env, bytes.data(), bytes.size(), options.handle, &session)), "");
  json report = session != nullptr ? json::parse(explain_json(*session->engine->compiled())) : json();
  ort_api::ReleaseSession(session);
  ort_api::ReleaseEnv(env);
  return report;
}

TEST(providers, registered_ones_are_available_and_explained) {
  const Registered first({.name = "First", .memory = Rules::Memory::own, .operators = {"Exp"}});
  const Registered second({.name = "Second", .style = Rules::Style::compiles, .operators = {"Neg"}});
  char** names = nullptr;
  int count = 0;
  ASSERT_EQ(text_of(ort_api::GetAvailableProviders(&names, &count)), "");
  EXPECT_EQ(std::vector<std::string>(names, names + count),
            (std::vector<std::string>{"First", "Second", "CPUExecutionProvider"}));
  EXPECT_EQ(ort_api::ReleaseAvailableProviders(names, count), nullptr);

  Options options;
  EXPECT_EQ(options.append("First"), "");
  EXPECT_EQ(options.append("Second"), "");
  EXPECT_NE(options.append("Third"), "");
  const json report = explained(options);
  EXPECT_EQ(report["providers"], json({"First", "Second", "CPUExecutionProvider"}));
  EXPECT_EQ(report["copies"], 2);
  ASSERT_EQ(report["placements"].size(), 3u);
  for (const json& placement : report["placements"]) {
    const std::string op = placement["op"];
    EXPECT_EQ(placement["provider"], op == "Exp" ? "First" : op == "Neg" ? "Second" : "CPUExecutionProvider");
    EXPECT_EQ(placement.contains("group"), op == "Neg");
    EXPECT_TRUE(op != "Relu" || placement["refused"][0]["reason"] == "it does not run Relu");
  }
  std::vector<std::string> steps;
  for (const json& step : report["steps"])
    steps.push_back(step["op"].get<std::string>() + " " + step["provider"].get<std::string>() + " " +
                    step["kernel"].get<std::string>());
  EXPECT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[1], "MemcpyFromHost First memcpy_from_host");
  EXPECT_EQ(steps[2], "Exp First rule_reference");
  EXPECT_EQ(steps[4], "CompiledGroup Second compiled");
}

TEST(providers, the_cpu_alone_asks_nobody) {
  Options options;
  EXPECT_EQ(options.append("CPU"), "");
  const json report = explained(options);
  EXPECT_EQ(report["providers"], json({"CPUExecutionProvider"}));
  EXPECT_EQ(report["copies"], 0);
  EXPECT_TRUE(report["placements"].empty());
}

TEST(providers, a_name_is_registered_once) {
  const Registered one({.name = "One"});
  EXPECT_FALSE(runtime::register_provider(std::make_shared<RuleProvider>(Rules{.name = "One"})));
  EXPECT_FALSE(runtime::register_provider(std::make_shared<RuleProvider>(Rules{.name = "CPUExecutionProvider"})));
  EXPECT_FALSE(runtime::unregister_provider("Two"));
}

}  // namespace
}  // namespace sdx::api
