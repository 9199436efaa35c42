#include "ops/broadcast_rows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace sdx::ops {
namespace {

// The element of an operand that the standard's multidirectional broadcasting pairs with element `index` of the result.
int64_t operand_at(const Shape& out, const Shape& operand, int64_t index) {
  int64_t at = 0, stride = 1;
  for (size_t axis = out.size(); axis-- > 0;) {
    const int64_t position = index % out[axis];
    index /= out[axis];
    const size_t missing = out.size() - operand.size();
    if (axis < missing) continue;
    const int64_t size = operand[axis - missing];
    if (size != 1) at += position * stride;
    stride *= size;
  }
  return at;
}

TEST(BroadcastRows, RowsWrittenOut) {
  std::mt19937 random(7);
  const auto below = [&](uint32_t end) { return static_cast<int64_t>(random() % end); };
  for (int round = 0; round < 2000; ++round) {
    Shape out, operands[2];
    const int64_t rank = 1 + below(4);
    for (int64_t axis = 0; axis < rank; ++axis) out.push_back(1 + below(6));
    for (Shape& operand : operands)
      for (int64_t axis = below(static_cast<uint32_t>(rank) + 1); axis < rank; ++axis)
        operand.push_back(below(2) == 0 ? 1 : out[static_cast<size_t>(axis)]);
    const BroadcastRows rows(out, operands[0], operands[1]);
    const int64_t first = below(static_cast<uint32_t>(rows.rows())),
                  count = 1 + below(static_cast<uint32_t>(rows.rows() - first));
    for (size_t i = 0; i < 2; ++i) {
      std::vector<int> data(static_cast<size_t>(count_of(operands[i])));
      std::iota(data.begin(), data.end(), 100);
      std::vector<int> written(static_cast<size_t>(count * rows.row_size() + BroadcastRows::kSlack), -1);
      rows.expand(i, data.data(), first, count, written.data());
      for (int64_t j = 0; j < count * rows.row_size(); ++j) {
        const int64_t index = first * rows.row_size() + j;
        ASSERT_EQ(written[static_cast<size_t>(j)], data[static_cast<size_t>(operand_at(out, operands[i], index))]);
        if (rows.is_whole(i)) {
          ASSERT_EQ(operand_at(out, operands[i], index), index);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sdx::ops
