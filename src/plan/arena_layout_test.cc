#include "plan/arena_layout.h"

#include <gtest/gtest.h>

#include <random>

namespace sdx::plan {
namespace {

struct Block {
  Position position;
  size_t bytes = 0;
};

bool apart(const Block& a, const Block& b) {
  if (a.position.chunk != b.position.chunk) return true;
  return a.position.offset + ArenaLayout::rounded(a.bytes) <= b.position.offset ||
         b.position.offset + ArenaLayout::rounded(b.bytes) <= a.position.offset;
}

TEST(arena_layout, never_gives_the_same_bytes_twice) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    ArenaLayout layout;
    std::vector<Block> live;
    for (int step = 0; step < 300; ++step) {
      if (step % 100 == 99) layout.begin_chunk();
      if (live.size() > 4 && random() % 2 == 0) {
        const size_t which = random() % live.size();
        layout.free(live[which].position, live[which].bytes);
        live.erase(live.begin() + static_cast<ptrdiff_t>(which));
        continue;
      }
      const size_t bytes = random() % 5000;
      const Block made{layout.allocate(bytes), bytes};
      EXPECT_EQ(made.position.offset % 64, 0u);
      EXPECT_LE(made.position.offset + ArenaLayout::rounded(bytes), layout.chunk_bytes(made.position.chunk));
      for (const Block& other : live) ASSERT_TRUE(apart(made, other)) << seed << " at " << step;
      live.push_back(made);
    }
  }
}

TEST(arena_layout, joins_what_was_freed) {
  ArenaLayout layout;
  std::vector<Position> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(layout.allocate(64));
  for (const int i : {3, 1, 2, 0, 9, 7, 8, 4, 6, 5}) layout.free(blocks[static_cast<size_t>(i)], 64);
  EXPECT_EQ(layout.allocate(640).offset, 0u);
  EXPECT_EQ(layout.total_bytes(), 640u);
}

TEST(arena_layout, takes_the_smallest_gap_that_fits) {
  ArenaLayout layout;
  const Position large = layout.allocate(1024), wall = layout.allocate(64), small = layout.allocate(128);
  layout.allocate(64);
  layout.free(large, 1024);
  layout.free(small, 128);
  EXPECT_EQ(layout.allocate(100).offset, small.offset);
  EXPECT_EQ(layout.allocate(900).offset, large.offset);
  EXPECT_NE(layout.allocate(256).offset, wall.offset);
}

}  // namespace
}  // namespace sdx::plan
