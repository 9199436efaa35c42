// LabelEncoder: each element looked up among the keys; its value, or a default. A NaN key matches every NaN, 0 matches
// -0; of a key given twice the last counts (onnxruntime takes the first).
#include "ops/ml/label_encoder.h"

#include <bit>
#include <cmath>

#include "base/element.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

template <typename T>
Tensor vector_of(DType type, std::span<const T> values) {
  const int64_t count = static_cast<int64_t>(values.size());
  return make_tensor<T>(type, {&count, 1}, values);
}

// Keys or values, by whichever attribute of <name>_tensor, <name>_strings, _int64s and _floats is there.
Result<Tensor> list_of(const Attributes& attributes, const std::string& name) {
  Tensor list;
  int given = 0;
  if (const auto* tensor = attributes.get<Tensor>(name + "_tensor")) {
    list = *tensor;
    ++given;
  }
  if (const auto* texts = attributes.get<std::vector<std::string>>(name + "_strings")) {
    StringTensorBuilder builder;
    for (const std::string& text : *texts) builder.append(text);
    const int64_t count = builder.count();
    SDX_ASSIGN(list, builder.finish({&count, 1}));
    ++given;
  }
  if (attributes.has(name + "_int64s")) {
    list = vector_of(DType::i64, attributes.get_ints(name + "_int64s"));
    ++given;
  }
  if (attributes.has(name + "_floats")) {
    list = vector_of(DType::f32, attributes.get_floats(name + "_floats"));
    ++given;
  }
  if (given != 1) return invalid_argument("{} attributes give {}, exactly one is wanted", given, name);
  return list;
}

Result<Tensor> default_of(const Attributes& attributes, DType type) {
  if (const auto* tensor = attributes.get<Tensor>("default_tensor")) {
    if (tensor->count() != 1 || tensor->dtype() != type)
      return invalid_argument("default_tensor is {}{}, one {} is wanted", name(tensor->dtype()),
                              to_text(tensor->shape()), name(type));
    return *tensor;
  }
  if (type == DType::string) {
    StringTensorBuilder builder;
    builder.append(attributes.get_string("default_string", "_Unused"));
    const int64_t one = 1;
    return builder.finish({&one, 1});
  }
  SDX_ASSIGN(Tensor one, Tensor::allocate(type, {}));
  if (is_floating(type)) {
    store_double(one, 0, attributes.get_float("default_float", -0.0f));
  } else {
    store_i64(one, 0, attributes.get_int("default_int64", -1));
  }
  return one;
}

uint64_t key_bits(const Tensor& tensor, int64_t i) {
  if (!is_floating(tensor.dtype())) return static_cast<uint64_t>(load_i64(tensor, i));
  const double value = load_double(tensor, i);
  if (std::isnan(value)) return ~uint64_t{0};
  return std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
}

Result<Facts> infer_label_encoder(InferContext& ctx) {
  SDX_ASSIGN(const Tensor keys, list_of(ctx.attributes(), "keys"));
  SDX_ASSIGN(const Tensor values, list_of(ctx.attributes(), "values"));
  if (ctx.dtype(0) != DType::undefined && ctx.dtype(0) != keys.dtype())
    return ctx.fail("x holds {}, the keys are {}", name(ctx.dtype(0)), name(keys.dtype()));
  return tensor_fact(values.dtype(), ctx.input(0).shape);
}

// Up to ml opset 1: strings to their positions in classes_strings, or positions to strings.
Status label_encoder_1_to_2(UpgradeContext& ctx) {
  const auto* given = ctx.attributes().get<std::vector<std::string>>("classes_strings");
  if (given == nullptr) return ctx.fail("attribute classes_strings is missing");
  const std::vector<std::string> classes = *given;
  std::vector<int64_t> positions;
  for (size_t i = 0; i < classes.size(); ++i) positions.push_back(static_cast<int64_t>(i));
  ctx.attributes().remove("classes_strings");
  const DType type = ctx.fact(0).dtype;
  if (type != DType::string && type != DType::i64) return ctx.fail("x holds {}, string or i64 is wanted", name(type));
  const bool from_text = type == DType::string;
  ctx.attributes().set(from_text ? "keys_strings" : "values_strings", classes);
  ctx.attributes().set(from_text ? "values_int64s" : "keys_int64s", std::move(positions));
  return {};
}

}  // namespace

Result<std::unique_ptr<LabelTable>> label_table(const Attributes& attributes) {
  auto table = std::make_unique<LabelTable>();
  SDX_ASSIGN(const Tensor keys, list_of(attributes, "keys"));
  SDX_ASSIGN(table->values, list_of(attributes, "values"));
  SDX_ASSIGN(table->otherwise, default_of(attributes, table->values.dtype()));
  table->key_type = keys.dtype();
  if (keys.count() != table->values.count())
    return invalid_argument("{} keys are given for {} values", keys.count(), table->values.count());
  if (keys.dtype() == DType::string) {
    for (int64_t i = 0; i < keys.count(); ++i) table->texts.emplace_back(keys.string_at(i));
    for (int64_t i = 0; i < keys.count(); ++i) table->by_text[table->texts[static_cast<size_t>(i)]] = i;
  } else {
    for (int64_t i = 0; i < keys.count(); ++i) table->by_bits[key_bits(keys, i)] = i;
  }
  return table;
}

Status run_label_encoder(KernelContext& ctx, const LabelTable& table) {
  const Tensor& x = ctx.input(0);
  if (x.dtype() != table.key_type)
    return invalid_argument("x holds {}, the keys are {}", name(x.dtype()), name(table.key_type));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, x.shape()));
  for (int64_t i = 0; i < x.count(); ++i) {
    if (i % 65536 == 0) SDX_TRY(ctx.check_cancelled());
    int64_t at = -1;
    if (x.dtype() == DType::string) {
      if (const auto found = table.by_text.find(x.string_at(i)); found != table.by_text.end()) at = found->second;
    } else if (const auto found = table.by_bits.find(key_bits(x, i)); found != table.by_bits.end()) {
      at = found->second;
    }
    writer.append(at < 0 ? table.otherwise : table.values, std::max<int64_t>(at, 0));
  }
  return writer.finish();
}

SDX_OP(label_encoder) = {
    .name = "LabelEncoder",
    .domain = "ai.onnx.ml",
    .since = 4,
    .infer = infer_label_encoder,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const auto table, label_table(ctx.attributes()));
      return run_label_encoder(ctx, *table);
    },
    .upgrades = {{1, label_encoder_1_to_2}},
    .records_constraints = true,
};

}  // namespace sdx::ops
