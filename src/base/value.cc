#include "base/value.h"

#include <cstring>

#include "base/element.h"

namespace sdx {

ValueType tensor_type(DType type) { return {ValueKind::tensor, type, {}}; }
ValueType sequence_type(ValueType element) { return {ValueKind::sequence, DType::undefined, {std::move(element)}}; }
ValueType optional_type(ValueType element) { return {ValueKind::optional, DType::undefined, {std::move(element)}}; }

std::string to_text(const ValueType& type) {
  const auto inner = [&] { return type.inner.empty() ? std::string("?") : to_text(type.inner[0]); };
  switch (type.kind) {
    case ValueKind::none: return "undefined";
    case ValueKind::tensor: return formatted("tensor({})", info(type.dtype).onnx_name);
    case ValueKind::sparse: return formatted("sparse_tensor({})", info(type.dtype).onnx_name);
    case ValueKind::sequence: return "seq(" + inner() + ")";
    case ValueKind::optional: return "optional(" + inner() + ")";
    case ValueKind::map: return formatted("map({},{})", info(type.dtype).onnx_name, inner());
  }
  return "undefined";
}

Value::Value(Sequence sequence) : content_(std::make_shared<const Sequence>(std::move(sequence))) {}
Value::Value(Map map) : content_(std::make_shared<const Map>(std::move(map))) {}
Value::Value(OptionalValue optional) : content_(std::make_shared<const OptionalValue>(std::move(optional))) {}
Value::Value(SparseTensor sparse) : content_(std::make_shared<const SparseTensor>(std::move(sparse))) {}

const Tensor& Value::tensor() const {
  SDX_CHECK(is_tensor(), "value is not a tensor");
  return std::get<Tensor>(content_);
}
Tensor& Value::tensor() {
  SDX_CHECK(is_tensor(), "value is not a tensor");
  return std::get<Tensor>(content_);
}
const Sequence& Value::sequence() const {
  SDX_CHECK(kind() == ValueKind::sequence, "value is not a sequence");
  return *std::get<std::shared_ptr<const Sequence>>(content_);
}
const Map& Value::map() const {
  SDX_CHECK(kind() == ValueKind::map, "value is not a map");
  return *std::get<std::shared_ptr<const Map>>(content_);
}
const OptionalValue& Value::optional() const {
  SDX_CHECK(kind() == ValueKind::optional, "value is not an optional");
  return *std::get<std::shared_ptr<const OptionalValue>>(content_);
}
const SparseTensor& Value::sparse() const {
  SDX_CHECK(kind() == ValueKind::sparse, "value is not a sparse tensor");
  return *std::get<std::shared_ptr<const SparseTensor>>(content_);
}

ValueType Value::type() const {
  switch (kind()) {
    case ValueKind::none: return {};
    case ValueKind::tensor: return tensor_type(tensor().dtype());
    case ValueKind::sparse: return {ValueKind::sparse, sparse().values.dtype(), {}};
    case ValueKind::sequence: return sequence_type(sequence().element_type);
    case ValueKind::optional: return optional_type(optional().element_type);
    case ValueKind::map: {
      const Value& values = map().values;
      ValueType inner = values.is_tensor() ? tensor_type(values.tensor().dtype()) : values.sequence().element_type;
      return {ValueKind::map, map().keys.dtype(), {std::move(inner)}};
    }
  }
  return {};
}

Result<Tensor> make_dense(const SparseTensor& sparse) {
  const DType type = sparse.values.dtype();
  const int64_t nonzeros = sparse.values.count();
  const int64_t rank = static_cast<int64_t>(sparse.dense_shape.size());
  const bool linear = sparse.indices.rank() == 1;
  if (sparse.indices.count() != nonzeros * (linear ? 1 : rank) || (!linear && sparse.indices.rank() != 2))
    return invalid_argument("sparse tensor {} has {} values but indices {}", to_text(sparse.dense_shape), nonzeros,
                            to_text(sparse.indices.shape()));
  const auto total = checked_count(sparse.dense_shape);
  if (!total) return invalid_argument("sparse tensor has an impossible shape {}", to_text(sparse.dense_shape));
  std::vector<int64_t> order(static_cast<size_t>(nonzeros));
  for (int64_t i = 0; i < nonzeros; ++i) {
    int64_t index = 0;
    for (int64_t axis = 0; axis < (linear ? 1 : rank); ++axis) {
      const int64_t limit = linear ? *total : sparse.dense_shape[static_cast<size_t>(axis)];
      const int64_t at = load_i64(sparse.indices, linear ? i : i * rank + axis);
      if (at < 0 || at >= limit)
        return invalid_argument("sparse tensor {}: index {} of value {} is outside [0, {})",
                                to_text(sparse.dense_shape), at, i, limit);
      index = index * limit + at;
    }
    order[static_cast<size_t>(i)] = index;
  }
  if (type == DType::string) {
    std::vector<std::string_view> texts(static_cast<size_t>(*total));
    for (int64_t i = 0; i < nonzeros; ++i)
      texts[static_cast<size_t>(order[static_cast<size_t>(i)])] = sparse.values.string_at(i);
    StringTensorBuilder builder;
    for (const auto text : texts) builder.append(text);
    return builder.finish(sparse.dense_shape);
  }
  SDX_ASSIGN(Tensor dense, Tensor::allocate(type, sparse.dense_shape));
  std::memset(dense.raw(), 0, dense.byte_size());
  const size_t width = static_cast<size_t>(bit_width(type)) / 8;
  for (int64_t i = 0; i < nonzeros; ++i) {
    const int64_t to = order[static_cast<size_t>(i)];
    if (width == 0) {
      store_packed(bit_width(type), dense.raw(), to, load_packed(bit_width(type), sparse.values.raw(), i));
    } else {
      std::memcpy(dense.bytes() + static_cast<size_t>(to) * width,
                  sparse.values.bytes() + static_cast<size_t>(i) * width, width);
    }
  }
  return dense;
}

}  // namespace sdx
