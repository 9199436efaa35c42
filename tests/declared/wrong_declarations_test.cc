// Models that declare what is not so (tests/data/declared/make.py): they run, give what numpy gives, and say so once.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "base/element.h"
#include "onnx/model_file.h"
#include "runtime/session.h"

namespace sdx::test {
namespace {

// When it shows that the declaration is wrong.
enum class Shows : uint8_t {
  at_load,
  at_run,
};

struct Wrong {
  const char* name;
  Shows shows;
  const char* warning;  // a part of it
};

class Warnings {
 public:
  std::vector<std::string> take() { return std::exchange(list_, {}); }
  Logger& logger() { return logger_; }

 private:
  static void write(void* self, Severity severity, const char*, const char*, const char*, const char* message) {
    if (severity >= Severity::warning) static_cast<Warnings*>(self)->list_.emplace_back(message);
  }
  std::vector<std::string> list_;
  Logger logger_{"test", Severity::warning, write, this};
};

class wrong_declarations : public testing::TestWithParam<Wrong> {
 protected:
  static std::string read_file(const std::string& suffix) {
    std::ifstream file("tests/data/declared/" + (GetParam().name + suffix), std::ios::binary);
    EXPECT_TRUE(file.good()) << suffix;
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Tensors whose name begins with `prefix`, under the rest of it.
  static std::vector<std::pair<std::string, Tensor>> values(std::string_view prefix) {
    const std::string bytes = read_file(".values.pb");
    const auto model = onnx::model_from_bytes(std::as_bytes(std::span(bytes)), onnx::Ownership::copy);
    std::vector<std::pair<std::string, Tensor>> list;
    for (const onnx::TensorProto& message : (*model)->proto.graph->initializer) {
      const std::string_view name = message.name;
      if (!name.starts_with(prefix)) continue;
      Tensor tensor = (*model)->tensor(message).value();
      Tensor copy = Tensor::allocate(tensor.dtype(), tensor.shape()).value();
      std::memcpy(const_cast<std::byte*>(copy.bytes()), tensor.bytes(), tensor.byte_size());
      list.emplace_back(name.substr(prefix.size()), std::move(copy));
    }
    return list;
  }

  Result<std::unique_ptr<runtime::Session>> load(bool strict_shapes) {
    bytes_ = read_file(".onnx");
    SDX_ASSIGN(auto model, onnx::model_from_bytes(std::as_bytes(std::span(bytes_)), onnx::Ownership::copy));
    runtime::SessionOptions options;
    options.threads = 1;
    options.strict_shapes = strict_shapes;
    options.random_seed = 1;
    options.logger = &warnings_.logger();
    return runtime::Session::create(std::move(model), options);
  }

  static void run(runtime::Session& session) {
    const auto given = values("in:"), wanted = values("out:");
    std::vector<runtime::Feed> feeds;
    for (const auto& [name, tensor] : given) feeds.push_back({name, tensor});
    const auto found = session.run(feeds, {});
    ASSERT_TRUE(found.ok()) << found.status().message();
    ASSERT_EQ(found->size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Tensor &y = (*found)[i].tensor(), &expected = wanted[i].second;
      ASSERT_EQ(y.dtype(), expected.dtype());
      ASSERT_EQ(to_text(y.shape()), to_text(expected.shape()));
      for (int64_t k = 0; k < y.count(); ++k) EXPECT_EQ(load_double(y, k), load_double(expected, k)) << k;
    }
  }

  std::string bytes_;
  Warnings warnings_;
};

INSTANTIATE_TEST_SUITE_P(
    declared, wrong_declarations,
    testing::Values(Wrong{"value_shape", Shows::at_load, "\"h\" is declared f32[2, 4] but is f32[2, 3]"},
                    Wrong{"value_rank", Shows::at_load, "\"h\" is declared f32[2, 3, 1] but is f32[2, 3]"},
                    Wrong{"value_type", Shows::at_load, "\"h\" is declared i64[2, 3] but is f32[2, 3]"},
                    Wrong{"output_shape", Shows::at_load, "\"y\" is declared f32[3, 2] but is f32[2, 3]"},
                    Wrong{"output_rank", Shows::at_load, "\"y\" is declared f32[6] but is f32[2, 3]"},
                    Wrong{"input_and_output", Shows::at_load, "\"y\" is declared f32[n] but is f32[2*n]"},
                    Wrong{"through_a_value", Shows::at_load, "\"h\" is declared f32[n] but is f32[2*n]"},
                    Wrong{"declared_equal", Shows::at_load, "\"y\" is declared f32[n] but is f32[n + 2]"},
                    Wrong{"sum_of_symbols", Shows::at_load, "\"y\" is declared f32[n] but is f32[n + m]"},
                    Wrong{"in_a_branch", Shows::at_load, "\"h_Abs\" is declared f32[2, 7] but is f32[2, 3]"},
                    Wrong{"two_inputs", Shows::at_run, "the symbol n is 3 and 1"},
                    Wrong{"two_axes", Shows::at_run, "the symbol n is 2 and 3"},
                    Wrong{"fixed_output", Shows::at_run, "the model declares"},
                    Wrong{"from_an_input", Shows::at_run, "the model declares"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_P(wrong_declarations, run_and_warn_once) {
  const auto session = load(false);
  ASSERT_TRUE(session.ok()) << session.status().message();
  const auto at_load = warnings_.take();
  for (int round = 0; round < 2; ++round) run(**session);
  const auto at_run = warnings_.take();
  const auto expect = [&](const std::vector<std::string>& found, Shows when) {
    ASSERT_EQ(found.size(), GetParam().shows == when ? 1U : 0U);
    for (const std::string& warning : found) EXPECT_NE(warning.find(GetParam().warning), std::string::npos) << warning;
  };
  expect(at_load, Shows::at_load);
  expect(at_run, Shows::at_run);
}

TEST_P(wrong_declarations, are_refused_where_shapes_are_strict) {
  EXPECT_EQ(load(true).ok(), GetParam().shows != Shows::at_load);
}

}  // namespace
}  // namespace sdx::test
