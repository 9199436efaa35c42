// Products of float32 matrices whose elements are rounded to bfloat16 first; sums are float32:
//   c[i,j] = bias[j] + sum over p of bf16(a[i,p]) * bf16(b[p,j])
// Sums go over pairs of p in ascending order, whatever the sizes, blocks and threads.
#pragma once

#include "ops/linalg/gemm.h"

namespace sdx::ops {

bool has_bf16_products();  // the processor's own

// b in pairs of rows: [column / 32][k / 2][32][2], zeros beyond.
class PackedBF16 {
 public:
  static int64_t bytes_for(int64_t k, int64_t n);  // 0 where it overflows
  static Result<PackedBF16> create(MatrixF32 b, int64_t k, int64_t n);

  bool defined() const { return memory_ != nullptr; }
  int64_t k() const { return k_; }
  int64_t n() const { return n_; }
  int64_t pairs() const { return (k_ + 1) / 2; }
  const uint32_t* panel(int64_t index) const { return memory_.get() + index * pairs() * 32; }

 private:
  int64_t k_ = 0, n_ = 0;
  std::shared_ptr<uint32_t> memory_;
};

int64_t bf16_row(int64_t k);  // words between rounded rows of a: k / 2 and what keeps them off each other's cache sets
void round_row_bf16(const float* from, int64_t count, uint32_t* to);  // pairs of elements, 0 beyond

struct GemmBF16 {
  int64_t m = 0;
  const uint32_t* a = nullptr;  // rounded rows, bf16_row(k) apart
  const PackedBF16* b = nullptr;
  float* c = nullptr;  // rows of n
  const float* bias = nullptr;
  const GemmF32::Finish* finish = nullptr;
};
Status gemm_bf16(KernelContext& ctx, const GemmBF16& product);

}  // namespace sdx::ops
