// Profiles through sardonyx.hpp: of a session, and of one run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::RunOptions;
using sardonyx::Session;
using sardonyx::SessionOptions;
using XValue = sardonyx::Value;
namespace fs = std::filesystem;

constexpr float kX[] = {-1, 2, -3, 4, -5, 6};

class profile : public testing::Test {
 protected:
  profile() : folder_(fs::temp_directory_path() / ("sdx_profile_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~profile() override { fs::remove_all(folder_); }

  std::string prefix(const char* name) const { return folder_ / name; }
  size_t count(const std::string& start) const {
    size_t found = 0;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename().string().starts_with(start)) ++found;
    return found;
  }
  static Session session(const SessionOptions& options = {}) {
    const std::string model = clip_model();
    return Session::from_bytes(as_bytes(model), options);
  }
  static void run(const Session& session, const RunOptions* options = nullptr) {
    const XValue x = XValue::tensor<float>(kX, {2, 3});
    session.run({{"x", x}}, {}, options);
  }
  static std::vector<std::string> names(const fs::path& path) {
    std::vector<std::string> names;
    for (const auto& event : nlohmann::json::parse(std::ifstream(path)))
      if (event["ph"] == "X") names.push_back(event["name"]);
    return names;
  }
  static uint64_t start_of(const Session& session) {
    const OrtApi* api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
    uint64_t start = 1;
    EXPECT_EQ(api->SessionGetProfilingStartTimeNs(session.handle(), &start), nullptr);
    return start;
  }

  fs::path folder_;
};

TEST_F(profile, of_a_session_holds_its_load_and_its_runs) {
  SessionOptions options;
  options.profile(prefix("s"));
  Session profiled = session(options);
  EXPECT_GT(start_of(profiled), 0u);
  run(profiled);
  const std::string file = profiled.end_profiling();
  const auto all = names(file);
  ASSERT_GE(all.size(), 5u);
  EXPECT_EQ(all[0], "model_loading_array");
  EXPECT_EQ(all[1], "session_initialization");
  EXPECT_EQ(all.back(), "model_run");
  EXPECT_EQ(profiled.end_profiling(), "");
}

TEST_F(profile, is_empty_where_nobody_asked) {
  SessionOptions options;
  options.profile(prefix("s"));
  const OrtApi* api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  ASSERT_EQ(api->DisableProfiling(options.handle()), nullptr);
  Session plain = session(options);
  run(plain);
  EXPECT_EQ(start_of(plain), 0u);
  EXPECT_EQ(plain.end_profiling(), "");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(profile, of_a_run_is_a_file_of_its_own) {
  const Session plain = session();
  RunOptions options;
  options.profile(prefix("r"));
  run(plain, &options);
  run(plain, &options);
  EXPECT_EQ(count("r_"), 2u);
  for (const auto& entry : fs::directory_iterator(folder_)) EXPECT_EQ(names(entry.path()).back(), "model_run");
  const OrtApi* api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  ASSERT_EQ(api->RunOptionsDisableProfiling(options.handle()), nullptr);
  run(plain, &options);
  EXPECT_EQ(count("r_"), 2u);
}

TEST_F(profile, of_a_run_gives_way_to_that_of_the_session) {
  SessionOptions options;
  options.profile(prefix("s")).log_severity(ORT_LOGGING_LEVEL_FATAL);
  Session profiled = session(options);
  RunOptions run_options;
  run_options.profile(prefix("r"));
  run(profiled, &run_options);
  EXPECT_EQ(count("r_"), 0u);
  EXPECT_EQ(names(profiled.end_profiling()).back(), "model_run");
  run(profiled, &run_options);
  EXPECT_EQ(count("r_"), 1u);
}

TEST_F(profile, that_cannot_be_written_does_not_stop_runs) {
  SessionOptions options;
  options.profile(prefix("missing/s")).log_severity(ORT_LOGGING_LEVEL_FATAL);
  Session profiled = session(options);
  run(profiled);
  EXPECT_THROW(profiled.end_profiling(), sardonyx::Error);
  RunOptions run_options;
  run_options.profile(prefix("missing/r"));
  EXPECT_NO_THROW(run(profiled, &run_options));
}

}  // namespace
}  // namespace sdx::test
