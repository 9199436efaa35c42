// TfIdfVectorizer's n-grams as a trie, prepared once.
#pragma once

#include <unordered_map>

#include "ops/op.h"

namespace sdx::ops {

enum class TfIdfMode : uint8_t { count, seen_weight, count_weight };  // TF, IDF, TFIDF

struct NgramTable : KernelState {
  TfIdfMode mode = TfIdfMode::count;
  int64_t shortest = 1, longest = 1, most_skips = 0;
  int64_t width = 0;  // of the output
  std::vector<std::string> texts;
  std::unordered_map<std::string_view, int32_t> text_ids;
  std::unordered_map<int64_t, int32_t> number_ids;
  std::unordered_map<uint64_t, int32_t> steps;  // node << 32 | token: next node
  struct Node {
    int32_t column = -1;  // none: no n-gram ends here
    float weight = 1;
  };
  std::vector<Node> nodes = {{}};  // the root first
};

Result<std::unique_ptr<NgramTable>> ngram_table(const Attributes& attributes);
Status run_tf_idf(KernelContext& ctx, const NgramTable& table);

}  // namespace sdx::ops
