#include "base/stop_point.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/element.h"

namespace sdx {
namespace {

int64_t elements_until_stopped(CancelToken& token) {
  int64_t looked_at = 0;
  const StopScope scope(&token);
  try {
    for (; looked_at < 1'000'000; ++looked_at) stop_point();
  } catch (const Stopped&) {
    EXPECT_FALSE(token.check().ok());
  }
  return looked_at;
}

TEST(stop_point, throws_soon_after_the_token_says_so) {
  CancelToken token;
  EXPECT_EQ(elements_until_stopped(token), 1'000'000);
  token.request();
  EXPECT_LE(elements_until_stopped(token), 4096);
}

TEST(stop_point, does_nothing_outside_a_scope) {
  for (int i = 0; i < 100'000; ++i) stop_point();
  const StopScope none(nullptr);
  stop_point(int64_t{1} << 40);
}

TEST(stop_point, scopes_nest) {
  CancelToken outer, inner;
  outer.request();
  const StopScope outer_scope(&outer);
  EXPECT_EQ(elements_until_stopped(inner), 1'000'000);  // the inner token decides
  EXPECT_THROW(stop_point(1 << 20), Stopped);
}

TEST(stop_point, belongs_to_a_thread) {
  CancelToken token;
  token.request();
  const StopScope scope(&token);
  std::thread([] { stop_point(1 << 20); }).join();
}

TEST(stop_point, lies_in_element_accesses) {
  Tensor tensor = Tensor::allocate(DType::f16, Shape{16}).value();
  CancelToken token;
  token.request();
  const StopScope scope(&token);
  const auto touch = [&] {
    for (int i = 0; i < 10'000; ++i) store_double(tensor, i % 16, load_double(tensor, i % 16) + 1);
  };
  EXPECT_THROW(touch(), Stopped);
}

}  // namespace
}  // namespace sdx
