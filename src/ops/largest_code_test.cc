#include "ops/largest_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "base/cpu.h"

namespace sdx::ops {
namespace {

TEST(largest_code, is_that_of_the_largest_magnitude_at_every_level_length_and_alignment) {
  std::mt19937 random(4);
  for (size_t count = 0; count < 300; count += count < 70 ? 1 : 23) {
    std::vector<uint16_t> codes(count);
    for (uint16_t& code : codes) code = static_cast<uint16_t>(random());
    std::vector<std::byte> bytes(2 * count + 1);
    if (count > 0) std::memcpy(bytes.data() + 1, codes.data(), 2 * count);
    for (const uint16_t infinity : {0x7c00, 0x7f80}) {
      uint16_t wanted = 0;
      for (const uint16_t code : codes)
        if ((code & 0x7fff) <= infinity) wanted = std::max<uint16_t>(wanted, code & 0x7fff);
      for_each_isa([&](Isa isa) {
        ASSERT_EQ(largest_code(bytes.data() + 1, count, infinity), wanted) << count << " at " << name(isa);
      });
    }
  }
}

}  // namespace
}  // namespace sdx::ops
