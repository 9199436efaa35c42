// RegexFullMatch: whether the pattern (RE2's syntax) matches each string from its first to its last character.
#include "ops/op.h"
#include "ops/text/regex.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_regex_full_match(InferContext& ctx) { return tensor_fact(DType::boolean, ctx.input(0).shape); }

Status regex_full_match_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const Regex regex, Regex::compile(ctx.attr_string("pattern", "")));
  bool* y = ctx.output(0).data<bool>();
  for (int64_t i = 0; i < x.count(); ++i) {
    if (i % 4096 == 0) SDX_TRY(ctx.check_cancelled());
    y[i] = regex.matches_whole(x.string_at(i));
  }
  return {};
}

}  // namespace

SDX_OP(regex_full_match) = {
    .name = "RegexFullMatch",
    .since = 20,
    .infer = infer_regex_full_match,
    .reference = regex_full_match_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
