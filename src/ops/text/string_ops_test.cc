#include "ops/testing/op_case.h"
#include "ops/text/utf8.h"

using Strings = std::vector<std::string>;

OP_CASES(StringNormalizer,
         {"lower",
          {str({3}, {"ÀB", "straße", "ΣΑΣ"})},
          {str({3}, {"àb", "straße", "σασ"})},
          {attr("case_change_action", "LOWER")}},
         {"upper",
          {str({1, 3}, {"àb", "straße", "жук"})},
          {str({1, 3}, {"ÀB", "STRAßE", "ЖУК"})},
          {attr("case_change_action", "UPPER"), attr("locale", "xx_XX")}},
         {"ascii_locale",
          {str({1}, {"ÀB"})},
          {str({1}, {"Àb"})},
          {attr("case_change_action", "LOWER"), attr("locale", "C")}},
         {"turkish",
          {str({1}, {"Iİ"})},
          {str({1}, {"ıi"})},
          {attr("case_change_action", "LOWER"), attr("locale", "tr_TR.UTF-8")}},
         {"stopwords_ignore_case", {str({2}, {"A", "b"})}, {str({1}, {"b"})}, {{"stopwords", Strings{"a"}}}},
         {"stopwords_with_case",
          {str({2}, {"A", "b"})},
          {str({2}, {"a", "b"})},
          {{"stopwords", Strings{"a"}}, attr("is_case_sensitive", 1), attr("case_change_action", "LOWER")}},
         {"nothing_left", {str({1, 2}, {"A", "b"})}, {str({1, 1}, {""})}, {{"stopwords", Strings{"b", "A"}}}},
         {"bytes_that_are_no_text",
          {str({1}, {"A\xff\xc3"})},
          {str({1}, {"a\xff\xc3"})},
          {attr("case_change_action", "LOWER")}});
OP_REJECTS(StringNormalizer, "the first dimension", {str({2, 1}, {"a", "b"})});
OP_REJECTS(StringNormalizer, "not LOWER, UPPER or NONE", {str({1}, {"a"})}, {attr("case_change_action", "Lower")});

OP_CASES(StringConcat, {"same_shape", {str({2}, {"a", "b"}), str({2}, {"c", ""})}, {str({2}, {"ac", "b"})}},
         {"broadcasts", {str({2, 1}, {"a", "b"}), str({2}, {"c", "d"})}, {str({2, 2}, {"ac", "ad", "bc", "bd"})}},
         {"empty", {str({0}, {}), str({1}, {"d"})}, {str({0}, {})}});

OP_CASES(StringSplit,
         {"delimiter",
          {str({3}, {"a,b", ",,a", "x"})},
          {str({3, 3}, {"a", "b", "", "", "", "a", "x", "", ""}), i64({3}, {2, 3, 1})},
          {attr("delimiter", ",")}},
         {"white_space",
          {str({2}, {"  a  b\tc ", "  "})},
          {str({2, 3}, {"a", "b", "c", "", "", ""}), i64({2}, {3, 0})}},
         {"maxsplit",
          {str({2}, {"a  b  c ", " d"})},
          {str({2, 2}, {"a", "b  c", "d", ""}), i64({2}, {2, 1})},
          {attr("maxsplit", 1)}},
         {"empty_tensor", {str({0}, {})}, {str({0, 0}, {}), i64({0}, {})}, {attr("delimiter", ",")}},
         {"empty_string", {str({1}, {""})}, {str({1, 1}, {""}), i64({1}, {1})}, {attr("delimiter", ",")}});

OP_CASES(RegexFullMatch, {"whole_string_only",
                          {str({2, 2}, {"www.google.com", "www.x.com!", "", "www.a.com"})},
                          {boolean({2, 2}, {1, 0, 0, 1})},
                          {attr("pattern", "www\\.\\w+\\.com")}});
OP_REJECTS(RegexFullMatch, "missing )", {str({1}, {"a"})}, {attr("pattern", "(")});

OP_CASES_IN("com.microsoft", Tokenizer,
            {"tokenexp",
             {str({2}, {"hello world", "a, b c"})},
             {str({2, 3}, {"hello", "world", "#", "a", "b", "c"})},
             {attr("tokenexp", "[a-zA-Z]+"), attr("mincharnum", 1), attr("pad_value", "#"), attr("mark", 0)}},
            {"longest_match",
             {str({2}, {"abab x", "aab"})},
             {str({2, 2}, {"ab", "ab", "a", "ab"})},
             {attr("tokenexp", "a|ab"), attr("mincharnum", 1), attr("pad_value", "#"), attr("mark", 0)}},
            {"marks",
             {str({2}, {"hello world", "a, b c"})},
             {str({2, 5}, {"\x02", "hello", "world", "\x03", "#", "\x02", "a", "b", "c", "\x03"})},
             {attr("tokenexp", "[a-zA-Z]+"), attr("mincharnum", 1), attr("pad_value", "#"), attr("mark", 1)}},
            {"runs_of_a_class",
             {str({2}, {"a_1 -\xC3\xA9z9", "\xFF_\xC3x y"})},
             {str({2, 3}, {"a_1", "z9", "#", "_", "x", "y"})},
             {attr("tokenexp", "[a-z0-9_]+"), attr("mincharnum", 1), attr("pad_value", "#")}},
            {"runs_of_words",
             {str({2}, {"Ab_9, c", "--"})},
             {str({2, 1}, {"Ab_9", "#"})},
             {attr("tokenexp", "\\w+"), attr("mincharnum", 2), attr("pad_value", "#")}},
            {"runs_of_digits",
             {str({1}, {"12a 3"})},
             {str({1, 2}, {"12", "3"})},
             {attr("tokenexp", "\\d+"), attr("mincharnum", 1), attr("pad_value", "#")}},
            {"negated_class_is_no_run",
             {str({1}, {"ab^c"})},
             {str({1, 1}, {"b^c"})},
             {attr("tokenexp", "[^a]+"), attr("mincharnum", 1), attr("pad_value", "#")}},
            {"no_tokens",
             {str({2}, {"", " "})},
             {str({2, 0}, {})},
             {attr("tokenexp", "[a-zA-Z]+"), attr("mincharnum", 1), attr("pad_value", "#"), attr("mark", 1)}},
            {"characters",
             {str({1, 2}, {"aé", "x"})},
             {str({1, 2, 2}, {"a", "é", "x", "#"})},
             {{"separators", Strings{""}}, attr("mincharnum", 1), attr("pad_value", "#")}},
            {"separators_in_turn",
             {str({1}, {"abc,def"})},
             {str({1, 2}, {"a", "c,def"})},
             {{"separators", Strings{"b", "bc,"}}, attr("mincharnum", 1), attr("pad_value", "#")}},
            {"short_tokens_are_dropped",
             {str({1}, {"aé b cde"})},
             {str({1, 2}, {"aé", "cde"})},
             {{"separators", Strings{" "}}, attr("mincharnum", 2), attr("pad_value", "#")}},
            {"empty_matches_are_no_tokens",
             {str({1}, {"ab cab"})},
             {str({1, 4}, {"a", "b", "a", "b"})},
             {attr("tokenexp", "a|b|"), attr("mincharnum", 1), attr("pad_value", "#")}});
OP_REJECTS_IN("com.microsoft", Tokenizer, "mincharnum is 0", {str({1}, {"a"})}, {attr("tokenexp", "a")});

namespace {

std::vector<::sdx::Attribute> grams(const char* mode, int skips, int shortest, std::vector<float> weights = {}) {
  using ::sdx::ops::attr;
  std::vector<::sdx::Attribute> list = {attr("mode", mode),
                                        attr("max_gram_length", 2),
                                        attr("min_gram_length", shortest),
                                        attr("max_skip_count", skips),
                                        attr("ngram_counts", std::vector<int64_t>{0, 2}),
                                        attr("ngram_indexes", std::vector<int64_t>{3, 1, 0, 2}),
                                        attr("pool_int64s", std::vector<int64_t>{1, 2, 1, 2, 2, 1})};
  if (!weights.empty()) list.push_back({"weights", weights});
  return list;
}

}  // namespace

OP_CASES(
    TfIdfVectorizer, {"counts", {i64({6}, {1, 2, 1, 2, 2, 1})}, {f32({4}, {2, 3, 2, 3})}, grams("TF", 0, 1)},
    {"skips", {i64({6}, {1, 2, 1, 2, 2, 1})}, {f32({4}, {3, 3, 3, 3})}, grams("TF", 1, 1)},
    {"many_skips", {i32({6}, {1, 2, 1, 2, 2, 1})}, {f32({4}, {5, 3, 4, 3})}, grams("TF", 5, 1)},
    {"no_single_tokens", {i64({6}, {1, 2, 1, 2, 2, 1})}, {f32({4}, {2, 0, 2, 0})}, grams("TF", 0, 2)},
    {"idf", {i64({6}, {1, 2, 1, 2, 2, 1})}, {f32({4}, {30, 20, 40, 10})}, grams("IDF", 0, 1, {10, 20, 30, 40})},
    {"tfidf", {i64({6}, {1, 2, 1, 2, 2, 1})}, {f32({4}, {60, 60, 80, 30})}, grams("TFIDF", 0, 1, {10, 20, 30, 40})},
    {"rows", {i64({2, 3}, {1, 2, 9, 9, 9, 1})}, {f32({2, 4}, {1, 1, 0, 1, 0, 0, 0, 1})}, grams("TF", 0, 1)},
    {"empty_rows", {i64({2, 0}, {})}, {f32({2, 4}, {0})}, grams("TF", 0, 1)});
OP_REJECTS(TfIdfVectorizer, "not TF", {i64({1}, {1})}, grams("tf", 0, 1));
OP_REJECTS(TfIdfVectorizer, "min_gram_length is 0", {i64({1}, {1})}, grams("TF", 0, 0));

TEST(Utf8, counts_code_points) {
  EXPECT_EQ(sdx::ops::count_code_points("aé€😀"), 4u);
  EXPECT_EQ(sdx::ops::count_code_points("\xff\xc3"), 2u);
}
