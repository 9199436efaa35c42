#include "ops/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "base/cpu.h"
#include "base/float_format.h"

namespace sdx::ops {
namespace {

TEST(half, decodes_every_code_at_every_level) {
  std::vector<uint16_t> codes(65536);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint16_t>(i);
  for (const DType type : {DType::f16, DType::bf16}) {
    for_each_isa([&](Isa isa) {
      std::vector<float> found(codes.size());
      half_to_f32(type, codes.data(), found.data(), codes.size());
      for (size_t i = 0; i < codes.size(); ++i) {
        const auto wanted = static_cast<float>(
            type == DType::f16 ? decode_float(type, codes[i])
                               : static_cast<double>(static_cast<float>(std::bit_cast<bf16>(codes[i]))));
        ASSERT_TRUE(std::isnan(wanted) ? std::isnan(found[i])
                                       : std::bit_cast<uint32_t>(found[i]) == std::bit_cast<uint32_t>(wanted))
            << name(type) << " code " << i << " at " << name(isa) << ": " << found[i] << ", wanted " << wanted;
      }
    });
  }
}

TEST(half, rounds_to_nearest_even_at_every_level) {
  std::mt19937 random(5);
  std::vector<float> values;
  for (int i = 0; i < 200001; ++i) values.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
  for (int i = 0; i < 65536; ++i) {  // float16 codes, the middles between them, and their neighbours
    const auto low = static_cast<float>(decode_float(DType::f16, static_cast<uint32_t>(i)));
    const auto middle = static_cast<float>(
        (decode_float(DType::f16, static_cast<uint32_t>(i)) + decode_float(DType::f16, static_cast<uint32_t>(i ^ 1))) /
        2);
    for (const float v : {low, middle, std::nextafter(middle, 1e9f), std::nextafter(middle, -1e9f)})
      values.push_back(v);
  }
  for (uint32_t i = 0; i < 65536; ++i)
    for (const uint32_t low : {0x8000u, 0x7fffu, 0x8001u}) values.push_back(std::bit_cast<float>(i << 16 | low));
  for (const DType type : {DType::f16, DType::bf16}) {
    for_each_isa([&](Isa isa) {
      std::vector<uint16_t> found(values.size());
      f32_to_half(type, values.data(), found.data(), values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        const uint32_t wanted = encode_float(type, static_cast<double>(values[i]));
        if (std::isnan(values[i])) {
          std::vector<float> back(1);
          half_to_f32(type, &found[i], back.data(), 1);
          ASSERT_TRUE(std::isnan(back[0])) << name(type) << " of NaN at " << name(isa);
        } else {
          ASSERT_EQ(found[i], wanted) << name(type) << " of " << values[i] << " at " << name(isa);
        }
      }
    });
  }
}

}  // namespace
}  // namespace sdx::ops
