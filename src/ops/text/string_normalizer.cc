// StringNormalizer: drops stop words, then changes case. X is [C] or [1, C]; where nothing is left, Y is one empty
// string. Any locale name is taken: case mapping is Unicode's own (see case_rules). Without case sensitivity stop words
// and strings are compared in lower case.
#include <unordered_set>

#include "ops/op.h"
#include "ops/text/utf8.h"

namespace sdx::ops {
namespace {

Result<Case> case_change(const Attributes& attributes) {
  const std::string_view action = attributes.get_string("case_change_action", "NONE");
  if (action == "NONE") return Case::unchanged;
  if (action == "LOWER") return Case::lower;
  if (action == "UPPER") return Case::upper;
  return invalid_argument("case_change_action is {}, not LOWER, UPPER or NONE", action);
}

Result<Facts> infer_string_normalizer(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const Case action, case_change(ctx.attributes()));
  if (!ctx.has_rank(0)) return tensor_fact(DType::string, std::nullopt);
  SymShape shape = *ctx.input(0).shape;
  if (shape.empty() || shape.size() > 2) return ctx.fail("x has rank {}, 1 or 2 is wanted", shape.size());
  if (shape.size() == 2) {
    SDX_ASSIGN(shape[0], ctx.same(shape[0], Dim(1), "the first dimension of x"));
  }
  const auto* stopwords = ctx.attributes().get<std::vector<std::string>>("stopwords");
  const bool drops = stopwords != nullptr && !stopwords->empty();
  shape.back() = drops ? ctx.unknown_dim() : ctx.symbols().max(shape.back(), Dim(1));
  return tensor_fact(DType::string, std::move(shape));
}

Status string_normalizer_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const Case action, case_change(ctx.attributes()));
  const CaseRules rules = case_rules(ctx.attr_string("locale", "en_US"));
  const bool exact_case = ctx.attr_int("is_case_sensitive", 0) != 0;
  const auto comparable = [&](std::string_view text) {
    return to_case(text, exact_case ? Case::unchanged : Case::lower, rules);
  };
  std::unordered_set<std::string> stops;
  if (const auto* words = ctx.attributes().get<std::vector<std::string>>("stopwords"))
    for (const std::string& word : *words) stops.insert(comparable(word));
  StringTensorBuilder kept;
  for (int64_t i = 0; i < x.count(); ++i) {
    const std::string_view text = x.string_at(i);
    if (!stops.empty() && stops.contains(comparable(text))) continue;
    kept.append(to_case(text, action, rules));
  }
  if (kept.count() == 0) kept.append("");
  Shape shape(static_cast<size_t>(x.rank()), 1);
  shape.back() = kept.count();
  SDX_ASSIGN(Tensor y, kept.finish(shape));
  ctx.set_output(0, std::move(y));
  return {};
}

}  // namespace

SDX_OP(string_normalizer) = {
    .name = "StringNormalizer",
    .since = 10,
    .infer = infer_string_normalizer,
    .reference = string_normalizer_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
