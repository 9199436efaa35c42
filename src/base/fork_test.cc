#include "base/fork.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <thread>
#include <vector>

#include "base/sanitizer.h"
#include "base/testing/child_process.h"

namespace sdx {
namespace {

using sdx::testing::exit_code_of_child;

class BusyThreads {
 public:
  template <typename Body>
  BusyThreads(int count, Body body) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this, body] {
        while (!stop_) body();
      });
  }
  ~BusyThreads() {
    stop_ = true;
    for (auto& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

TEST(fork, children_count_on) {
  const uint32_t mine = process_generation();
  EXPECT_EQ(exit_code_of_child([&] {
              if (process_generation() != mine + 1) return 1;
              return exit_code_of_child([&] { return process_generation() == mine + 2 ? 0 : 2; });
            }),
            0);
  EXPECT_EQ(process_generation(), mine);
}

TEST(fork, no_child_finds_a_fork_mutex_held_or_its_data_half_changed) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer's own locks hang the child of a fork among busy threads";
  ForkMutex mutex;
  std::array<int, 64> same = {};
  const BusyThreads busy(2, [&] {
    const std::lock_guard lock(mutex);
    for (int& one : same) ++one;
  });
  for (int i = 0; i < 200; ++i) {
    const int code = exit_code_of_child([&] {
      const std::lock_guard lock(mutex);
      for (const int one : same)
        if (one != same[0]) return 1;
      return 0;
    });
    ASSERT_EQ(code, 0) << "fork " << i;
  }
}

TEST(fork, fork_mutexes_may_come_and_go_meanwhile) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer's own locks hang the child of a fork among busy threads";
  const BusyThreads busy(2, [] {
    std::array<ForkMutex, 3> mutexes;
    for (auto& mutex : mutexes) const std::lock_guard lock(mutex);
  });
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(exit_code_of_child([] {
                ForkMutex mutex;
                const std::lock_guard lock(mutex);
                return 0;
              }),
              0)
        << "fork " << i;
}

TEST(takeover_mutex, excludes) {
  TakeoverMutex mutex;
  int64_t count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 20000; ++j) {
        const std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(count, 80000);
}

TEST(takeover_mutex, is_free_in_a_child_whose_parent_holds_it) {
  TakeoverMutex mutex;
  std::atomic<int> step{0};
  std::thread holder([&] {
    const std::lock_guard lock(mutex);
    step = 1;
    while (step != 2) std::this_thread::yield();
  });
  while (step != 1) std::this_thread::yield();
  EXPECT_EQ(exit_code_of_child([&] {
              mutex.lock();
              mutex.unlock();
              mutex.lock();
              return 0;
            }),
            0);
  step = 2;
  holder.join();
  const std::lock_guard lock(mutex);
}

TEST(fork_once, makes_once) {
  ForkOnce<int> once;
  EXPECT_EQ(once.get(), nullptr);
  std::atomic<int> makes{0};
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { right += once.get([&] { return 7 + makes++; }) == 7; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(makes, 1);
  EXPECT_EQ(right, 4);
}

TEST(fork_once, is_made_anew_where_a_fork_cut_it_off) {
  ForkOnce<int> once;
  std::atomic<int> step{0};
  std::thread maker([&] {
    once.get([&] {
      step = 1;
      while (step != 2) std::this_thread::yield();
      return 1;
    });
  });
  while (step != 1) std::this_thread::yield();
  EXPECT_EQ(exit_code_of_child([&] { return once.get([] { return 5; }) == 5 ? 0 : 1; }), 0);
  step = 2;
  maker.join();
  EXPECT_EQ(once.get([] { return 9; }), 1);
}

}  // namespace
}  // namespace sdx
