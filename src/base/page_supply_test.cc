#include "base/page_supply.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "base/page_memory.h"
#include "base/thread_pool.h"

namespace sdx {
namespace {

using Pages = PageChoice::Pages;

TEST(page_choice, begins_with_huge_pages_and_keeps_them_while_they_come_fast) {
  PageChoice choice;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(choice.next(), Pages::huge);
    choice.learn(Pages::huge, 90);
  }
}

TEST(page_choice, slow_huge_pages_are_asked_for_ever_more_seldom) {
  PageChoice choice;
  int huge = 0;
  for (int i = 0; i < 170; ++i) {
    const Pages pages = choice.next();
    huge += pages == Pages::huge;
    choice.learn(pages, pages == Pages::huge ? 4000 : 650);
  }
  EXPECT_GE(huge, 2);
  EXPECT_LE(huge, 5);
}

TEST(page_choice, slow_pages_now_and_then_are_forgotten) {
  PageChoice choice;
  int small = 0;
  for (int i = 0; i < 200; ++i) {
    const Pages pages = choice.next();
    small += pages == Pages::small;
    choice.learn(pages, pages == Pages::small ? 650 : i == 10 || i == 90 ? 5000 : 90);
  }
  EXPECT_LE(small, 130);
}

TEST(page_choice, huge_pages_that_come_again_are_taken) {
  PageChoice choice;
  choice.learn(Pages::huge, 4000);
  EXPECT_EQ(choice.cheaper(), Pages::small);
  for (int i = 0; i < 65; ++i) {
    const Pages pages = choice.next();
    choice.learn(pages, pages == Pages::huge ? 90 : 650);
  }
  EXPECT_EQ(choice.cheaper(), Pages::huge);
}

TEST(page_choice, of_two_slow_kinds_the_less_slow_is_taken) {
  PageChoice choice;
  choice.learn(Pages::huge, 4000);
  for (int i = 0; i < 5; ++i) choice.learn(Pages::small, 9000);
  EXPECT_EQ(choice.cheaper(), Pages::huge);
}

TEST(page_choice, many_slow_pages_at_once_are_one_reason_to_wait) {
  PageChoice choice;
  for (int i = 0; i < 8; ++i) ASSERT_EQ(choice.next(), Pages::huge);
  for (int i = 0; i < 8; ++i) choice.learn(Pages::huge, 5000);
  int units = 0;
  for (; choice.next() == Pages::small; ++units) choice.learn(Pages::small, 650);
  EXPECT_LT(units, 100);
}

class Units {
 public:
  explicit Units(size_t count) : bytes_(count * kHugePage), memory_(allocate_at_huge_page(bytes_)) {}
  ~Units() { free_pages(memory_, bytes_); }
  unsigned char* memory() const { return static_cast<unsigned char*>(memory_); }
  size_t bytes() const { return bytes_; }
  bool are_there() const {
    std::vector<unsigned char> there(bytes_ / 4096);
    return mincore(memory_, bytes_, there.data()) == 0 &&
           std::ranges::all_of(there, [](int p) { return (p & 1) != 0; });
  }

 private:
  size_t bytes_;
  void* memory_;
};

TEST(page_range, memory_is_there_and_zero_and_can_be_written) {
  const Units units(3);
  PageRange range(units.memory(), units.bytes());
  range.supply(units.memory(), units.bytes(), ThreadPool::shared(2).get());
  range.settle();
  EXPECT_TRUE(units.are_there());
  for (size_t i = 0; i < units.bytes(); i += 1021) {
    ASSERT_EQ(units.memory()[i], 0);
    units.memory()[i] = 1;
  }
}

// The choice may change meanwhile, for every unit the system need not be told.
TEST(page_range, the_system_is_asked_for_many_units_at_once) {
  const Units units(16);
  PageRange range(units.memory(), units.bytes());
  for (size_t i = 0; i < 16; ++i) range.supply(units.memory() + i * kHugePage, kHugePage);
  EXPECT_TRUE(units.are_there());
  EXPECT_GE(range.times_asked(), 1);
  EXPECT_LE(range.times_asked(), 4);
}

TEST(page_range, what_is_no_whole_unit_is_left_alone) {
  const Units units(1);
  PageRange range(units.memory() + 4096, units.bytes() - 4096);
  range.supply(units.memory() + 4096, units.bytes() - 4096);
  range.settle();
  EXPECT_EQ(range.times_asked(), 0);
  EXPECT_FALSE(units.are_there());
}

}  // namespace
}  // namespace sdx
