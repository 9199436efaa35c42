// What the signal operators share: scalar inputs, output types, window shapes.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Records that a last dimension is 1 (real) or 2 (complex).
void assume_real_or_complex(const InferContext& ctx, const Dim& parts);

// An integer input of one element, as far as it is known; nullopt when it is omitted.
Result<std::optional<Dim>> scalar_input(const InferContext& ctx, size_t i, std::string_view what);
// Attribute output_datatype: a type of numbers.
Result<DType> output_datatype(const InferContext& ctx);

// Hann, Hamming and Blackman windows of `size` points: w[n] = a - b * cos(2 pi n / N) + c * cos(4 pi n / N), where N is
// the size (periodic) or one less. A symmetric window of one point is 1.
Result<Facts> infer_window(InferContext& ctx);
Status fill_window(KernelContext& ctx, double a, double b, double c);

}  // namespace sdx::ops
