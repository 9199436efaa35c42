#include "base/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace sdx {
namespace {

struct Line {
  Severity severity;
  std::string category, id, location, message;
};
using Lines = std::vector<Line>;

void collect(void* param, Severity severity, const char* category, const char* id, const char* location,
             const char* message) {
  static_cast<Lines*>(param)->push_back({severity, category, id, location, message});
}

TEST(log, hands_each_line_to_the_callback) {
  Lines lines;
  const Logger logger("session 1", Severity::info, collect, &lines);
  SDX_LOG(logger, warning, "{} of {}", 2, 3);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].severity, Severity::warning);
  EXPECT_EQ(lines[0].id, "session 1");
  EXPECT_EQ(lines[0].message, "2 of 3");
  EXPECT_EQ(lines[0].location.substr(0, 12), "log_test.cc:");
}

TEST(log, does_not_evaluate_what_is_filtered_out) {
  Lines lines;
  Logger logger("", Severity::error, collect, &lines);
  int evaluated = 0;
  SDX_LOG(logger, warning, "{}", ++evaluated);
  EXPECT_EQ(evaluated, 0);
  logger.set_lowest(Severity::verbose);
  SDX_LOG(logger, verbose, "{}", ++evaluated);
  EXPECT_EQ(evaluated, 1);
  EXPECT_EQ(lines.size(), 1u);
}

TEST(log, without_a_callback_one_line_goes_to_stderr) {
  const Logger logger("model", Severity::warning);
  testing::internal::CaptureStderr();
  SDX_LOG(logger, error, "no {}", "luck");
  SDX_LOG(logger, info, "hidden");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("Z [error] model: no luck (log_test.cc:"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(log, a_throwing_callback_does_not_reach_the_caller) {
  const Logger logger("", Severity::verbose, [](void*, Severity, const char*, const char*, const char*, const char*) {
    throw std::runtime_error("from the user");
  });
  EXPECT_NO_THROW(SDX_LOG(logger, fatal, "x"));
}

TEST(log, severities_have_names) {
  EXPECT_EQ(severity_from_name("warning"), Severity::warning);
  EXPECT_EQ(name(Severity::fatal), "fatal");
  EXPECT_FALSE(severity_from_name("loud"));
  EXPECT_EQ(default_logger().lowest(), Severity::warning);
}

}  // namespace
}  // namespace sdx
