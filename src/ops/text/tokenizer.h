// What Tokenizer's contract and kernel share.
#pragma once

#include "ops/op.h"
#include "ops/text/byte_runs.h"
#include "ops/text/regex.h"

namespace sdx::ops {

struct TokenizerForm {
  std::vector<Regex> separators;
  std::optional<ByteRuns> runs;  // where tokenexp is a class of bytes; else:
  std::optional<Regex> token;
  bool by_character = false;
  bool mark = false;
  size_t least_characters = 1;
  std::string padding;

  enum class Runs : uint8_t { ignored, found };
};
Result<TokenizerForm> tokenizer_form(const Attributes& attributes, TokenizerForm::Runs runs);
Status run_tokenizer(KernelContext& ctx, const TokenizerForm& form);

}  // namespace sdx::ops
