#include "ops/scale_floats.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/cpu.h"

namespace sdx::ops {
namespace {

TEST(scale_floats, multiplies_in_double_at_every_level_length_and_alignment) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> value(-3, 3);
  for (const double by : {1.0, 0.1, -1e10, 1e-40}) {
    for (size_t count = 0; count < 40; ++count) {
      std::vector<float> x(count + 1);  // so that it has data
      for (float& v : x) v = value(random);
      std::vector<std::byte> bytes(count * sizeof(float) + 1);
      std::memcpy(bytes.data() + 1, x.data(), count * sizeof(float));
      for_each_isa([&](Isa isa) {
        std::vector<float> y(count + 1, 7);
        scale_floats(bytes.data() + 1, by, y.data(), count);
        for (size_t i = 0; i < count; ++i)
          ASSERT_EQ(y[i], static_cast<float>(static_cast<double>(x[i]) * by)) << i << " at " << name(isa);
        ASSERT_EQ(y[count], 7);
      });
    }
  }
}

}  // namespace
}  // namespace sdx::ops
