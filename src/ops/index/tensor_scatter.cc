// TensorScatter: a copy of a cache in which a run of `update` along the sequence axis overwrites each batch entry from
// its write index on; mode circular goes on at the beginning.
#include "ops/index/indices.h"
#include "ops/index/reduction.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_tensor_scatter(InferContext& ctx) {
  const Fact &cache = ctx.input(0), &update = ctx.input(1);
  const std::string_view mode = ctx.attr_string("mode", "linear");
  if (mode != "linear" && mode != "circular") return ctx.fail("mode is \"{}\", not linear or circular", mode);
  if (!cache.has_rank()) return infer_same_as_first(ctx);
  if (cache.rank() == 0) return ctx.fail("the cache is a scalar");
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", -2), cache.rank()));
  if (axis == 0) return ctx.fail("axis 0 is the batch; the sequence has another");
  if (update.has_rank()) {
    if (update.rank() != cache.rank())
      return ctx.fail("the cache has rank {}, the update {}", cache.rank(), update.rank());
    for (int i = 0; i < cache.rank(); ++i) {
      if (i != axis)
        SDX_TRY(ctx.same(cache.dim(i), update.dim(i), formatted("dimension {} of cache and update", i)).status());
      if (ctx.symbols().less(cache.dim(i), update.dim(i)) == Truth::yes)
        return ctx.fail("the update's sequence has {} elements, the cache {}", ctx.symbols().to_text(update.dim(i)),
                        ctx.symbols().to_text(cache.dim(i)));
      ctx.assume({Constraint::Kind::at_least, cache.dim(i), update.dim(i)});
    }
  }
  if (ctx.has_input(2) && ctx.has_rank(2)) {
    if (ctx.rank(2) != 1) return ctx.fail("write_indices have rank {}, 1 is wanted", ctx.rank(2));
    SDX_TRY(ctx.same(cache.dim(0), ctx.dim(2, 0), "batch size and write_indices").status());
  }
  return infer_same_as_first(ctx);
}

Status tensor_scatter_reference(KernelContext& ctx) {
  const Tensor &cache = ctx.input(0), &update = ctx.input(1);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", -2), cache.rank()));
  const bool circular = ctx.attr_string("mode", "linear") == "circular";
  const int64_t room = cache.shape()[axis], length = update.shape()[axis];
  const int64_t batches = cache.shape()[0], middle = count_range(cache.shape(), 1, axis);
  const int64_t size = count_range(cache.shape(), axis + 1, cache.shape().size());
  std::vector<int64_t> at;
  at.reserve(static_cast<size_t>(update.count()));
  for (int64_t batch = 0; batch < batches && update.count() > 0; ++batch) {
    const int64_t first = ctx.has_input(2) ? load_i64(ctx.input(2), batch) : 0;
    if (first < 0 || (!circular && first > room - length))
      return invalid_argument("write_indices[{}] is {}; {} elements from there leave a cache of {}", batch, first,
                              length, room);
    for (int64_t m = 0; m < middle; ++m)
      for (int64_t s = 0; s < length; ++s)
        for (int64_t i = 0; i < size; ++i)
          at.push_back(((batch * middle + m) * room + (first % room + s) % room) * size + i);
  }
  return scatter(ctx, cache, update, at, Reduction::none);
}

}  // namespace

SDX_OP(tensor_scatter) = {
    .name = "TensorScatter",
    .since = 24,
    .infer = infer_tensor_scatter,
    .reference = tensor_scatter_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
