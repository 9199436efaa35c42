#include "ops/linalg/packed_weights.h"

#include "kernel/weight_parts.h"

namespace sdx::ops {
namespace {

constexpr int64_t kSmall = 65536;  // bytes that may be wasted on panels that are mostly empty

bool fits_panels(const MaybeMatrix& matrix) {
  if (!matrix || matrix->n <= 1) return false;  // one column is read as a row
  const int64_t bytes = PackedF32::bytes_for(matrix->k, matrix->n);
  const int64_t own = matrix->k * matrix->n * static_cast<int64_t>(sizeof(float));
  return bytes > 0 && (bytes <= own + own / 2 || bytes <= kSmall);
}

}  // namespace

Result<std::unique_ptr<KernelState>> pack_weights(const Tensor& b, const MaybeMatrix& matrix) {
  if (b.count() == 0) return std::unique_ptr<KernelState>();
  auto state = std::make_unique<PackedWeights>();
  if (fits_panels(matrix)) {
    SDX_ASSIGN(state->panels, PackedF32::create(matrix->matrix, matrix->k, matrix->n));
  } else {
    SDX_ASSIGN(state->plain, WeightParts::copy(b));
  }
  return std::unique_ptr<KernelState>(std::move(state));
}

int64_t packed_weights_bytes(const Tensor& b, const MaybeMatrix& matrix) {
  if (b.count() == 0) return 0;
  return fits_panels(matrix) ? PackedF32::bytes_for(matrix->k, matrix->n) : static_cast<int64_t>(b.byte_size());
}

void use_packed_weights(const KernelContext& ctx, GemmF32& product) {
  if (!ctx.has_state()) return;
  const auto& state = ctx.state<PackedWeights>();
  if (state.panels.defined()) product.packed = &state.panels;
  if (state.plain.defined()) product.b.data = state.plain.data<float>();
}

}  // namespace sdx::ops
