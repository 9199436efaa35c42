// QLinearAdd and QLinearMul over rows on the CPU.
#pragma once

#include "ops/quant/qlinear.h"

namespace sdx::ops {

struct QlinearProduct {
  float a_zero = 0, b_zero = 0, y_zero = 0, ratio = 0;
};

// Rows of codes; a step is 0 where the operand is one value, else 1.
struct CodeRows {
  const uint8_t *a = nullptr, *b = nullptr;
  int a_step = 1, b_step = 1;
  bool is_signed = false;
  uint8_t* y = nullptr;
  size_t count = 0;
};
using AddCodes = void (*)(const QlinearSum& sum, const CodeRows& rows);  // a is `first`
using MultiplyCodes = void (*)(const QlinearProduct& product, const CodeRows& rows);
AddCodes add_codes_kernel();
MultiplyCodes multiply_codes_kernel();

Verdict takes_bytes(const NodeFacts& facts);

}  // namespace sdx::ops
