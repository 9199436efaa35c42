// Many threads on one session, and sessions that come and go meanwhile: the bits are those of one thread alone.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/sanitizer.h"
#include "models.h"

namespace sdx::test {
namespace {

using sardonyx::Session;
using sardonyx::SessionOptions;

constexpr int kRounds = kUnderSanitizer ? 6 : 25;

struct Work {
  sardonyx::Value x;
  std::string bits;
};

Session session_of(int threads) {
  const std::string model = mixed_model();
  return Session::from_bytes(as_bytes(model), SessionOptions().threads(threads));
}

std::string run(const Session& session, const sardonyx::Value& x) { return bits_of(session.run({{"x", x}})); }

std::vector<Work> work_of_one_thread() {
  const Session session = session_of(1);
  std::vector<Work> all;
  for (const std::vector<int64_t>& shape :
       std::vector<std::vector<int64_t>>{{1, 3, 24, 24}, {2, 3, 17, 31}, {1, 3, 40, 9}, {3, 3, 12, 12}}) {
    auto x = noise(shape, static_cast<uint32_t>(all.size()) + 7);
    std::string bits = run(session, x);
    all.push_back({std::move(x), std::move(bits)});
  }
  return all;
}

template <typename Body>
void on_threads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&, i] { body(i); });
  for (auto& thread : threads) thread.join();
}

TEST(clients, any_number_of_threads_gives_the_same_bits) {
  const auto work = work_of_one_thread();
  for (const int threads : {2, 3, 8}) {
    const Session session = session_of(threads);
    for (const Work& item : work) EXPECT_EQ(run(session, item.x), item.bits) << threads << " threads";
  }
}

TEST(clients, eight_share_one_session) {
  const auto work = work_of_one_thread();
  for (const int threads : {1, 2, 3}) {
    const Session session = session_of(threads);
    std::atomic<int> wrong{0};
    on_threads(8, [&](int client) {
      for (int round = 0; round < kRounds; ++round) {
        const Work& item = work[static_cast<size_t>(client + round) % work.size()];
        wrong += run(session, item.x) != item.bits;
      }
    });
    EXPECT_EQ(wrong, 0) << threads << " threads";
  }
}

TEST(clients, sessions_come_and_go_while_others_run) {
  const auto work = work_of_one_thread();
  const Session lasting = session_of(2);
  std::atomic<int> wrong{0};
  on_threads(6, [&](int client) {
    for (int round = 0; round < kRounds; ++round) {
      const Work& item = work[static_cast<size_t>(client + round) % work.size()];
      if (client % 2 == 0) {
        wrong += run(lasting, item.x) != item.bits;
      } else {
        // Of other sizes too, so that pools come and go as well.
        const Session passing = session_of(1 + (client + round) % 4);
        wrong += run(passing, item.x) != item.bits;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(clients, a_run_that_fails_disturbs_nobody) {
  const auto work = work_of_one_thread();
  const Session session = session_of(2);
  std::atomic<int> wrong{0}, failed{0};
  on_threads(6, [&](int client) {
    for (int round = 0; round < kRounds; ++round) {
      const Work& item = work[static_cast<size_t>(client + round) % work.size()];
      if (client % 3 != 0) {
        wrong += run(session, item.x) != item.bits;
        continue;
      }
      sardonyx::RunOptions options;
      options.time_limit(std::chrono::microseconds(1 + 40 * round));
      try {
        wrong += bits_of(session.run({{"x", item.x}}, {}, &options)) != item.bits;
      } catch (const sardonyx::Error&) {
        ++failed;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(failed, 0);
}

}  // namespace
}  // namespace sdx::test
