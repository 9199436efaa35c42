// Sessions in the child of a fork: the pool's threads are gone there, and start again with the first run.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/sanitizer.h"
#include "base/testing/child_process.h"
#include "models.h"

namespace sdx::test {
namespace {

using sdx::testing::exit_code_of_child;

using sardonyx::Session;
using sardonyx::SessionOptions;

Session session_of(int threads) {
  const std::string model = mixed_model();
  return Session::from_bytes(as_bytes(model), SessionOptions().threads(threads));
}

std::string run(const Session& session, const sardonyx::Value& x) { return bits_of(session.run({{"x", x}})); }

TEST(fork, a_live_session_runs_in_a_hundred_children) {
  if (kUnderThreadSanitizer) GTEST_SKIP() << "the thread sanitizer allows no new threads after a fork with threads";
  const Session session = session_of(3);
  const auto x = noise({1, 3, 24, 24}, 1), other = noise({2, 3, 16, 20}, 2);
  const std::string bits = run(session, x), other_bits = run(session, other);
  for (int i = 0; i < 100; ++i) {
    const int code = exit_code_of_child([&] {
      if (run(session, x) != bits || run(session, other) != other_bits) return 1;
      return run(session_of(2), x) == bits ? 0 : 2;
    });
    ASSERT_EQ(code, 0) << "fork " << i;
    ASSERT_EQ(run(session, x), bits) << "fork " << i;
  }
}

TEST(fork, may_meet_runs_of_other_threads) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer's own locks hang the child of a fork among busy threads";
  const Session session = session_of(3);
  const auto x = noise({1, 3, 24, 24}, 1);
  const std::string bits = run(session, x);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i)
    busy.emplace_back([&] {
      while (!stop) wrong += run(session, x) != bits;
    });
  for (int i = 0; i < 100; ++i) {
    const int code = exit_code_of_child([&] { return run(session, x) == bits ? 0 : 1; });
    EXPECT_EQ(code, 0) << "fork " << i;
    if (code != 0) break;
  }
  stop = true;
  for (auto& thread : busy) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(fork, may_meet_loads_and_first_runs_of_other_threads) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer's own locks hang the child of a fork among busy threads";
  const auto x = noise({1, 3, 24, 24}, 1);
  const std::string bits = run(session_of(3), x);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i)
    busy.emplace_back([&, i] {
      while (!stop) wrong += run(session_of(i + 2), x) != bits;
    });
  for (int i = 0; i < 100; ++i) {
    const auto fresh = session_of(2);
    std::thread first_run([&] { wrong += run(fresh, x) != bits; });
    const int code = exit_code_of_child([&] {
      if (run(fresh, x) != bits) return 1;
      return run(session_of(3), x) == bits ? 0 : 2;
    });
    first_run.join();
    EXPECT_EQ(code, 0) << "fork " << i;
    if (code != 0) break;
  }
  stop = true;
  for (auto& thread : busy) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(fork, a_child_may_release_the_session) {
  if (kUnderThreadSanitizer) GTEST_SKIP() << "the thread sanitizer allows no new threads after a fork with threads";
  auto session = std::make_unique<Session>(session_of(2));
  const auto x = noise({1, 3, 24, 24}, 1);
  const std::string bits = run(*session, x);
  EXPECT_EQ(exit_code_of_child([&] {
              session.reset();
              return run(session_of(2), x) == bits ? 0 : 1;
            }),
            0);
  EXPECT_EQ(run(*session, x), bits);
}

}  // namespace
}  // namespace sdx::test
