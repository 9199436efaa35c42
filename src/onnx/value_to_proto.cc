#include "base/element.h"
#include "onnx/value_proto.h"
#include "onnx/writer.h"

namespace sdx::onnx {
namespace {

// Values to messages, which point into the values.
class ToProto {
 public:
  Result<SparseTensorProto> message(const SparseTensor& sparse, Text name) {
    SparseTensorProto proto;
    proto.values.make() = tensor_message(sparse.values, name);
    proto.indices.make() = tensor_message(sparse.indices, {});
    proto.dims = Numbers<int64_t>({sparse.dense_shape.begin(), sparse.dense_shape.end()});
    return proto;
  }

  Result<SequenceProto> message(const Sequence& sequence, Text name) {
    SequenceProto proto;
    proto.name = name;
    SDX_ASSIGN(const ElementKind kind, kind_of(sequence.element_type.kind));
    proto.elem_type = static_cast<int32_t>(kind);
    for (const auto& element : sequence.elements) {
      if (element.kind() != sequence.element_type.kind)
        return invalid_argument("a sequence of {} holds {}", to_text(sequence.element_type), to_text(element.type()));
      switch (kind) {
        case ElementKind::tensor: proto.tensor_values.push_back(tensor_message(element.tensor(), {})); break;
        case ElementKind::sparse_tensor: SDX_TRY(add(element.sparse(), proto.sparse_tensor_values)); break;
        case ElementKind::sequence: SDX_TRY(add(element.sequence(), proto.sequence_values)); break;
        case ElementKind::map: SDX_TRY(add(element.map(), proto.map_values)); break;
        case ElementKind::optional: SDX_TRY(add(element.optional(), proto.optional_values)); break;
        case ElementKind::undefined: break;
      }
    }
    return proto;
  }

  Result<MapProto> message(const Map& map, Text name) {
    MapProto proto;
    proto.name = name;
    proto.key_type = static_cast<int32_t>(map.keys.dtype());
    if (map.keys.dtype() == DType::string) {
      for (int64_t i = 0; i < map.keys.count(); ++i) proto.string_keys.push_back(map.keys.string_at(i));
    } else {
      std::vector<int64_t> keys;
      for (int64_t i = 0; i < map.keys.count(); ++i) keys.push_back(load_i64(map.keys, i));
      proto.keys = Numbers<int64_t>(std::move(keys));
    }
    if (!map.values.is_tensor()) {
      SDX_ASSIGN(proto.values.make(), message(map.values.sequence(), {}));
      return proto;
    }
    const Tensor& values = map.values.tensor();
    if (is_packed(values.dtype())) return not_implemented("writing a map with {} values", name_of(values.dtype()));
    auto& sequence = proto.values.make();
    sequence.elem_type = static_cast<int32_t>(ElementKind::tensor);
    for (int64_t i = 0; i < values.count(); ++i) sequence.tensor_values.push_back(scalar(values, i));
    return proto;
  }

  Result<OptionalProto> message(const OptionalValue& optional, Text name) {
    OptionalProto proto;
    proto.name = name;
    SDX_ASSIGN(const ElementKind kind, kind_of(optional.element_type.kind));
    proto.elem_type = static_cast<int32_t>(kind);
    const Value& element = optional.element;
    switch (element.kind()) {
      case ValueKind::none: break;
      case ValueKind::tensor: proto.tensor_value.make() = tensor_message(element.tensor(), {}); break;
      case ValueKind::sparse: SDX_TRY(fill(element.sparse(), proto.sparse_tensor_value)); break;
      case ValueKind::sequence: SDX_TRY(fill(element.sequence(), proto.sequence_value)); break;
      case ValueKind::map: SDX_TRY(fill(element.map(), proto.map_value)); break;
      case ValueKind::optional: SDX_TRY(fill(element.optional(), proto.optional_value)); break;
    }
    return proto;
  }

 private:
  static std::string_view name_of(DType type) { return info(type).name; }

  static Result<ElementKind> kind_of(ValueKind kind) {
    switch (kind) {
      case ValueKind::none: return ElementKind::undefined;
      case ValueKind::tensor: return ElementKind::tensor;
      case ValueKind::sparse: return ElementKind::sparse_tensor;
      case ValueKind::sequence: return ElementKind::sequence;
      case ValueKind::map: return ElementKind::map;
      case ValueKind::optional: return ElementKind::optional;
    }
    return invalid_argument("a value of an unknown kind");
  }

  template <typename T, typename M>
  Status add(const T& content, std::vector<M>& messages) {
    SDX_ASSIGN(M proto, message(content, {}));
    messages.push_back(std::move(proto));
    return {};
  }
  template <typename T, typename M>
  Status fill(const T& content, Box<M>& box) {
    SDX_ASSIGN(box.make(), message(content, {}));
    return {};
  }

  static TensorProto scalar(const Tensor& values, int64_t index) {
    TensorProto proto;
    proto.data_type = static_cast<int32_t>(values.dtype());
    if (values.dtype() == DType::string) {
      proto.string_data.push_back(values.string_at(index));
      return proto;
    }
    const size_t width = static_cast<size_t>(bit_width(values.dtype())) / 8;
    proto.raw_data = {values.bytes() + static_cast<size_t>(index) * width, width};
    return proto;
  }
};

}  // namespace

TensorProto tensor_message(const Tensor& tensor, Text name) {
  TensorProto proto;
  proto.dims = Numbers<int64_t>({tensor.shape().begin(), tensor.shape().end()});
  proto.data_type = static_cast<int32_t>(tensor.dtype());
  proto.name = name;
  if (tensor.dtype() == DType::string) {
    for (int64_t i = 0; i < tensor.count(); ++i) proto.string_data.push_back(tensor.string_at(i));
  } else {
    static constexpr std::byte kNothing{};
    proto.raw_data = {tensor.bytes() == nullptr ? &kNothing : tensor.bytes(), tensor.byte_size()};
  }
  return proto;
}

std::string tensor_to_proto(const Tensor& tensor, Text name) { return write_tensor(tensor_message(tensor, name)); }

Result<std::string> value_to_proto(const Value& value, Text name) {
  ToProto to;
  const auto convert = [](auto message, auto write) -> Result<std::string> {
    if (!message.ok()) return std::move(message).status();
    return write(*message);
  };
  switch (value.kind()) {
    case ValueKind::none: break;
    case ValueKind::tensor: return tensor_to_proto(value.tensor(), name);
    case ValueKind::sparse: return convert(to.message(value.sparse(), name), write_sparse_tensor);
    case ValueKind::sequence: return convert(to.message(value.sequence(), name), write_sequence);
    case ValueKind::map: return convert(to.message(value.map(), name), write_map);
    case ValueKind::optional: return convert(to.message(value.optional(), name), write_optional);
  }
  return invalid_argument("a value that is undefined cannot be written");
}

}  // namespace sdx::onnx
