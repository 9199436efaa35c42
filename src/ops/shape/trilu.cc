// Trilu: the upper (lower) triangle of each matrix, the diagonal moved by k; zero elsewhere.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_trilu(InferContext& ctx) {
  if (ctx.has_rank(0) && ctx.rank(0) < 2) return ctx.fail("the input has rank {}, at least 2 is wanted", ctx.rank(0));
  if (ctx.has_input(1) && ctx.input(1).known_shape() && count_of(*ctx.input(1).known_shape()) != 1)
    return ctx.fail("k is no scalar");
  SDX_TRY(ctx.require_one_element(1, "k is no scalar"));
  return infer_same_as_first(ctx);
}

Status trilu_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const bool upper = ctx.attr_int("upper", 1) != 0;
  const int64_t rows = x.dim(x.rank() - 2), columns = x.dim(x.rank() - 1);
  // Beyond the matrix every k is the same.
  const int64_t k = ctx.has_input(1) ? std::clamp(load_i64(ctx.input(1), 0), -rows - 1, columns + 1) : 0;
  const int64_t matrices = count_range(x.shape(), 0, x.shape().size() - 2);
  SDX_ASSIGN(const Tensor zero, zero_element(x.dtype()));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, x.shape()));
  for (int64_t row = 0; row < matrices * rows; ++row) {
    // Upper keeps columns from row + k on, lower those up to it.
    const int64_t cut = std::clamp<int64_t>(row % rows + k + (upper ? 0 : 1), 0, columns);
    if (upper) {
      writer.repeat(zero, 0, cut);
      writer.append(x, row * columns + cut, columns - cut);
    } else {
      writer.append(x, row * columns, cut);
      writer.repeat(zero, 0, columns - cut);
    }
  }
  return writer.finish();
}

}  // namespace

SDX_OP(trilu) = {
    .name = "Trilu", .since = 14, .infer = infer_trilu, .reference = trilu_reference, .records_constraints = true};

}  // namespace sdx::ops
