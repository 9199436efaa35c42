// TfIdfVectorizer: counts the pool's n-grams in each row, with up to max_skip_count tokens left out between neighbours.
// TF: counts; IDF: the weight of what occurs; TFIDF: counts times weights. Single tokens are counted once, whatever the
// skips.
#include "ops/text/tf_idf_vectorizer.h"

#include <algorithm>

#include "base/element.h"

namespace sdx::ops {
namespace {

Result<TfIdfMode> mode_of(const Attributes& attributes) {
  const std::string_view mode = attributes.get_string("mode", "");
  if (mode == "TF") return TfIdfMode::count;
  if (mode == "IDF") return TfIdfMode::seen_weight;
  if (mode == "TFIDF") return TfIdfMode::count_weight;
  return invalid_argument("mode is \"{}\", not TF, IDF or TFIDF", mode);
}

Result<int64_t> output_width(const Attributes& attributes) {
  const auto columns = attributes.get_ints("ngram_indexes");
  int64_t width = 0;
  for (const int64_t column : columns) {
    if (column < 0 || column >= std::numeric_limits<int32_t>::max())
      return invalid_argument("ngram_indexes has {}, which is outside [0, 2^31 - 1)", column);
    width = std::max(width, column + 1);
  }
  if (width == 0) return invalid_argument("ngram_indexes is empty");
  return width;
}

// Ids of the pool's tokens, in the pool's order.
std::vector<int32_t> number_tokens(NgramTable& table, const Attributes& attributes) {
  std::vector<int32_t> ids;
  if (const auto* texts = attributes.get<std::vector<std::string>>("pool_strings")) {
    table.texts = *texts;
    for (const std::string& text : table.texts)
      ids.push_back(table.text_ids.try_emplace(text, static_cast<int32_t>(table.text_ids.size())).first->second);
    return ids;
  }
  for (const int64_t number : attributes.get_ints("pool_int64s"))
    ids.push_back(table.number_ids.try_emplace(number, static_cast<int32_t>(table.number_ids.size())).first->second);
  return ids;
}

uint64_t step_key(int32_t node, int32_t token) {
  return static_cast<uint64_t>(node) << 32 | static_cast<uint32_t>(token);
}

Result<Facts> infer_tf_idf(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const TfIdfMode mode, mode_of(ctx.attributes()));
  SDX_ASSIGN(const int64_t width, output_width(ctx.attributes()));
  if (!ctx.has_rank(0)) return tensor_fact(DType::f32, std::nullopt);
  if (ctx.rank(0) != 1 && ctx.rank(0) != 2) return ctx.fail("x has rank {}, 1 or 2 is wanted", ctx.rank(0));
  SymShape shape = *ctx.input(0).shape;
  shape.back() = Dim(width);
  return tensor_fact(DType::f32, std::move(shape));
}

}  // namespace

Result<std::unique_ptr<NgramTable>> ngram_table(const Attributes& attributes) {
  auto made = std::make_unique<NgramTable>();
  NgramTable& table = *made;
  SDX_ASSIGN(table.mode, mode_of(attributes));
  SDX_ASSIGN(table.width, output_width(attributes));
  table.shortest = attributes.get_int("min_gram_length", 0);
  table.longest = attributes.get_int("max_gram_length", 0);
  table.most_skips = attributes.get_int("max_skip_count", 0);
  const auto starts = attributes.get_ints("ngram_counts"), columns = attributes.get_ints("ngram_indexes");
  const auto weights = attributes.get_floats("weights");
  if (table.shortest < 1 || table.longest < table.shortest)
    return invalid_argument("min_gram_length is {} and max_gram_length {}: 1 <= min <= max is wanted", table.shortest,
                            table.longest);
  if (table.most_skips < 0) return invalid_argument("max_skip_count is {}", table.most_skips);
  if (starts.empty() || static_cast<uint64_t>(table.longest) > starts.size())
    return invalid_argument("max_gram_length is {} but ngram_counts has {} entries", table.longest, starts.size());
  if (!weights.empty() && weights.size() != columns.size())
    return invalid_argument("{} weights are given for {} n-grams", weights.size(), columns.size());
  if (attributes.has("pool_strings") == attributes.has("pool_int64s"))
    return invalid_argument("exactly one of pool_strings and pool_int64s is wanted");
  const std::vector<int32_t> pool = number_tokens(table, attributes);
  if (pool.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    return invalid_argument("the pool has {} tokens, which is too many", pool.size());

  size_t gram = 0;
  for (size_t n = 1; n <= starts.size(); ++n) {
    const int64_t begin = starts[n - 1], end = n < starts.size() ? starts[n] : static_cast<int64_t>(pool.size());
    if (begin < 0 || end < begin || end > static_cast<int64_t>(pool.size()) ||
        (end - begin) % static_cast<int64_t>(n) != 0)
      return invalid_argument("ngram_counts gives {}-grams the tokens [{}, {}) of {}", n, begin, end, pool.size());
    for (int64_t at = begin; at < end; at += static_cast<int64_t>(n), ++gram) {
      if (gram >= columns.size())
        return invalid_argument("ngram_indexes has {} entries, the pool more n-grams", columns.size());
      if (static_cast<int64_t>(n) < table.shortest || static_cast<int64_t>(n) > table.longest) continue;
      int32_t node = 0;
      for (size_t k = 0; k < n; ++k) {
        const auto [step, fresh] = table.steps.try_emplace(step_key(node, pool[static_cast<size_t>(at) + k]),
                                                           static_cast<int32_t>(table.nodes.size()));
        if (fresh) table.nodes.push_back({});
        node = step->second;
      }
      NgramTable::Node& leaf = table.nodes[static_cast<size_t>(node)];
      if (leaf.column >= 0) return invalid_argument("the pool has a {}-gram twice", n);
      leaf.column = static_cast<int32_t>(columns[gram]);
      if (!weights.empty()) leaf.weight = weights[gram];
    }
  }
  return made;
}

namespace {

// Adds what occurs in one row; -1 stands for tokens that the pool lacks.
void count_row(const NgramTable& table, std::span<const int32_t> tokens, float* row) {
  const size_t count = tokens.size();
  const auto hit = [&](const NgramTable::Node& node) {
    float& y = row[node.column];
    if (table.mode == TfIdfMode::count) y += 1;
    if (table.mode == TfIdfMode::count_weight) y += node.weight;
    if (table.mode == TfIdfMode::seen_weight && y == 0) y = node.weight;
  };
  for (int64_t skip = 0; skip <= table.most_skips; ++skip) {
    const size_t stride = static_cast<size_t>(skip) + 1;
    if (skip > 0 && (stride >= count || table.longest == 1)) return;
    for (size_t start = 0; start < count; ++start) {
      int32_t node = 0;
      int64_t length = 0;
      for (size_t at = start; at < count && length < table.longest; at += stride) {
        if (tokens[at] < 0) break;
        const auto step = table.steps.find(step_key(node, tokens[at]));
        if (step == table.steps.end()) break;
        node = step->second;
        ++length;
        const NgramTable::Node& found = table.nodes[static_cast<size_t>(node)];
        if (found.column >= 0 && (length > 1 || skip == 0)) hit(found);
      }
    }
  }
}

}  // namespace

Status run_tf_idf(KernelContext& ctx, const NgramTable& table) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const bool text = x.dtype() == DType::string;
  if (text ? table.text_ids.empty() : table.number_ids.empty())
    return invalid_argument("x holds {}, the pool does not", name(x.dtype()));
  const int64_t rows = x.rank() == 2 ? x.dim(0) : 1, columns = x.dim(x.rank() - 1);
  std::fill_n(y.data<float>(), y.count(), 0.0f);
  return parallel_ranges(
      ctx, rows, std::max<int64_t>(1, 1024 / std::max<int64_t>(columns, 1)), [&](int64_t begin, int64_t end) {
        std::vector<int32_t> tokens(static_cast<size_t>(columns));
        for (int64_t row = begin; row < end; ++row) {
          for (int64_t i = 0; i < columns; ++i) {
            const int64_t at = row * columns + i;
            int32_t id = -1;
            if (text) {
              if (const auto found = table.text_ids.find(x.string_at(at)); found != table.text_ids.end())
                id = found->second;
            } else if (const auto found = table.number_ids.find(load_i64(x, at)); found != table.number_ids.end()) {
              id = found->second;
            }
            tokens[static_cast<size_t>(i)] = id;
          }
          count_row(table, tokens, y.data<float>() + row * table.width);
        }
      });
}

SDX_OP(tf_idf_vectorizer) = {
    .name = "TfIdfVectorizer",
    .since = 9,
    .infer = infer_tf_idf,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const auto table, ngram_table(ctx.attributes()));
      return run_tf_idf(ctx, *table);
    },
    .records_constraints = true,
};

}  // namespace sdx::ops
