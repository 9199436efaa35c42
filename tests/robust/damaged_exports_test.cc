// Models with changed bytes that import all the same are exported, as they are and at the newest opset: either a message
// says why not, or what comes out imports again.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "base/sanitizer.h"
#include "onnx/exporter.h"
#include "onnx/writer.h"

namespace sdx::onnx {
namespace {

std::string model_bytes(const std::string& name) {
  std::ifstream file("tests/data/robust/" + name + "/model.onnx", std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

Result<std::string> imported_and_exported(const std::string& bytes, const std::string& folder, int least_opset) {
  SDX_ASSIGN(const auto model,
             model_from_bytes(std::as_bytes(std::span(bytes)), Ownership::lend, {.external_folder = folder}));
  SDX_ASSIGN(const Imported imported, import_model(*model));
  auto exported = export_model(*model, imported, {.nodes = {}, .least_opset = least_opset});
  if (!exported.ok()) return make_error(Code::invalid_argument, "no export: {}", exported.status().message());
  return write_model_to_string(exported->proto);
}

class damaged_exports : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(robust, damaged_exports, testing::Values("functions", "control", "ml"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(damaged_exports, import_again) {
  constexpr int kRounds = kUnderSanitizer ? 200 : 1000;
  const std::string name = GetParam(), whole = model_bytes(name), folder = "tests/data/robust/" + name;
  int exported = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::mt19937 random(static_cast<uint32_t>(round));
    std::string bytes = whole;
    if (round > 0) bytes[random() % bytes.size()] = static_cast<char>(random());
    for (const int least_opset : {0, kNewestOpset}) {
      const auto first = imported_and_exported(bytes, folder, least_opset);
      if (!first.ok()) {
        EXPECT_FALSE(first.status().message().empty());
        EXPECT_TRUE(round > 0) << first.status().message();
        continue;
      }
      ++exported;
      const auto again = imported_and_exported(*first, folder, 0);
      EXPECT_TRUE(again.ok()) << "round " << round << ", at least " << least_opset << ": " << again.status().message();
    }
  }
  EXPECT_GT(exported, kRounds / 4);
}

}  // namespace
}  // namespace sdx::onnx
