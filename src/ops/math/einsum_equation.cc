#include "ops/math/einsum_equation.h"

#include <algorithm>
#include <array>

namespace sdx::ops {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr char kDots = '.';  // one character for an ellipsis, after tokenizing

// One term without spaces, each ellipsis as a single kDots.
Result<std::string> tokens_of(std::string_view term) {
  std::string tokens;
  for (size_t i = 0; i < term.size(); ++i) {
    if (term[i] == ' ') continue;
    if (is_letter(term[i])) {
      tokens.push_back(term[i]);
    } else if (term.substr(i, 3) == "...") {
      if (tokens.find(kDots) != std::string::npos)
        return invalid_argument("term \"{}\" of the equation has two ellipses", term);
      tokens.push_back(kDots);
      i += 2;
    } else {
      return invalid_argument("character '{}' in term \"{}\" of the equation", term[i], term);
    }
  }
  return tokens;
}

struct Terms {
  std::vector<std::string> operands;
  std::string output;
};

Result<Terms> split(std::string_view text) {
  Terms terms;
  const size_t arrow = text.find("->");
  std::string_view rest = text.substr(0, arrow);
  for (;;) {
    const size_t comma = rest.find(',');
    SDX_ASSIGN(std::string tokens, tokens_of(rest.substr(0, comma)));
    terms.operands.push_back(std::move(tokens));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (arrow != std::string_view::npos) {
    SDX_ASSIGN(terms.output, tokens_of(text.substr(arrow + 2)));
    return terms;
  }
  std::array<int, 128> uses{};
  bool ellipsis = false;
  for (const std::string& term : terms.operands)
    for (const char c : term) {
      ++uses[static_cast<unsigned char>(c)];
      ellipsis = ellipsis || c == kDots;
    }
  if (ellipsis) terms.output.push_back(kDots);
  for (int c = 'A'; c <= 'z'; ++c)
    if (is_letter(static_cast<char>(c)) && uses[static_cast<size_t>(c)] == 1)
      terms.output.push_back(static_cast<char>(c));
  return terms;
}

void append(std::vector<EinsumLabel>& labels, char token, int ellipsis) {
  if (token != kDots) {
    labels.push_back(token);
    return;
  }
  for (int k = ellipsis; k-- > 0;) labels.push_back(kEllipsis + k);
}

}  // namespace

Result<EinsumEquation> EinsumEquation::parse(std::string_view text, const std::vector<int>& ranks) {
  SDX_ASSIGN(const Terms terms, split(text));
  if (terms.operands.size() != ranks.size())
    return invalid_argument("the equation \"{}\" has {} operands, {} are given", text, terms.operands.size(),
                            ranks.size());
  EinsumEquation equation;
  int widest = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    const std::string& term = terms.operands[i];
    const bool dots = term.find(kDots) != std::string::npos;
    const int letters = static_cast<int>(term.size()) - (dots ? 1 : 0);
    if (ranks[i] < letters || (!dots && ranks[i] != letters))
      return invalid_argument("operand {} has rank {}, its term in \"{}\" has {} letters", i, ranks[i], text, letters);
    const int ellipsis = ranks[i] - letters;
    widest = std::max(widest, ellipsis);
    auto& labels = equation.operands.emplace_back();
    for (const char token : term) append(labels, token, ellipsis);
  }
  for (const char token : terms.output) append(equation.output, token, widest);
  for (size_t i = 0; i < equation.output.size(); ++i) {
    const EinsumLabel label = equation.output[i];
    if (std::find(equation.output.begin(), equation.output.begin() + static_cast<ptrdiff_t>(i), label) !=
        equation.output.begin() + static_cast<ptrdiff_t>(i))
      return invalid_argument("the output of \"{}\" has a letter twice", text);
    const bool used = std::any_of(equation.operands.begin(), equation.operands.end(), [&](const auto& labels) {
      return std::find(labels.begin(), labels.end(), label) != labels.end();
    });
    if (!used) return invalid_argument("the output of \"{}\" has a letter that no operand has", text);
  }
  return equation;
}

int EinsumEquation::output_rank(std::string_view text) {
  const auto terms = split(text);
  if (!terms.ok() || terms->output.find(kDots) != std::string::npos) return -1;
  return static_cast<int>(terms->output.size());
}

}  // namespace sdx::ops
