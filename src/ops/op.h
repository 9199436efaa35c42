// Contract: all that the engine knows of an operator: its name, shape rule, reference, upgrades and expansion.
// What the standard says of names, types and attributes is generated (op_facts.h) and checked before a contract is
// asked.
#pragma once

#include "kernel/kernel.h"
#include "ops/infer.h"
#include "ops/op_facts.h"
#include "ops/upgrade.h"

namespace sdx::ops {

// How far a kernel may be from the reference.
struct Tolerance {
  enum class Kind : uint8_t { exact, ulp, relative } kind = Kind::exact;
  double amount = 0;
};
inline constexpr Tolerance exact{};
constexpr Tolerance ulp(double n) { return {Tolerance::Kind::ulp, n}; }
constexpr Tolerance relative(double r) { return {Tolerance::Kind::relative, r}; }

// Rewrites a node written at opset `from` (the since-version it had there) into its next form. Only changes of form
// need one.
struct Upgrade {
  int from = 0;
  Status (*apply)(UpgradeContext&) = nullptr;
};

struct Contract {
  std::string_view name;
  std::string_view domain = "";
  int since = 1;  // of the newest form: what infer, reference and kernels see

  // Types and symbolic shapes of the outputs. Runs at import, in planning, and at run time with numbers.
  Result<Facts> (*infer)(InferContext&) = nullptr;
  // Plain, over every type the standard allows: oracle, last-resort kernel and constant folder. Double for floating
  // types, the type's own wrapping arithmetic for integers.
  Status (*reference)(KernelContext&) = nullptr;
  Upgrade upgrades[6] = {};

  // Every condition on dimensions that `infer` cannot decide is recorded (InferContext::require): a plan may check the
  // numbers of a run against these alone, without calling `infer` again.
  bool records_constraints = false;
  bool draws_random = false;  // two runs may differ: never computed ahead
  uint32_t needs_values = 0;  // bit i: output shapes depend on the elements of input i
  int8_t view_of = -1;        // output 0 is input i under another shape: nothing is allocated
  int8_t in_place = -1;       // output 0 may be written over input i
  Tolerance tolerance = exact;
};

constexpr uint32_t input_bit(int i) { return uint32_t{1} << i; }

// The kernels of one operator on the CPU, in order of preference. `<stem>_cpu.cc` defines them with
// SDX_CPU_KERNELS(stem).
struct KernelList {
  const Kernel* first = nullptr;
  size_t count = 0;
  std::span<const Kernel> kernels() const { return {first, count}; }
};

}  // namespace sdx::ops

#define SDX_OP(ident)                                           \
  extern constinit const ::sdx::ops::Contract contract_##ident; \
  constinit const ::sdx::ops::Contract contract_##ident

// Usage: SDX_CPU_KERNELS(clip, {.name = "clip_f32", .can_run = ..., .run = ...}, {...});  inside namespace sdx::ops
#define SDX_CPU_KERNELS(ident, ...)                                  \
  namespace {                                                        \
  constexpr ::sdx::Kernel kCpuKernels_##ident[] = {__VA_ARGS__};     \
  }                                                                  \
  extern constinit const ::sdx::ops::KernelList cpu_kernels_##ident; \
  constinit const ::sdx::ops::KernelList cpu_kernels_##ident = {kCpuKernels_##ident, std::size(kCpuKernels_##ident)}
