#include "base/cpu.h"

#include <array>
#include <atomic>
#include <cstring>

#include "base/knobs.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace sdx {
namespace {

constexpr std::array<std::string_view, kIsaCount> kNames = {"scalar", "sse4",        "avx2",      "avx2_vnni",
                                                            "avx512", "avx512_vnni", "avx512_dl", "avx512_bf16",
                                                            "neon",   "neon_dot",    "neon_i8mm"};

constexpr uint32_t bit(Isa isa) { return 1u << static_cast<int>(isa); }

#if defined(__x86_64__)

struct Leaf {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

Leaf cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  Leaf out;
  if (__get_cpuid_count(leaf, subleaf, &out.a, &out.b, &out.c, &out.d) == 0) return {};
  return out;
}

constexpr bool all(uint32_t word, std::initializer_list<int> bits) {
  for (const int b : bits)
    if (((word >> b) & 1) == 0) return false;
  return true;
}

// Which register state the operating system saves, without the xsave target attribute that the intrinsic needs.
uint64_t enabled_state(const Leaf& one) {
  if (!all(one.c, {27})) return 0;  // OSXSAVE
  uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<uint64_t>(high) << 32) | low;
}

uint32_t detect() {
  const Leaf one = cpuid(1), seven = cpuid(7), seven_one = cpuid(7, 1), extended = cpuid(0x80000001u);
  const uint64_t state = enabled_state(one);
  const bool ymm = (state & 0x06) == 0x06, zmm = (state & 0xE6) == 0xE6;
  uint32_t found = bit(Isa::scalar);
  // SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT; LAHF
  if (!all(one.c, {0, 9, 13, 19, 20, 23}) || !all(extended.c, {0})) return found;
  found |= bit(Isa::sse4);
  // FMA, MOVBE, AVX, F16C; LZCNT; BMI1, AVX2, BMI2
  if (!ymm || !all(one.c, {12, 22, 28, 29}) || !all(extended.c, {5}) || !all(seven.b, {3, 5, 8})) return found;
  found |= bit(Isa::avx2);
  const bool avx_vnni = all(seven_one.a, {4});
  if (avx_vnni) found |= bit(Isa::avx2_vnni);
  // F, DQ, CD, BW, VL
  if (!zmm || !all(seven.b, {16, 17, 28, 30, 31})) return found;
  found |= bit(Isa::avx512);
  if (!all(seven.c, {11})) return found;
  found |= bit(Isa::avx512_vnni);
  // VBMI, VBMI2, VAES, VPCLMULQDQ, BITALG, VPOPCNTDQ
  if (avx_vnni && all(seven.c, {1, 6, 9, 10, 12, 14})) found |= bit(Isa::avx512_dl);
  if (all(seven_one.a, {5})) found |= bit(Isa::avx512_bf16);
  return found;
}

#elif defined(__aarch64__)

uint32_t detect() {
  constexpr unsigned long kDotProduct = 1ul << 20, kInt8MatMul = 1ul << 13;
  uint32_t found = bit(Isa::scalar) | bit(Isa::neon);
  if ((getauxval(AT_HWCAP) & kDotProduct) == 0) return found;
  found |= bit(Isa::neon_dot);
  if ((getauxval(AT_HWCAP2) & kInt8MatMul) != 0) found |= bit(Isa::neon_i8mm);
  return found;
}

#else

uint32_t detect() { return bit(Isa::scalar); }

#endif

uint32_t below_or_at(Isa cap) { return (bit(cap) << 1) - 1; }

constinit std::atomic<uint32_t> g_usable{0};  // 0: not detected yet

uint32_t usable() {
  uint32_t mask = g_usable.load(std::memory_order_relaxed);
  if (mask != 0) return mask;
  const std::optional<Isa> cap = isa_from_name(knob::isa());
  mask = detect() & (cap ? below_or_at(*cap) : ~0u);
  g_usable.store(mask | bit(Isa::scalar), std::memory_order_relaxed);
  return mask | bit(Isa::scalar);
}

}  // namespace

std::string_view name(Isa isa) {
  const auto index = static_cast<size_t>(isa);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::optional<Isa> isa_from_name(std::string_view text) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return static_cast<Isa>(i);
  return std::nullopt;
}

bool supports(Isa isa) { return (usable() & bit(isa)) != 0; }
Isa best_isa() { return static_cast<Isa>(31 - __builtin_clz(usable())); }

bool supported_baseline() {
#if defined(__x86_64__)
  return (detect() & bit(Isa::sse4)) != 0;
#else
  return true;
#endif
}

void set_isa_cap(Isa highest) {
  g_usable.store((detect() & below_or_at(highest)) | bit(Isa::scalar), std::memory_order_relaxed);
}

void for_each_isa(FunctionRef<void(Isa)> f) {
  struct Restore {
    uint32_t mask;
    ~Restore() { g_usable.store(mask, std::memory_order_relaxed); }
  } restore{usable()};
  for (int i = 0; i < kIsaCount; ++i) {
    const Isa isa = static_cast<Isa>(i);
    // The compiler may use the baseline everywhere: below it there is nothing to test.
    if ((restore.mask & bit(isa)) == 0 || (isa == Isa::scalar && restore.mask != bit(Isa::scalar))) continue;
    g_usable.store(restore.mask & below_or_at(isa), std::memory_order_relaxed);
    f(isa);
  }
}

std::string cpu_model() {
#if defined(__x86_64__)
  std::array<char, 49> text{};
  for (uint32_t i = 0; i < 3; ++i) {
    const Leaf part = cpuid(0x80000002u + i);
    std::memcpy(text.data() + 16 * i, &part, sizeof(part));
  }
  std::string name = text.data();
  while (!name.empty() && name.back() == ' ') name.pop_back();
  while (!name.empty() && name.front() == ' ') name.erase(0, 1);
  return name;
#else
  return {};
#endif
}

}  // namespace sdx
