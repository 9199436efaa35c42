// StringNormalizer: drops stop words, then changes case. X is [C] or [1, C]; where nothing is left, Y is one empty
// string. Any locale name is taken: case mapping is Unicode's own (see case_rules). Without case sensitivity stop words
// and strings are compared in lower case.
#include "ops/text/string_normalizer.h"

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

std::string comparable(const StringRules& rules, std::string_view text) {
  return to_case(text, rules.exact_case ? Case::unchanged : Case::lower, rules.case_rules);
}

}  // namespace

Result<StringRules> string_rules(const Attributes& attributes) {
  StringRules rules;
  SDX_ASSIGN(rules.action, case_change(attributes));
  rules.case_rules = case_rules(attributes.get_string("locale", "en_US"));
  rules.exact_case = attributes.get_int("is_case_sensitive", 0) != 0;
  if (const auto* words = attributes.get<std::vector<std::string>>("stopwords"))
    for (const std::string& word : *words) rules.stops.insert(comparable(rules, word));
  return rules;
}

Status run_string_normalizer(KernelContext& ctx, const StringRules& rules) {
  const Tensor& x = ctx.input(0);
  StringTensorBuilder kept;
  for (int64_t i = 0; i < x.count(); ++i) {
    const std::string_view text = x.string_at(i);
    if (!rules.stops.empty() && rules.stops.contains(comparable(rules, text))) continue;
    kept.append(to_case(text, rules.action, rules.case_rules));
  }
  if (kept.count() == 0) kept.append("");
  Shape shape(static_cast<size_t>(x.rank()), 1);
  shape.back() = kept.count();
  SDX_ASSIGN(Tensor y, kept.finish(shape));
  ctx.set_output(0, std::move(y));
  return {};
}

SDX_OP(string_normalizer) = {
    .name = "StringNormalizer",
    .since = 10,
    .infer = infer_string_normalizer,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const StringRules rules, string_rules(ctx.attributes()));
      return run_string_normalizer(ctx, rules);
    },
    .records_constraints = true,
};

}  // namespace sdx::ops
