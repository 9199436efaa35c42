// EyeLike: ones on the k-th diagonal of a matrix with the shape of the input, zeros elsewhere.
#include <algorithm>
#include <cstring>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_eye_like(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  if (x.has_rank() && x.rank() != 2) return ctx.fail("the input has rank {}, 2 is wanted", x.rank());
  DType type = x.dtype;
  if (const auto* wanted = ctx.attributes().get<int64_t>("dtype")) {
    type = dtype_from_onnx(*wanted);
    if (!is_floating(type) && !is_integer(type) && type != DType::boolean)
      return ctx.fail("dtype {} is no type of numbers", *wanted);
  }
  return tensor_fact(type, x.has_rank() ? x.shape : std::optional(ctx.unknown_shape(2)));
}

Status eye_like_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  const int64_t rows = y.dim(0), columns = y.dim(1);
  const int64_t k = std::clamp(ctx.attr_int("k", 0), -rows - 1, columns + 1);
  if (y.count() > 0) std::memset(y.raw(), 0, y.byte_size());
  for (int64_t i = std::max<int64_t>(0, -k); i < std::min(rows, columns - k); ++i) {
    if (is_floating(y.dtype())) {
      store_double(y, i * columns + i + k, 1);
    } else {
      store_i64(y, i * columns + i + k, 1);
    }
  }
  return {};
}

}  // namespace

SDX_OP(eye_like) = {.name = "EyeLike",
                    .since = 22,
                    .infer = infer_eye_like,
                    .reference = eye_like_reference,
                    .records_constraints = true};

}  // namespace sdx::ops
