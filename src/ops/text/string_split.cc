// StringSplit: each string cut at a delimiter, at most maxsplit times; without a delimiter at runs of white space,
// which is also taken off both ends. Y has one dimension more, filled up with empty strings; Z holds the numbers of
// parts. White space is ASCII's six characters; onnxruntime knows the blank alone. An empty string is one part where
// there is a delimiter, as in numpy; onnxruntime gives none.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_string_split(InferContext& ctx) {
  Fact parts = tensor_fact(DType::string, ctx.input(0).shape);
  if (parts.shape) parts.shape->push_back(ctx.unknown_dim());
  return Facts({std::move(parts), tensor_fact(DType::i64, ctx.input(0).shape)});
}

constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";

std::vector<std::string_view> split_at_spaces(std::string_view text, int64_t limit) {
  std::vector<std::string_view> parts;
  text = text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
  for (;;) {
    const size_t begin = text.find_first_not_of(kWhiteSpace);
    if (begin == std::string_view::npos) return parts;
    text.remove_prefix(begin);
    const size_t end = static_cast<int64_t>(parts.size()) < limit ? text.find_first_of(kWhiteSpace) : text.npos;
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end);
  }
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view delimiter, int64_t limit) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = static_cast<int64_t>(parts.size()) < limit ? text.find(delimiter) : text.npos;
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + delimiter.size());
  }
}

Status string_split_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const std::string_view delimiter = ctx.attr_string("delimiter", "");
  const int64_t given = ctx.attr_int("maxsplit", -1);
  const int64_t limit = given < 0 ? std::numeric_limits<int64_t>::max() : given;
  std::vector<std::vector<std::string_view>> rows;
  size_t most = 0;
  for (int64_t i = 0; i < x.count(); ++i) {
    rows.push_back(delimiter.empty() ? split_at_spaces(x.string_at(i), limit)
                                     : split_at(x.string_at(i), delimiter, limit));
    most = std::max(most, rows.back().size());
  }
  Shape shape = x.shape();
  shape.push_back(static_cast<int64_t>(most));
  if (!checked_count(shape)) return invalid_argument("the result would have the impossible shape {}", to_text(shape));
  StringTensorBuilder parts;
  Tensor* counts = ctx.wants_output(1) ? &ctx.output(1) : nullptr;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t k = 0; k < most; ++k) parts.append(k < rows[i].size() ? rows[i][k] : std::string_view());
    if (counts != nullptr) counts->data<int64_t>()[i] = static_cast<int64_t>(rows[i].size());
  }
  if (ctx.wants_output(0)) {
    SDX_ASSIGN(Tensor y, parts.finish(shape));
    ctx.set_output(0, std::move(y));
  }
  return {};
}

}  // namespace

SDX_OP(string_split) = {
    .name = "StringSplit",
    .since = 20,
    .infer = infer_string_split,
    .reference = string_split_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
