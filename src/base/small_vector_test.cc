#include "base/small_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sdx {
namespace {

using Small = SmallVector<int64_t, 3>;

std::vector<int64_t> listed(const Small& v) { return {v.begin(), v.end()}; }
using Values = std::vector<int64_t>;

TEST(small_vector, grows_from_inline_to_heap) {
  Small v;
  EXPECT_TRUE(v.empty());
  for (int64_t i = 0; i < 10; ++i) {
    v.push_back(i);
    EXPECT_EQ(v.size(), static_cast<size_t>(i + 1));
    EXPECT_EQ(v.back(), i);
  }
  EXPECT_EQ(listed(v), (Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(small_vector, copies_are_independent_and_moves_leave_empty) {
  for (const size_t count : {size_t{0}, size_t{2}, size_t{3}, size_t{8}}) {
    Small v(count, 7);
    Small copy = v;
    if (count > 0) copy[0] = 1;
    EXPECT_EQ(listed(v), Values(count, 7));
    const Small moved = std::move(v);
    EXPECT_EQ(listed(moved), Values(count, 7));
    EXPECT_TRUE(v.empty());
    for (int64_t i = 0; i < 5; ++i) v.push_back(i);  // a moved-from vector is an empty one
    EXPECT_EQ(listed(v), (Values{0, 1, 2, 3, 4}));
    Small& self = v;
    v = self;
    EXPECT_EQ(v.size(), 5u);
    v = std::move(self);
    EXPECT_EQ(v.size(), 5u);
    v = copy;
    EXPECT_EQ(v, copy);
  }
}

TEST(small_vector, moves_between_inline_and_heap) {
  Small heap(8, 1);
  Small small{5, 6};
  heap = std::move(small);
  EXPECT_EQ(listed(heap), (Values{5, 6}));
  heap.push_back(7);
  heap.push_back(8);
  EXPECT_EQ(listed(heap), (Values{5, 6, 7, 8}));
}

TEST(small_vector, insert_erase_resize_reserve) {
  Small v{1, 2, 3};
  v.insert(0, 0);
  v.insert(4, 9);
  v.insert(2, 5);
  EXPECT_EQ(listed(v), (Values{0, 1, 5, 2, 3, 9}));
  v.erase(0);
  v.erase(4);
  EXPECT_EQ(listed(v), (Values{1, 5, 2, 3}));
  v.resize(6, -1);
  EXPECT_EQ(listed(v), (Values{1, 5, 2, 3, -1, -1}));
  v.resize(1);
  v.reserve(100);
  v.pop_back();
  EXPECT_TRUE(v.empty());
  v.clear();
}

TEST(small_vector, pushing_an_element_of_itself) {
  Small v{1, 2, 3};
  v.push_back(v[1]);
  v.insert(0, v[3]);
  EXPECT_EQ(listed(v), (Values{2, 1, 2, 3, 2}));
}

TEST(small_vector, compares_elements_only) {
  Small a{1, 2};
  Small b(9, 0);
  b.resize(2);
  b[0] = 1;
  b[1] = 2;
  EXPECT_EQ(a, b);
  b.push_back(3);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace sdx
