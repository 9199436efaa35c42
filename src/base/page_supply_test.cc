#include "base/page_supply.h"

#include <gtest/gtest.h>

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
  EXPECT_LE(small, 50);
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

TEST(supply_pages, memory_is_zero_and_can_be_written) {
  const size_t bytes = 3 * kHugePage + 12345;
  auto* memory = static_cast<unsigned char*>(allocate_pages(bytes));
  ASSERT_NE(memory, nullptr);
  want_huge_pages(memory, bytes);
  supply_pages(memory, bytes, ThreadPool::shared(2).get());
  for (size_t i = 0; i < bytes; i += 1021) {
    ASSERT_EQ(memory[i], 0);
    memory[i] = 1;
  }
  memory[bytes - 1] = 1;
  free_pages(memory, bytes);
}

}  // namespace
}  // namespace sdx
