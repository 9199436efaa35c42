#include "base/sha1.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/format.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define SDX_SHA __attribute__((target("sha,sse4.1")))
#endif

namespace sdx {
namespace {

using State = std::array<uint32_t, 5>;
constexpr size_t kBlock = 64;

#if defined(SDX_SHA)

bool has_instructions() {
  static const bool has = [] {
    constexpr uint32_t kSha = 1u << 29;
    uint32_t a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
  }();
  return has;
}

struct Mixing {
  __m128i abcd, before, words[4];  // before: a to d of four rounds ago; words: the last sixteen of the schedule
};

// Rounds 20 * kPart and the nineteen after it, four at a time.
template <int kPart>
SDX_SHA inline void mix_rounds(Mixing& m, __m128i& e) {
  for (int four = 5 * kPart; four < 5 * kPart + 5; ++four) {
    __m128i& w = m.words[four % 4];
    if (four >= 4) {
      const __m128i mixed = _mm_xor_si128(_mm_sha1msg1_epu32(w, m.words[(four + 1) % 4]), m.words[(four + 2) % 4]);
      w = _mm_sha1msg2_epu32(mixed, m.words[(four + 3) % 4]);
    }
    e = four == 0 ? _mm_add_epi32(e, w) : _mm_sha1nexte_epu32(m.before, w);
    m.before = m.abcd;
    m.abcd = _mm_sha1rnds4_epu32(m.abcd, e, kPart);
  }
}

SDX_SHA void mix_with_instructions(State& state, const std::byte* block) {
  constexpr int kReversed = 0x1b;
  const __m128i big_endian = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  const auto* from = reinterpret_cast<const __m128i*>(block);
  auto* four = reinterpret_cast<__m128i*>(state.data());
  const __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(four), kReversed);
  const __m128i last = _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0);
  Mixing m{.abcd = abcd, .before = abcd, .words = {}};
  for (int i = 0; i < 4; ++i) m.words[i] = _mm_shuffle_epi8(_mm_loadu_si128(from + i), big_endian);
  __m128i e = last;
  mix_rounds<0>(m, e);
  mix_rounds<1>(m, e);
  mix_rounds<2>(m, e);
  mix_rounds<3>(m, e);
  _mm_storeu_si128(four, _mm_shuffle_epi32(_mm_add_epi32(m.abcd, abcd), kReversed));
  state[4] = static_cast<uint32_t>(_mm_extract_epi32(_mm_sha1nexte_epu32(m.before, last), 3));
}

#endif

void mix_block(State& state, const std::byte* block) {
#if defined(SDX_SHA)
  if (has_instructions()) return mix_with_instructions(state, block);
#endif
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
