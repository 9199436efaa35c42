#include "base/idle_bag.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sdx {
namespace {

struct Counted {
  explicit Counted(std::atomic<int>& alive) : alive(alive) { ++alive; }
  ~Counted() { --alive; }
  std::atomic<int>& alive;
  int users = 0;
};

TEST(idle_bag, gives_back_what_it_was_given) {
  std::atomic<int> alive{0};
  {
    IdleBag<Counted, 2> bag;
    EXPECT_EQ(bag.take(), nullptr);
    for (int i = 0; i < 3; ++i) bag.give(std::make_unique<Counted>(alive));
    EXPECT_EQ(alive, 2);  // the third found no room
    EXPECT_NE(bag.take(), nullptr);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(idle_bag, has_one_user_an_object) {
  std::atomic<int> alive{0}, shared{0};
  IdleBag<Counted, 4> bag;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        auto mine = bag.take();
        if (mine == nullptr) mine = std::make_unique<Counted>(alive);
        shared += ++mine->users != 1;  // a plain int: the thread sanitizer watches it
        --mine->users;
        bag.give(std::move(mine));
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(shared, 0);
  EXPECT_LE(alive, 4);
  bag.clear();
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace sdx
