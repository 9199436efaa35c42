// ReverseSequence: along the time axis, the first sequence_lens[b] elements of each batch entry b in reverse order.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_reverse_sequence(InferContext& ctx) {
  const int64_t batch = ctx.attr_int("batch_axis", 1), time = ctx.attr_int("time_axis", 0);
  if ((batch != 0 && batch != 1) || (time != 0 && time != 1) || batch == time)
    return ctx.fail("batch_axis is {} and time_axis {}; one is 0 and the other 1", batch, time);
  if (ctx.has_rank(0) && ctx.rank(0) < 2) return ctx.fail("the input has rank {}, at least 2 is wanted", ctx.rank(0));
  if (ctx.has_rank(1) && ctx.rank(1) != 1) return ctx.fail("sequence_lens has rank {}, 1 is wanted", ctx.rank(1));
  if (ctx.has_rank(0) && ctx.has_rank(1))
    SDX_TRY(ctx.same(ctx.dim(0, static_cast<int>(batch)), ctx.dim(1, 0), "batch size and sequence_lens").status());
  return infer_same_as_first(ctx);
}

Status reverse_sequence_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const bool time_first = ctx.attr_int("time_axis", 0) == 0;
  const int64_t times = x.dim(time_first ? 0 : 1), batches = x.dim(time_first ? 1 : 0);
  const int64_t size = count_range(x.shape(), 2, x.shape().size());
  const Shape lengths = read_ints(ctx.input(1));
  for (const int64_t length : lengths)
    if (length < 0 || length > times) return invalid_argument("sequence_lens holds {}, outside [0, {}]", length, times);
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, x.shape()));
  for (int64_t i = 0; i < x.dim(0); ++i) {
    for (int64_t j = 0; j < x.dim(1); ++j) {
      const int64_t time = time_first ? i : j, batch = time_first ? j : i;
      const int64_t length = lengths[static_cast<size_t>(batch)];
      const int64_t from = time < length ? length - 1 - time : time;
      writer.append(x, (time_first ? from * batches + batch : batch * times + from) * size, size);
    }
  }
  return writer.finish();
}

}  // namespace

SDX_OP(reverse_sequence) = {
    .name = "ReverseSequence",
    .since = 28,
    .infer = infer_reverse_sequence,
    .reference = reverse_sequence_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
