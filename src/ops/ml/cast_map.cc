// CastMap: the values of a map, by ascending key, as a row [1, n]. SPARSE puts each value at its key in a row of
// max_map elements, the rest zeros or empty strings.
#include <algorithm>
#include <numeric>

#include "base/element.h"
#include "ops/ml/number_text.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<DType> cast_target(const Attributes& attributes) {
  const std::string_view to = attributes.get_string("cast_to", "TO_FLOAT");
  if (to == "TO_FLOAT") return DType::f32;
  if (to == "TO_STRING") return DType::string;
  if (to == "TO_INT64") return DType::i64;
  return invalid_argument("cast_to is {}, not TO_FLOAT, TO_STRING or TO_INT64", to);
}

Result<bool> is_sparse(const Attributes& attributes) {
  const std::string_view form = attributes.get_string("map_form", "DENSE");
  if (form != "DENSE" && form != "SPARSE") return invalid_argument("map_form is {}, not DENSE or SPARSE", form);
  if (form == "SPARSE" && attributes.get_int("max_map", 1) < 1)
    return invalid_argument("max_map is {}, at least 1 is wanted", attributes.get_int("max_map", 1));
  return form == "SPARSE";
}

Result<Facts> infer_cast_map(InferContext& ctx) {
  SDX_ASSIGN(const DType type, cast_target(ctx.attributes()));
  SDX_ASSIGN(const bool sparse, is_sparse(ctx.attributes()));
  return tensor_fact(type, SymShape{Dim(1), sparse ? Dim(ctx.attr_int("max_map", 1)) : ctx.unknown_dim()});
}

// Position of each output element in the map's values; -1: none.
Result<std::vector<int64_t>> element_order(const Map& map, bool sparse, int64_t most) {
  const int64_t count = map.keys.count();
  if (map.keys.dtype() != DType::i64 || !map.values.is_tensor() || map.values.tensor().count() != count)
    return invalid_argument("x is no map from integers to single values");
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int64_t a, int64_t b) { return load_i64(map.keys, a) < load_i64(map.keys, b); });
  if (!sparse) return order;
  std::vector<int64_t> places(static_cast<size_t>(most), -1);
  for (const int64_t i : order) {
    const int64_t key = load_i64(map.keys, i);
    if (key < 0 || key >= most) return invalid_argument("key {} is outside [0, {})", key, most);
    places[static_cast<size_t>(key)] = i;
  }
  return places;
}

Status cast_map_reference(KernelContext& ctx) {
  if (ctx.input_value(0).kind() != ValueKind::map) return invalid_argument("x is no map");
  const Map& map = ctx.input_value(0).map();
  SDX_ASSIGN(const DType type, cast_target(ctx.attributes()));
  SDX_ASSIGN(const bool sparse, is_sparse(ctx.attributes()));
  SDX_ASSIGN(const std::vector<int64_t> order, element_order(map, sparse, ctx.attr_int("max_map", 1)));
  const Shape shape = {1, static_cast<int64_t>(order.size())};
  const Tensor& values = map.values.tensor();
  const bool from_text = values.dtype() == DType::string;
  if (type == DType::string) {
    StringTensorBuilder texts;
    for (const int64_t i : order)
      texts.append(i < 0       ? std::string()
                   : from_text ? std::string(values.string_at(i))
                               : number_text(load_double(values, i)));
    SDX_ASSIGN(Tensor y, texts.finish(shape));
    ctx.set_output(0, std::move(y));
    return {};
  }
  SDX_ASSIGN(Tensor y, Tensor::allocate(type, shape));
  for (size_t k = 0; k < order.size(); ++k) {
    double value = 0;
    if (order[k] >= 0 && !from_text) value = load_double(values, order[k]);
    if (order[k] >= 0 && from_text) {
      const auto number = number_from(values.string_at(order[k]));
      if (!number) return invalid_argument("value \"{}\" is no number", values.string_at(order[k]));
      value = *number;
    }
    store_double(y, static_cast<int64_t>(k), value);
  }
  ctx.set_output(0, std::move(y));
  return {};
}

}  // namespace

SDX_OP(cast_map) = {
    .name = "CastMap",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_cast_map,
    .reference = cast_map_reference,
};

}  // namespace sdx::ops
