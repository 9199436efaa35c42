// What the processor can do and how much of it this process may use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/function_ref.h"

namespace sdx {

// What a kernel may be written for, in order of preference. Not a chain: an Ice Lake has avx512_vnni but not avx2_vnni,
// so ask supports() for the one that a kernel needs.
enum class Isa : uint8_t {
  scalar,
  sse4,         // x86-64-v2, the baseline
  avx2,         // with FMA, BMI2, F16C
  avx2_vnni,    // VEX dot products of int8
  avx512,       // F, BW, CD, DQ, VL
  avx512_vnni,  // dot products of int8
  avx512_dl,    // all of VNNI, AVX-VNNI, VBMI, VBMI2, BITALG, VPOPCNTDQ, VAES, VPCLMULQDQ
  avx512_bf16,  // with VNNI: dot products of bfloat16
  neon,
  neon_dot,
  neon_i8mm,
};
inline constexpr int kIsaCount = 11;

std::string_view name(Isa isa);  // "avx512_vnni"
std::optional<Isa> isa_from_name(std::string_view text);

// The machine has all that `isa` names and the cap (knob `isa`) allows it. One load.
bool supports(Isa isa);
Isa best_isa();

// False on a processor below the baseline: sessions refuse with a message instead of dying of an illegal instruction.
bool supported_baseline();

// Tests: caps supports() and best_isa() for the whole process; runs `f` once per level that the machine has, lowest
// first.
void set_isa_cap(Isa highest);
void for_each_isa(FunctionRef<void(Isa)> f);

std::string cpu_model();  // "AMD EPYC", empty where unknown

// Physical cores in the affinity of the calling thread, limited by the control group's quota; at least 1.
int allowed_cores();
// CPUs' worth of time per second that control groups (version 1 or 2) give; nullopt without a limit.
// `root` goes before /proc and /sys.
std::optional<double> cgroup_cpu_quota(const std::string& root = "");

struct CacheSizes {
  int64_t l1d = 32 << 10;  // of one core
  int64_t l2 = 512 << 10;
  int64_t l3 = 0;  // shared by several cores; 0: none
  int64_t line = 64;
};
const CacheSizes& cache_sizes();

}  // namespace sdx
