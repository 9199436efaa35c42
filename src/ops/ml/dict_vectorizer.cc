// DictVectorizer: the values of a map in the order of a vocabulary of its keys; keys that the map lacks give zeros or
// empty strings. The result is one row, [1, n]: the standard speaks of a vector, but converters and onnxruntime have
// the row.
#include <unordered_map>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

struct Vocabulary {
  std::span<const int64_t> numbers;
  const std::vector<std::string>* texts = nullptr;
  size_t size() const { return texts != nullptr ? texts->size() : numbers.size(); }
};

Result<Vocabulary> vocabulary(const Attributes& attributes) {
  Vocabulary words;
  words.numbers = attributes.get_ints("int64_vocabulary");
  words.texts = attributes.get<std::vector<std::string>>("string_vocabulary");
  if (words.texts != nullptr && words.texts->empty()) words.texts = nullptr;
  if (words.numbers.empty() == (words.texts == nullptr))
    return invalid_argument("exactly one of int64_vocabulary and string_vocabulary is wanted");
  return words;
}

Result<Facts> infer_dict_vectorizer(InferContext& ctx) {
  SDX_ASSIGN(const Vocabulary words, vocabulary(ctx.attributes()));
  const Fact& map = ctx.input(0);
  const DType type = map.kind == ValueKind::map && !map.inner.empty() ? map.inner[0].dtype : DType::undefined;
  return tensor_fact(type, SymShape{Dim(1), Dim(static_cast<int64_t>(words.size()))});
}

// For each word the position of its value, -1: none.
Result<std::vector<int64_t>> positions(const Vocabulary& words, const Tensor& keys) {
  std::vector<int64_t> found;
  if (words.texts != nullptr) {
    if (keys.dtype() != DType::string)
      return invalid_argument("the map's keys are {}, the vocabulary strings", name(keys.dtype()));
    std::unordered_map<std::string_view, int64_t> at;
    for (int64_t i = 0; i < keys.count(); ++i) at[keys.string_at(i)] = i;
    for (const std::string& word : *words.texts) found.push_back(at.contains(word) ? at[word] : -1);
    return found;
  }
  if (!is_integer(keys.dtype()))
    return invalid_argument("the map's keys are {}, the vocabulary integers", name(keys.dtype()));
  std::unordered_map<int64_t, int64_t> at;
  for (int64_t i = 0; i < keys.count(); ++i) at[load_i64(keys, i)] = i;
  for (const int64_t word : words.numbers) found.push_back(at.contains(word) ? at[word] : -1);
  return found;
}

Status dict_vectorizer_reference(KernelContext& ctx) {
  if (ctx.input_value(0).kind() != ValueKind::map) return invalid_argument("x is no map");
  const Map& map = ctx.input_value(0).map();
  if (!map.values.is_tensor() || map.values.tensor().count() != map.keys.count())
    return invalid_argument("x is no map to single values");
  SDX_ASSIGN(const Vocabulary words, vocabulary(ctx.attributes()));
  SDX_ASSIGN(const std::vector<int64_t> places, positions(words, map.keys));
  const Tensor& values = map.values.tensor();
  const Shape shape = {1, static_cast<int64_t>(places.size())};
  if (values.dtype() == DType::string) {
    StringTensorBuilder texts;
    for (const int64_t i : places) texts.append(i < 0 ? std::string_view() : values.string_at(i));
    SDX_ASSIGN(Tensor y, texts.finish(shape));
    ctx.set_output(0, std::move(y));
    return {};
  }
  SDX_ASSIGN(Tensor y, Tensor::allocate(values.dtype(), shape));
  for (size_t k = 0; k < places.size(); ++k) {
    const int64_t to = static_cast<int64_t>(k);
    if (is_floating(values.dtype())) {
      store_double(y, to, places[k] < 0 ? 0 : load_double(values, places[k]));
    } else {
      store_i64(y, to, places[k] < 0 ? 0 : load_i64(values, places[k]));
    }
  }
  ctx.set_output(0, std::move(y));
  return {};
}

}  // namespace

SDX_OP(dict_vectorizer) = {
    .name = "DictVectorizer",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_dict_vectorizer,
    .reference = dict_vectorizer_reference,
};

}  // namespace sdx::ops
