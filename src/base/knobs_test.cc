#include "base/knobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace sdx {
namespace {

class KnobsTest : public testing::Test {
 protected:
  void set(const char* name, const char* value) {
    setenv(name, value, 1);
    names_.push_back(name);
    reload_knobs_for_test();
  }
  ~KnobsTest() override {
    for (const char* name : names_) unsetenv(name);
    reload_knobs_for_test();
  }

 private:
  std::vector<const char*> names_;
};

const KnobInfo& knob_named(const std::vector<KnobInfo>& knobs, std::string_view name) {
  return *std::find_if(knobs.begin(), knobs.end(), [&](const auto& knob) { return knob.name == name; });
}

TEST_F(KnobsTest, are_listed_in_order_with_their_environment_variable) {
  const auto knobs = all_knobs();
  EXPECT_TRUE(std::is_sorted(knobs.begin(), knobs.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const auto& knob : knobs) EXPECT_FALSE(knob.sentence.empty()) << knob.name;
  const KnobInfo& threads = knob_named(knobs, "threads");
  EXPECT_EQ(threads.environment, "SARDONYX_THREADS");
  EXPECT_EQ(threads.type, "uint32_t");
  EXPECT_EQ(threads.fallback, "0");
  EXPECT_EQ(knob_named(knobs, "isa").fallback, "best");
}

TEST_F(KnobsTest, take_the_environments_value) {
  set("SARDONYX_THREADS", "3");
  EXPECT_EQ(knob::threads(), 3u);
  set("SARDONYX_LOG_LEVEL", "error");
  EXPECT_EQ(knob::log_level(), "error");
  EXPECT_EQ(knob_named(all_knobs(), "threads").current, "3");
  EXPECT_EQ(knob_named(all_knobs(), "threads").fallback, "0");
}

TEST_F(KnobsTest, bad_values_are_named_once_and_ignored) {
  set("SARDONYX_ISA", "avx2");
  for (const char* bad : {"-1", "3x", "4294967296", "three"}) {
    testing::internal::CaptureStderr();
    set("SARDONYX_THREADS", bad);
    EXPECT_EQ(knob::threads(), 0u);
    EXPECT_EQ(knob::threads(), 0u);
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("SARDONYX_THREADS is \"" + std::string(bad) + "\", wanted uint32_t"), std::string::npos) << log;
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
  }
  testing::internal::CaptureStderr();
  set("SARDONYX_ISA", "sse");
  EXPECT_EQ(knob::isa(), "best");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("wanted best|sse4|"), std::string::npos);
}

TEST_F(KnobsTest, empty_means_unset) {
  set("SARDONYX_THREADS", "");
  EXPECT_EQ(knob::threads(), 0u);
}

TEST_F(KnobsTest, text_outlives_a_change_of_the_environment) {
  set("SARDONYX_LOG_LEVEL", "info");
  const std::string_view level = knob::log_level();
  set("SARDONYX_LOG_LEVEL", "fatal");
  EXPECT_EQ(level, "info");
}

}  // namespace
}  // namespace sdx
