#include "base/sha1.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/format.h"

namespace sdx {
namespace {

using State = std::array<uint32_t, 5>;
constexpr size_t kBlock = 64;

void mix_block(State& state, const std::byte* block) {
  std::array<uint32_t, 80> w;
  for (size_t t = 0; t < 16; ++t) {
    w[t] = 0;
    for (size_t i = 0; i < 4; ++i) w[t] = w[t] << 8 | std::to_integer<uint32_t>(block[4 * t + i]);
  }
  for (size_t t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  auto [a, b, c, d, e] = state;
  for (size_t t = 0; t < 80; ++t) {
    uint32_t f = b ^ c ^ d;
    if (t < 20) f = (b & c) | (~b & d);
    if (t >= 40 && t < 60) f = (b & c) | (b & d) | (c & d);
    constexpr std::array<uint32_t, 4> kRounds = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    const uint32_t next = std::rotl(a, 5) + f + e + kRounds[t / 20] + w[t];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

}  // namespace

std::string sha1_hex(std::span<const std::byte> bytes) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  size_t at = 0;
  for (; bytes.size() - at >= kBlock; at += kBlock) mix_block(state, bytes.data() + at);
  std::array<std::byte, 2 * kBlock> tail{};
  const size_t rest = bytes.size() - at;
  if (rest > 0) std::memcpy(tail.data(), bytes.data() + at, rest);
  tail[rest] = std::byte{0x80};
  const size_t tail_size = rest + 9 <= kBlock ? kBlock : 2 * kBlock;
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  for (size_t i = 0; i < 8; ++i) tail[tail_size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
  for (size_t block = 0; block < tail_size; block += kBlock) mix_block(state, tail.data() + block);
  std::string hex;
  for (const uint32_t word : state) hex += formatted("{:08x}", word);
  return hex;
}

}  // namespace sdx
