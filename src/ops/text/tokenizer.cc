// Tokenizer (com.microsoft): cuts each string into tokens along a new last dimension. Tokens are the matches of
// tokenexp, or what stands between matches of the separators (regular expressions, one after another; of the leftmost
// matches the longest counts, as onnxruntime 1.32 answers), or single
// characters (separators = [""]). Tokens of fewer than mincharnum characters are dropped. mark=1 puts U+0002 before and
// U+0003 after the tokens; rows are filled up with pad_value. Where no string has a token the last dimension is 0.
#include "ops/text/tokenizer.h"

#include <algorithm>

#include "ops/input_rules.h"
#include "ops/text/utf8.h"

namespace sdx::ops {

Result<TokenizerForm> tokenizer_form(const Attributes& attributes, TokenizerForm::Runs runs) {
  TokenizerForm form;
  form.mark = attributes.get_int("mark", 0) != 0;
  form.padding = attributes.get_string("pad_value", "");
  const int64_t least = attributes.get_int("mincharnum", 0);
  if (least < 1) return invalid_argument("mincharnum is {}, at least 1 is wanted", least);
  form.least_characters = static_cast<size_t>(least);
  const auto* separators = attributes.get<std::vector<std::string>>("separators");
  if (separators != nullptr && separators->size() == 1 && separators->front().empty()) {
    if (least != 1) return invalid_argument("mincharnum is {}, single characters are asked for", least);
    form.by_character = true;
  } else if (separators != nullptr && !separators->empty()) {
    for (const std::string& separator : *separators) {
      if (separator.empty()) return invalid_argument("an empty separator stands beside others");
      SDX_ASSIGN(Regex regex, Regex::compile(separator));
      form.separators.push_back(std::move(regex));
    }
  } else {
    const std::string_view expression = attributes.get_string("tokenexp", "");
    if (expression.empty()) return invalid_argument("neither separators nor tokenexp are given");
    if (runs == TokenizerForm::Runs::found) form.runs = ByteRuns::of(expression);
    if (form.runs) return form;
    SDX_ASSIGN(Regex regex, Regex::compile(expression));
    form.token = std::move(regex);
  }
  return form;
}

namespace {

// Calls f for each match that is not empty.
template <typename F>
void for_each_match(const Regex& regex, std::string_view text, F f) {
  for (size_t at = 0; at < text.size();) {
    const auto match = regex.find(text, at);
    if (!match) return;
    if (match->end > match->begin) {
      f(match->begin, match->end);
      at = match->end;
    } else {
      at = match->begin < text.size() ? match->begin + code_point_at(text, match->begin).size : text.size();
    }
  }
}

using Tokens = std::vector<std::string_view>;

void cut_at_separators(const TokenizerForm& form, std::string_view text, Tokens& tokens) {
  Tokens parts = {text}, finer;
  for (const Regex& separator : form.separators) {
    for (const std::string_view part : parts) {
      size_t from = 0;
      for_each_match(separator, part, [&](size_t begin, size_t end) {
        finer.push_back(part.substr(from, begin - from));
        from = end;
      });
      finer.push_back(part.substr(from));
    }
    std::swap(parts, finer);
    finer.clear();
  }
  tokens.insert(tokens.end(), parts.begin(), parts.end());
}

void append_tokens(const TokenizerForm& form, std::string_view text, Tokens& tokens) {
  const auto first = static_cast<std::ptrdiff_t>(tokens.size());
  const auto append = [&](size_t begin, size_t end) { tokens.push_back(text.substr(begin, end - begin)); };
  if (form.by_character) {
    for (size_t at = 0; at < text.size();) {
      const size_t size = code_point_at(text, at).size;
      append(at, at + size);
      at += size;
    }
  } else if (form.runs) {
    form.runs->for_each(text, append);
  } else if (form.token) {
    for_each_match(*form.token, text, append);
  } else {
    cut_at_separators(form, text, tokens);
  }
  const auto too_short = [&](std::string_view token) {
    return form.least_characters == 1 ? token.empty() : count_code_points(token) < form.least_characters;
  };
  tokens.erase(std::remove_if(tokens.begin() + first, tokens.end(), too_short), tokens.end());
}

Result<Facts> infer_tokenizer(InferContext& ctx) {
  static constexpr InputRule kRules[] = {{0, set_of(DType::string)}};
  SDX_TRY(check_inputs(ctx, kRules));
  Fact fact = tensor_fact(DType::string, ctx.input(0).shape);
  if (!fact.shape) return fact;
  if (fact.rank() != 1 && fact.rank() != 2) return ctx.fail("x has rank {}, 1 or 2 is wanted", fact.rank());
  fact.shape->push_back(ctx.unknown_dim());
  return fact;
}

}  // namespace

Status run_tokenizer(KernelContext& ctx, const TokenizerForm& form) {
  const Tensor& x = ctx.input(0);
  Tokens tokens;
  std::vector<size_t> ends;
  size_t most = 0;
  for (int64_t i = 0; i < x.count(); ++i) {
    if (i % 1024 == 0) SDX_TRY(ctx.check_cancelled());
    const size_t before = tokens.size();
    append_tokens(form, x.string_at(i), tokens);
    ends.push_back(tokens.size());
    most = std::max(most, tokens.size() - before);
  }
  if (form.mark && most > 0) most += 2;
  Shape shape = x.shape();
  shape.push_back(static_cast<int64_t>(most));
  if (!checked_count(shape)) return invalid_argument("the result would have the impossible shape {}", to_text(shape));
  StringTensorBuilder texts;
  size_t at = 0;
  for (const size_t end : ends) {
    if (most == 0) break;
    const int64_t begin = texts.count();
    if (form.mark) texts.append("\x02");
    for (; at < end; ++at) texts.append(tokens[at]);
    if (form.mark) texts.append("\x03");
    while (texts.count() - begin < static_cast<int64_t>(most)) texts.append(form.padding);
  }
  SDX_ASSIGN(Tensor y, texts.finish(shape));
  ctx.set_output(0, std::move(y));
  return {};
}

SDX_OP(tokenizer) = {
    .name = "Tokenizer",
    .domain = "com.microsoft",
    .since = 1,
    .infer = infer_tokenizer,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const TokenizerForm form, tokenizer_form(ctx.attributes(), TokenizerForm::Runs::ignored));
      return run_tokenizer(ctx, form);
    },
    .records_constraints = true,
};

}  // namespace sdx::ops
