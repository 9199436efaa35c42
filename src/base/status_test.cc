#include "base/status.h"

#include <gtest/gtest.h>

namespace sdx {
namespace {

Status failing() { return invalid_argument("axis is {}, wanted [{}, {})", 7, -2, 2); }
Result<int> half(int value) {
  if (value % 2 != 0) return invalid_argument("{} is odd", value);
  return value / 2;
}
Status quarter(int value, int& out) {
  SDX_ASSIGN(const int once, half(value));
  SDX_ASSIGN(out, half(once));
  return {};
}
Status stops_at_first() {
  SDX_TRY(Status());
  SDX_TRY(failing());
  return make_error(Code::fail, "not reached");
}

TEST(status, ok_has_no_message) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), Code::ok);
  EXPECT_EQ(status.message(), "");
  EXPECT_TRUE(Status(Code::ok, "ignored").ok());
}

TEST(status, context_goes_behind_and_prefix_before) {
  const Status status = failing().with_context("while inferring shapes of a.onnx").with_prefix("conv_12 (Conv): ");
  EXPECT_EQ(status.code(), Code::invalid_argument);
  EXPECT_EQ(status.message(), "conv_12 (Conv): axis is 7, wanted [-2, 2) [while inferring shapes of a.onnx]");
  EXPECT_TRUE(Status().with_context("x").with_prefix("y").ok());
}

TEST(status, copies_are_deep_and_moves_leave_ok) {
  Status status = failing();
  Status copy = status;
  const Status moved = std::move(status);
  EXPECT_EQ(copy.message(), moved.message());
  copy = Status();
  EXPECT_TRUE(copy.ok());
  EXPECT_FALSE(moved.ok());
  const Status& self = copy = moved;
  EXPECT_EQ(self.message(), moved.message());
}

TEST(status, try_and_assign_pass_failures_up) {
  int out = 0;
  EXPECT_TRUE(quarter(12, out).ok());
  EXPECT_EQ(out, 3);
  EXPECT_EQ(quarter(6, out).message(), "3 is odd");
  EXPECT_EQ(stops_at_first().message(), failing().message());
}

TEST(status, result_holds_move_only_values) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  ASSERT_TRUE(result.ok());
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 5);
}

TEST(status, check_throws_internal_error_with_its_place) {
  SDX_CHECK(true, "fine");
  try {
    SDX_CHECK(1 > 2, "order is broken");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("order is broken (1 > 2 at "), std::string::npos) << error.what();
  }
}

TEST(status, code_names_are_onnx_runtimes) {
  EXPECT_EQ(code_name(Code::ok), "OK");
  EXPECT_EQ(code_name(Code::no_such_file), "NO_SUCHFILE");
  EXPECT_EQ(code_name(Code::invalid_protobuf), "INVALID_PROTOBUF");
  EXPECT_EQ(code_name(Code::not_found), "NOT_FOUND");
}

}  // namespace
}  // namespace sdx
