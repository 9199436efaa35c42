#include "base/cancel.h"

#include <gtest/gtest.h>

#include <string>

namespace sdx {
namespace {

using namespace std::chrono_literals;

TEST(cancel, nothing_set_never_stops) {
  CancelToken token;
  EXPECT_TRUE(token.check().ok());
  EXPECT_FALSE(token.stopped());
}

TEST(cancel, a_request_from_another_thread_stops) {
  CancelToken token;
  std::thread([&] { token.request(); }).join();
  EXPECT_EQ(token.check().message(), "the run was terminated: its terminate flag is set");
  EXPECT_TRUE(token.stopped());
}

TEST(cancel, a_watched_flag_stops_and_stays_so) {
  std::atomic<bool> flag{false};
  CancelToken token;
  token.watch(flag);
  EXPECT_TRUE(token.check().ok());
  flag = true;
  EXPECT_FALSE(token.check().ok());
  flag = false;
  EXPECT_FALSE(token.check().ok());
}

TEST(cancel, a_deadline_stops) {
  CancelToken token;
  token.set_deadline(CancelToken::Clock::now() + 10ms);
  EXPECT_TRUE(token.check().ok());
  std::this_thread::sleep_for(11ms);
  EXPECT_EQ(token.check().message(), "the run passed its deadline");
}

TEST(cancel, polls_rarely_and_on_its_own_thread_only) {
  struct State {
    int calls = 0;
    bool go_on = true;
    std::thread::id thread;
  } state;
  CancelToken token;
  token.set_poll(
      [](void* param) {
        auto* s = static_cast<State*>(param);
        ++s->calls;
        s->thread = std::this_thread::get_id();
        return s->go_on;
      },
      &state);
  std::thread([&] { EXPECT_TRUE(token.check().ok()); }).join();
  EXPECT_EQ(state.calls, 0);
  EXPECT_TRUE(token.check().ok());
  EXPECT_EQ(state.calls, 0);  // a run that ends sooner is never polled
  std::this_thread::sleep_for(CancelToken::kPollInterval + 10ms);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(token.check().ok());
  EXPECT_EQ(state.calls, 1);
  EXPECT_EQ(state.thread, std::this_thread::get_id());
  state.go_on = false;
  std::this_thread::sleep_for(CancelToken::kPollInterval + 10ms);
  EXPECT_NE(token.check().message().find("poll callback"), std::string::npos);
  bool other_sees_it = false;
  std::thread([&] { other_sees_it = token.stopped(); }).join();
  EXPECT_TRUE(other_sees_it);
}

}  // namespace
}  // namespace sdx
