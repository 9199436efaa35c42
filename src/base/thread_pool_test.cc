#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/sanitizer.h"
#include "base/testing/child_process.h"

namespace sdx {
namespace {

using sdx::testing::exit_code_of_child;

using namespace std::chrono_literals;

void expect_each_block_once(ThreadPool& pool, int64_t blocks) {
  std::vector<std::atomic<int>> counts(static_cast<size_t>(blocks));
  pool.parallel_for(blocks, [&](int64_t block) { counts[static_cast<size_t>(block)].fetch_add(1); });
  for (int64_t i = 0; i < blocks; ++i) ASSERT_EQ(counts[static_cast<size_t>(i)], 1) << i << " of " << blocks;
}

TEST(thread_pool, runs_each_block_once) {
  for (const int threads : {1, 2, 3, 8}) {
    const auto pool = ThreadPool::shared(threads);
    EXPECT_EQ(pool->size(), threads);
    const ThreadPool::ActiveScope run(*pool);
    for (const int64_t blocks : {0, 1, 2, 3, 7, 64, 1000}) expect_each_block_once(*pool, blocks);
  }
}

TEST(thread_pool, many_short_regions) {
  const auto pool = ThreadPool::shared(3);
  const ThreadPool::ActiveScope run(*pool);
  std::atomic<int64_t> sum{0};
  for (int i = 0; i < 20000; ++i) pool->parallel_for(1 + i % 5, [&](int64_t block) { sum += block + 1; });
  EXPECT_EQ(sum, 20000 / 5 * (1 + 3 + 6 + 10 + 15));
}

TEST(thread_pool, more_blocks_than_one_ticket_counts) {
  const auto pool = ThreadPool::shared(2);
  constexpr int64_t kBlocks = (int64_t{1} << 24) + 3;
  std::vector<uint8_t> seen(kBlocks);
  pool->parallel_for(kBlocks, [&](int64_t block) { ++seen[static_cast<size_t>(block)]; });
  EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), int64_t{0}), kBlocks);
}

// So that it finds near it what it wrote in the region before.
TEST(thread_pool, each_thread_begins_with_the_same_part) {
  const auto pool = ThreadPool::shared(2);
  const ThreadPool::ActiveScope run(*pool);
  const auto caller = std::this_thread::get_id();
  for (int region = 0; region < 200; ++region) {
    std::atomic<int> callers_of_first_half{0}, first_of_worker{-1};
    pool->parallel_for(8, [&](int64_t block) {
      int none = -1;
      if (std::this_thread::get_id() != caller)
        first_of_worker.compare_exchange_strong(none, static_cast<int>(block));
      else if (block < 4)
        ++callers_of_first_half;
      const auto until = std::chrono::steady_clock::now() + 5us;
      while (std::chrono::steady_clock::now() < until) {
      }
    });
    if (first_of_worker != -1 && first_of_worker < 4) ADD_FAILURE() << "the worker begins at " << first_of_worker;
    EXPECT_TRUE(first_of_worker <= 4 || callers_of_first_half == 4) << "the worker begins at " << first_of_worker;
  }
}

TEST(thread_pool, a_pool_of_one_runs_inline) {
  ThreadPool pool({.threads = 1, .hooks = {}});
  std::set<std::thread::id> ids;
  pool.parallel_for(10, [&](int64_t) { ids.insert(std::this_thread::get_id()); });
  EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

TEST(thread_pool, workers_take_part) {
  const auto pool = ThreadPool::shared(2);
  std::atomic<int> arrived{0};
  // Both blocks wait for each other: this ends only when two threads run at once.
  pool->parallel_for(2, [&](int64_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(thread_pool, is_one_per_size) {
  EXPECT_EQ(ThreadPool::shared(2), ThreadPool::shared(2));
  EXPECT_NE(ThreadPool::shared(2), ThreadPool::shared(3));
  EXPECT_EQ(ThreadPool::shared(0)->size(), ThreadPool::default_size());
}

TEST(thread_pool, nested_regions) {
  const auto pool = ThreadPool::shared(4);
  std::atomic<int> leaves{0};
  for (int i = 0; i < 50; ++i)
    pool->parallel_for(4, [&](int64_t) {
      pool->parallel_for(4, [&](int64_t) { pool->parallel_for(3, [&](int64_t) { ++leaves; }); });
    });
  EXPECT_EQ(leaves, 50 * 48);
}

TEST(thread_pool, nesting_deeper_than_there_are_slots) {
  const auto pool = ThreadPool::shared(2);
  std::atomic<int> leaves{0};
  std::function<void(int)> descend = [&](int depth) {
    if (depth == 0) {
      ++leaves;
      return;
    }
    pool->parallel_for(2, [&](int64_t block) {
      if (block == 0) descend(depth - 1);
    });
  };
  descend(100);
  EXPECT_EQ(leaves, 1);
}

TEST(thread_pool, concurrent_regions_do_not_mix) {
  const auto pool = ThreadPool::shared(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int c = 0; c < 6; ++c)
    callers.emplace_back([&, c] {
      const ThreadPool::ActiveScope run(*pool);
      for (int i = 0; i < 2000; ++i) {
        std::array<std::atomic<int>, 5> mine{};
        pool->parallel_for(5, [&](int64_t block) { mine[static_cast<size_t>(block)] += c + 1; });
        for (const auto& value : mine) wrong += value != c + 1;
      }
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(thread_pool, a_busy_worker_is_not_waited_for) {
  ThreadPool pool({.threads = 2, .hooks = {}});
  std::atomic<int> busy{0};
  std::atomic<bool> release{false};
  std::thread other([&] {
    pool.parallel_for(2, [&](int64_t) {
      ++busy;
      while (!release) std::this_thread::sleep_for(1ms);
    });
  });
  while (busy < 2) std::this_thread::sleep_for(1ms);  // the only worker is held now
  expect_each_block_once(pool, 100);
  release = true;
  other.join();
}

TEST(thread_pool, the_first_exception_reaches_the_caller) {
  const auto pool = ThreadPool::shared(3);
  for (int i = 0; i < 500; ++i) {
    const int64_t bad = i % 8;
    try {
      pool->parallel_for(8, [&](int64_t block) {
        if (block == bad) throw std::out_of_range("block " + std::to_string(block));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::out_of_range& error) {
      ASSERT_EQ(error.what(), "block " + std::to_string(bad));
    }
  }
  expect_each_block_once(*pool, 100);
}

TEST(thread_pool, exceptions_pass_through_nested_regions) {
  const auto pool = ThreadPool::shared(3);
  EXPECT_THROW(pool->parallel_for(3, [&](int64_t) { pool->parallel_for(3, [](int64_t) { throw 7; }); }), int);
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(thread_pool, idle_workers_use_no_cpu) {
  const auto pool = ThreadPool::shared(4);
  {
    const ThreadPool::ActiveScope run(*pool);
    expect_each_block_once(*pool, 100);
  }
  std::this_thread::sleep_for(5ms);
  const double before = cpu_seconds();
  std::this_thread::sleep_for(100ms);
  EXPECT_LT(cpu_seconds() - before, 0.01);
  // Nor does a run that gives the workers nothing to do for long.
  const ThreadPool::ActiveScope run(*pool);
  expect_each_block_once(*pool, 100);
  std::this_thread::sleep_for(20ms);
  const double again = cpu_seconds();
  std::this_thread::sleep_for(100ms);
  EXPECT_LT(cpu_seconds() - again, 0.01);
}

TEST(thread_pool, survives_fork) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer's own locks hang the child of a fork";
  auto pool = ThreadPool::shared(3);
  const ThreadPool::ActiveScope run(*pool);
  std::atomic<bool> stop{false};
  // Another thread keeps the pool and the registry busy, so that forks meet them in every state.
  std::thread busy([&] {
    while (!stop) {
      pool->parallel_for(6, [](int64_t) {});
      ThreadPool::shared(2)->parallel_for(2, [](int64_t) {});
    }
  });
  for (int i = 0; i < 100; ++i) {
    const int code = exit_code_of_child([&] {
      std::atomic<int> count{0};
      {
        const ThreadPool::ActiveScope child_run(*pool);
        for (int round = 0; round < 3; ++round) pool->parallel_for(10, [&](int64_t) { ++count; });
      }
      std::atomic<int> together{0};
      pool->parallel_for(2, [&](int64_t) {
        ++together;
        while (together < 2) std::this_thread::yield();
      });
      ThreadPool::shared(2)->parallel_for(10, [&](int64_t) { ++count; });
      return count == 40 ? 0 : 1;
    });
    EXPECT_EQ(code, 0) << "fork " << i;
    if (code != 0) break;
  }
  stop = true;
  busy.join();
  expect_each_block_once(*pool, 100);
}

TEST(thread_pool, a_child_may_destroy_the_pool) {
  if (kUnderThreadSanitizer) GTEST_SKIP() << "the thread sanitizer allows no new threads after a fork with threads";
  auto pool = std::make_unique<ThreadPool>(ThreadPoolOptions{.threads = 3, .hooks = {}});
  expect_each_block_once(*pool, 10);
  EXPECT_EQ(exit_code_of_child([&] {
              pool.reset();
              return 0;
            }),
            0);
}

TEST(thread_pool, a_child_may_fork) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer's own locks hang the child of a fork among starting threads";
  auto pool = std::make_unique<ThreadPool>(ThreadPoolOptions{.threads = 3, .hooks = {}});
  expect_each_block_once(*pool, 10);
  EXPECT_EQ(exit_code_of_child([&] {
              pool->parallel_for(10, [](int64_t) {});
              const int code = exit_code_of_child([&] {
                pool->parallel_for(10, [](int64_t) {});
                pool.reset();
                return 0;
              });
              pool.reset();
              return code;
            }),
            0);
}

TEST(thread_pool, custom_hooks_create_and_join_every_worker) {
  struct Counts {
    std::atomic<int> created{0}, joined{0};
  };
  static Counts counts;
  ThreadHooks hooks;
  hooks.options = &counts;
  hooks.create = [](void* options, void (*worker)(void*), void* param) -> ThreadHooks::Handle {
    ++static_cast<Counts*>(options)->created;
    return new std::thread([=] { worker(param); });
  };
  hooks.join = [](ThreadHooks::Handle handle) {
    auto* thread = const_cast<std::thread*>(static_cast<const std::thread*>(handle));
    thread->join();
    delete thread;
    ++counts.joined;
  };
  {
    ThreadPool pool({.threads = 4, .hooks = hooks});
    EXPECT_EQ(counts.created, 0);
    pool.start();
    EXPECT_EQ(counts.created, 3);
    expect_each_block_once(pool, 100);
  }
  EXPECT_EQ(counts.joined, 3);
}

}  // namespace
}  // namespace sdx
