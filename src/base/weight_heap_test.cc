#include "base/weight_heap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "base/page_memory.h"
#include "base/sanitizer.h"

namespace sdx {
namespace {

constexpr size_t kBlock = 256 << 10;

void* taken(size_t bytes) {
  void* memory = allocate_block(bytes, 64);
  EXPECT_NE(memory, nullptr);
  return memory;
}

TEST(weight_heap, blocks_come_from_it_inside_a_scope_only) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers see the heap only";
  ASSERT_EQ(WeightHeap::held_bytes(), 0u);
  void* before = taken(kBlock);
  EXPECT_EQ(WeightHeap::held_bytes(), 0u);
  void* inside = nullptr;
  {
    const WeightHeap::Scope scope;
    inside = taken(kBlock);
    EXPECT_GT(WeightHeap::held_bytes(), 0u);
  }
  EXPECT_GT(WeightHeap::held_bytes(), 0u);
  free_block(before, kBlock);
  EXPECT_GT(WeightHeap::held_bytes(), 0u);
  free_block(inside, kBlock);
  EXPECT_EQ(WeightHeap::held_bytes(), 0u);
}

TEST(weight_heap, what_is_freed_meanwhile_is_used_again) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers see the heap only";
  const WeightHeap::Scope scope;
  void* kept = taken(kBlock);
  void* first = taken(kBlock);
  free_block(first, kBlock);
  void* second = taken(kBlock / 2);
  EXPECT_EQ(first, second);
  free_block(second, kBlock / 2);
  free_block(kept, kBlock);
}

TEST(weight_heap, free_parts_go_back_when_the_last_scope_ends) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers see the heap only";
  std::optional<WeightHeap::Scope> outer(std::in_place);
  auto* kept = static_cast<unsigned char*>(taken(kBlock));
  auto* freed = static_cast<unsigned char*>(taken(kBlock));
  auto* behind = static_cast<unsigned char*>(taken(kBlock));
  std::memset(kept, 1, kBlock);
  std::memset(freed, 2, kBlock);
  std::memset(behind, 3, kBlock);
  free_block(freed, kBlock);
  outer.reset();
  EXPECT_EQ(freed[0], 0);  // another page
  EXPECT_EQ(freed[kBlock - 1], 0);
  EXPECT_EQ(kept[kBlock - 1], 1);
  EXPECT_EQ(behind[0], 3);
  free_block(kept, kBlock);
  free_block(behind, kBlock);
  EXPECT_EQ(WeightHeap::held_bytes(), 0u);
}

TEST(weight_heap, pages_behind_the_last_block_go_back_too) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers see the heap only";
  const size_t bytes = (size_t{5} << 20) + 4096, pages = (bytes + 4095) / 4096;
  std::optional<WeightHeap::Scope> scope(std::in_place);
  auto* memory = static_cast<unsigned char*>(taken(bytes));
  scope.reset();
  std::vector<unsigned char> there((size_t{6} << 20) / 4096);
  ASSERT_EQ(mincore(memory, there.size() * 4096, there.data()), 0);
  EXPECT_EQ(std::count_if(there.begin() + static_cast<ptrdiff_t>(pages), there.end(), [](int p) { return p & 1; }), 0);
  free_block(memory, bytes);
}

TEST(weight_heap, a_large_block_has_its_pages_before_it_is_touched) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers see the heap only";
  constexpr ptrdiff_t kBytes = ptrdiff_t{4} << 20;
  const WeightHeap::Scope scope;
  void* memory = taken(kBytes);
  std::vector<unsigned char> there(kBytes / 4096);
  ASSERT_EQ(mincore(memory, kBytes, there.data()), 0);
  EXPECT_EQ(std::count_if(there.begin(), there.end(), [](int p) { return p & 1; }), kBytes / 4096);
  free_block(memory, kBytes);
}

TEST(weight_heap, small_blocks_have_their_pages_where_much_is_expected) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers see the heap only";
  const auto is_there = [](size_t expected) {
    const WeightHeap::Scope scope(expected);
    void* memory = taken(kBlock);
    std::vector<unsigned char> there(kBlock / 4096);
    EXPECT_EQ(mincore(memory, kBlock, there.data()), 0);
    const bool all = std::ranges::all_of(there, [](int p) { return (p & 1) != 0; });
    free_block(memory, kBlock);
    return all;
  };
  EXPECT_TRUE(is_there(size_t{8} << 20));
  EXPECT_FALSE(is_there(kBlock));
  EXPECT_FALSE(is_there(0));
}

TEST(weight_heap, blocks_may_be_larger_than_a_chunk) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers see the heap only";
  const WeightHeap::Scope scope;
  const size_t bytes = (size_t{40} << 20) + 12345;
  auto* memory = static_cast<unsigned char*>(taken(bytes));
  memory[0] = memory[bytes - 1] = 1;
  EXPECT_GE(WeightHeap::held_bytes(), bytes);
  free_block(memory, bytes);
}

// Blocks of random sizes on four threads: nobody finds another's bytes in his own.
TEST(weight_heap, blocks_never_overlap) {
  const auto work = [](unsigned char mark) {
    struct Block {
      unsigned char* memory;
      size_t bytes;
    };
    std::mt19937 random(mark);
    std::vector<Block> blocks;
    for (int step = 0; step < 300; ++step) {
      std::optional<WeightHeap::Scope> scope;
      if (random() % 4 != 0) scope.emplace();
      if (blocks.size() < 12 && random() % 3 != 0) {
        const size_t bytes = 60'000 + random() % 900'000;
        blocks.push_back({static_cast<unsigned char*>(taken(bytes)), bytes});
        std::memset(blocks.back().memory, mark, bytes);
        continue;
      }
      if (blocks.empty()) continue;
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const Block block = blocks.back();
      blocks.pop_back();
      for (size_t i = 0; i < block.bytes; i += 509) ASSERT_EQ(block.memory[i], mark);
      ASSERT_EQ(block.memory[block.bytes - 1], mark);
      free_block(block.memory, block.bytes);
    }
    for (const Block& block : blocks) free_block(block.memory, block.bytes);
  };
  std::vector<std::thread> threads;
  for (unsigned char mark = 1; mark <= 4; ++mark) threads.emplace_back(work, mark);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(WeightHeap::held_bytes(), 0u);
}

}  // namespace
}  // namespace sdx
