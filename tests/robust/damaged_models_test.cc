// Three small models, cut at every byte and with bits of their bytes changed: each is refused with an error or loads
// and runs. Nothing crashes, hangs, throws, or asks for much memory without saying so.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "base/element.h"
#include "base/sanitizer.h"
#include "memory_limit.h"
#include "onnx/model_file.h"
#include "onnx/proto_walk.h"
#include "runtime/session.h"

namespace sdx::test {
namespace {

using onnx::Bytes;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kDeadline{1000};
constexpr std::chrono::seconds kTooLong{kUnderSanitizer ? 20 : 5};

std::string read_file(const std::string& name) {
  std::ifstream file("tests/data/robust/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

Bytes as_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

// Tensors by name, as make.py stores them.
std::vector<std::pair<std::string, Tensor>> read_tensors(const std::string& name) {
  const std::string bytes = read_file(name);
  auto model = onnx::model_from_bytes(as_bytes(bytes), onnx::Ownership::copy);
  std::vector<std::pair<std::string, Tensor>> tensors;
  if (!model.ok()) ADD_FAILURE() << model.status().message();
  if (!model.ok()) return tensors;
  for (const onnx::TensorProto& message : (*model)->proto.graph->initializer) {
    auto tensor = (*model)->tensor(message);
    if (!tensor.ok()) ADD_FAILURE() << tensor.status().message();
    if (tensor.ok()) tensors.emplace_back(message.name, std::move(tensor).value());
  }
  return tensors;
}

enum class Outcome { refused_at_load, refused_at_run, ran };

class Subject {
 public:
  explicit Subject(const std::string& name)
      : name_(name),
        bytes_(read_file(name + "/model.onnx")),
        inputs_(read_tensors(name + "/inputs.pb")),
        outputs_(read_tensors(name + "/outputs.pb")) {
    for (const auto& [input, tensor] : inputs_) feeds_.push_back({input, tensor});
  }

  const std::string& name() const { return name_; }
  const std::string& bytes() const { return bytes_; }
  std::span<const std::pair<std::string, Tensor>> expected() const { return outputs_; }
  std::string folder() const { return "tests/data/robust/" + name_; }

  static runtime::SessionOptions options_for(Logger& logger) {
    runtime::SessionOptions options;
    options.threads = 1;
    options.random_seed = 1;
    options.logger = &logger;
    return options;
  }

  Result<std::unique_ptr<runtime::Session>> load(const std::string& bytes, onnx::OpenOptions options) const {
    SDX_ASSIGN(auto model, onnx::model_from_bytes(as_bytes(bytes), onnx::Ownership::lend, std::move(options)));
    static Logger silent("", Severity::fatal);
    return runtime::Session::create(std::move(model), options_for(silent));
  }

  Result<std::vector<Value>> run(runtime::Session& session, std::span<const std::string_view> names) const {
    CancelToken cancel;
    cancel.set_deadline(Clock::now() + kDeadline);
    return session.run(feeds_, names, {}, {&cancel});
  }

  // Loads these bytes and runs them with the stored inputs.
  Outcome try_out(const std::string& bytes, onnx::OpenOptions options, const std::string& what) const {
    const auto start = Clock::now();
    Outcome outcome = Outcome::ran;
    try {
      const MemoryLimit limit(size_t{16} << 20);
      auto session = load(bytes, std::move(options));
      if (!session.ok()) {
        EXPECT_FALSE(session.status().message().empty()) << what;
        outcome = Outcome::refused_at_load;
      } else if (const auto results = run(**session, {}); !results.ok()) {
        EXPECT_FALSE(results.status().message().empty()) << what;
        outcome = Outcome::refused_at_run;
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << name_ << ", " << what << ": an exception escapes: " << error.what();
    }
    EXPECT_LT(Clock::now() - start, kTooLong) << name_ << ", " << what << ": slow";
    return outcome;
  }
  Outcome try_out(const std::string& bytes, const std::string& what) const {
    onnx::OpenOptions options;
    options.external_folder = folder();
    return try_out(bytes, std::move(options), what);
  }

  // Which bytes are elements of tensors: there a change is another number, and nothing else.
  std::vector<bool> tensor_bytes() const {
    std::vector<bool> inside(bytes_.size(), false);
    const auto mark = [&](const void* data, size_t size) {
      const auto begin = static_cast<size_t>(static_cast<const char*>(data) - bytes_.data());
      if (data != nullptr && size > 0) std::fill_n(inside.begin() + static_cast<ptrdiff_t>(begin), size, true);
    };
    auto model = onnx::model_from_bytes(as_bytes(bytes_), onnx::Ownership::lend);
    if (!model.ok()) return inside;
    onnx::for_each_message<onnx::TensorProto>((*model)->proto, [&](const onnx::TensorProto& tensor) {
      mark(tensor.raw_data.data(), tensor.raw_data.size());
      mark(tensor.float_data.encoded().data(), tensor.float_data.encoded().size());
      mark(tensor.int64_data.encoded().data(), tensor.int64_data.encoded().size());
    });
    return inside;
  }

 private:
  std::string name_, bytes_;
  std::vector<std::pair<std::string, Tensor>> inputs_, outputs_;
  std::vector<runtime::Feed> feeds_;
};

class damaged_models : public testing::TestWithParam<const char*> {
 protected:
  Subject subject_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(robust, damaged_models, testing::Values("functions", "control", "ml"),
                         [](const auto& parameter) { return std::string(parameter.param); });

void expect_equal(const Tensor& found, const Tensor& wanted, const std::string& name) {
  ASSERT_EQ(found.dtype(), wanted.dtype()) << name;
  ASSERT_EQ(to_text(found.shape()), to_text(wanted.shape())) << name;
  for (int64_t i = 0; i < wanted.count(); ++i) {
    if (wanted.dtype() == DType::string) {
      EXPECT_EQ(found.string_at(i), wanted.string_at(i)) << name << " " << i;
    } else {
      EXPECT_NEAR(load_double(found, i), load_double(wanted, i), 1e-4) << name << " " << i;
    }
  }
}

TEST_P(damaged_models, run_right_when_whole) {
  onnx::OpenOptions options;
  options.external_folder = subject_.folder();
  auto session = subject_.load(subject_.bytes(), std::move(options));
  ASSERT_TRUE(session.ok()) << session.status().message();
  std::vector<std::string_view> names;
  for (const auto& [name, tensor] : subject_.expected()) names.push_back(name);
  const auto results = subject_.run(**session, names);
  ASSERT_TRUE(results.ok()) << results.status().message();
  for (size_t i = 0; i < names.size(); ++i)
    expect_equal((*results)[i].tensor(), subject_.expected()[i].second, std::string(names[i]));
}

TEST_P(damaged_models, cut_at_every_byte) {
  size_t counts[3] = {};
  for (size_t length = 0; length < subject_.bytes().size(); ++length) {
    const std::string what = formatted("cut to {} bytes", length);
    ++counts[static_cast<size_t>(subject_.try_out(subject_.bytes().substr(0, length), what))];
  }
  RecordProperty("refused_at_load", static_cast<int>(counts[0]));
  RecordProperty("refused_at_run", static_cast<int>(counts[1]));
  RecordProperty("ran", static_cast<int>(counts[2]));
  EXPECT_LT(counts[1] + counts[2], 4u);  // where a cut falls between two fields of the model
}

TEST_P(damaged_models, with_changed_bytes) {
  constexpr size_t kRounds = 10000;
  const std::vector<bool> in_tensor = subject_.tensor_bytes();
  std::vector<size_t> structure;
  for (size_t i = 0; i < in_tensor.size(); ++i)
    if (!in_tensor[i]) structure.push_back(i);
  ASSERT_FALSE(structure.empty());
  size_t counts[3] = {};
  const char* one_round = std::getenv("SDX_ROBUST_ROUND");  // to look into one that failed
  for (size_t round = 0; round < kRounds; ++round) {
    if (one_round != nullptr && std::strtoul(one_round, nullptr, 10) != round) continue;
    std::mt19937 random(static_cast<uint32_t>(round));
    const size_t at =
        round % 2 == 0 ? structure[random() % structure.size()] : static_cast<size_t>(random() % in_tensor.size());
    std::string bytes = subject_.bytes();
    const auto old = static_cast<uint8_t>(bytes[at]);
    const uint8_t changed =
        round % 4 < 2 ? old ^ static_cast<uint8_t>(1u << random() % 8) : static_cast<uint8_t>(random());
    bytes[at] = static_cast<char>(changed);
    const std::string what = formatted("round {}: byte {} is {}, was {}", round, at, changed, old);
    if (one_round != nullptr) std::fprintf(stderr, "%s\n", what.c_str());
    ++counts[static_cast<size_t>(subject_.try_out(bytes, what))];
  }
  RecordProperty("refused_at_load", static_cast<int>(counts[0]));
  RecordProperty("refused_at_run", static_cast<int>(counts[1]));
  RecordProperty("ran", static_cast<int>(counts[2]));
}

TEST(external_data, cut_at_every_byte) {
  const Subject subject("functions");
  const std::string weights = read_file("functions/weights.bin");
  for (size_t length = 0; length < weights.size(); ++length) {
    auto cut = MappedFile::copy_of(as_bytes(weights).first(length));
    ASSERT_TRUE(cut.ok());
    onnx::OpenOptions options;
    options.external_blobs = {{"weights.bin", std::move(cut).value()}};
    const auto outcome = subject.try_out(subject.bytes(), std::move(options), formatted("weights of {} bytes", length));
    EXPECT_EQ(outcome, Outcome::refused_at_load) << length;
  }
}

}  // namespace
}  // namespace sdx::test
