#include "ops/shape/space_depth.h"

namespace sdx::ops {

Result<Facts> infer_space_depth(InferContext& ctx, SpaceDepth direction) {
  const Fact& x = ctx.input(0);
  const int64_t block = ctx.attr_int("blocksize", 0);
  if (block <= 0 || block > (int64_t{1} << 31)) return ctx.fail("blocksize is {}, a positive number is wanted", block);
  const std::string_view mode = ctx.attr_string("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") return ctx.fail("mode is \"{}\", not DCR or CRD", mode);
  if (!x.has_rank()) return tensor_fact(x.dtype, ctx.unknown_shape(4));
  if (x.rank() != 4) return ctx.fail("the input has rank {}, 4 is wanted", x.rank());
  SymbolTable& symbols = ctx.symbols();
  const auto divided = [&](int axis, int64_t by) -> Result<Dim> {
    const Dim& dim = x.dim(axis);
    if (dim.is_known() && dim.known() % by != 0)
      return ctx.fail("dimension {} is {}, no multiple of {}", axis, dim.known(), by);
    ctx.assume({Constraint::Kind::divides, dim, Dim(by)});
    return symbols.floor_div(dim, Dim(by));
  };
  SymShape shape = *x.shape;
  if (direction == SpaceDepth::depth_to_space) {
    SDX_ASSIGN(shape[1], divided(1, block * block));
    shape[2] = symbols.mul(shape[2], Dim(block));
    shape[3] = symbols.mul(shape[3], Dim(block));
  } else {
    shape[1] = symbols.mul(shape[1], Dim(block * block));
    SDX_ASSIGN(shape[2], divided(2, block));
    SDX_ASSIGN(shape[3], divided(3, block));
  }
  return tensor_fact(x.dtype, std::move(shape));
}

StridedView space_depth_view(const KernelContext& ctx, SpaceDepth direction) {
  const Shape& x = ctx.input(0).shape();
  const int64_t b = ctx.attr_int("blocksize", 1);
  const bool depth_first = ctx.attr_string("mode", "DCR") == "DCR";
  if (direction == SpaceDepth::depth_to_space) {
    const int64_t depth = x[1] / (b * b);
    if (depth_first) return permuted(dense_view(Shape{x[0], b, b, depth, x[2], x[3]}), Shape{0, 3, 4, 1, 5, 2});
    return permuted(dense_view(Shape{x[0], depth, b, b, x[2], x[3]}), Shape{0, 1, 4, 2, 5, 3});
  }
  const StridedView blocks = dense_view(Shape{x[0], x[1], x[2] / b, b, x[3] / b, b});
  return permuted(blocks, depth_first ? Shape{0, 3, 5, 1, 2, 4} : Shape{0, 1, 3, 5, 2, 4});
}

}  // namespace sdx::ops
