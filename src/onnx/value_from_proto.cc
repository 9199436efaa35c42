#include "onnx/value_proto.h"

#include <algorithm>

#include "base/element.h"
#include "onnx/reader.h"
#include "onnx/tensor_proto.h"

namespace sdx::onnx {
namespace {

ValueType type_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::tensor: return tensor_type(DType::undefined);
    case ElementKind::sparse_tensor: return {ValueKind::sparse, DType::undefined, {}};
    case ElementKind::sequence: return sequence_type({});
    case ElementKind::map: return {ValueKind::map, DType::undefined, {ValueType{}}};
    case ElementKind::optional: return optional_type({});
    case ElementKind::undefined: break;
  }
  return {};
}

Result<ElementKind> element_kind(std::optional<int32_t> number) {
  const int32_t kind = number.value_or(0);
  if (kind < 0 || kind > static_cast<int32_t>(ElementKind::optional))
    return invalid_graph("elem_type {} is no kind of value", kind);
  return static_cast<ElementKind>(kind);
}

// A tensor that nobody owns still points into the message.
Status make_own(Tensor& tensor) {
  if (tensor.owner() != nullptr) return {};
  SDX_ASSIGN(tensor, clone(tensor));
  return {};
}

// Messages to values. Depth is bounded by the reader. Without an owner of the bytes every tensor gets memory of its own,
// aligned.
class FromProto {
 public:
  explicit FromProto(TensorSource source) : source_(std::move(source)) {}

  Result<Value> value(const TensorProto& proto) {
    SDX_ASSIGN(Tensor tensor, tensor_from_proto(proto, source_));
    if (source_.owner == nullptr) SDX_TRY(make_own(tensor));
    return Value(std::move(tensor));
  }
  Result<Value> value(const SparseTensorProto& proto) {
    SDX_ASSIGN(SparseTensor sparse, sparse_from_proto(proto, source_));
    if (source_.owner == nullptr) {
      SDX_TRY(make_own(sparse.values));
      SDX_TRY(make_own(sparse.indices));
    }
    return Value(std::move(sparse));
  }

  Result<Value> value(const SequenceProto& proto) {
    SDX_ASSIGN(const ElementKind kind, element_kind(proto.elem_type));
    Sequence sequence;
    SDX_TRY(append(proto.tensor_values, sequence));
    SDX_TRY(append(proto.sparse_tensor_values, sequence));
    SDX_TRY(append(proto.sequence_values, sequence));
    SDX_TRY(append(proto.map_values, sequence));
    SDX_TRY(append(proto.optional_values, sequence));
    sequence.element_type = sequence.elements.empty() ? type_of(kind) : sequence.elements[0].type();
    const auto other = std::find_if(sequence.elements.begin(), sequence.elements.end(), [&](const Value& element) {
      return element.kind() != sequence.elements[0].kind();
    });
    if (other != sequence.elements.end())
      return invalid_graph("sequence \"{}\": element 0 is {}, element {} is {}", proto.name,
                           to_text(sequence.element_type), other - sequence.elements.begin(), to_text(other->type()));
    return Value(std::move(sequence));
  }

  Result<Value> value(const MapProto& proto) {
    Map map;
    SDX_ASSIGN(map.keys, keys(proto));
    Sequence values;
    if (proto.values) {
      SDX_ASSIGN(const Value sequence, value(*proto.values));
      values = sequence.sequence();
    }
    if (static_cast<size_t>(map.keys.count()) != values.elements.size())
      return invalid_graph("map \"{}\": {} keys but {} values", proto.name, map.keys.count(), values.elements.size());
    SDX_ASSIGN(map.values, scalars_as_tensor(std::move(values)));
    return Value(std::move(map));
  }

  Result<Value> value(const OptionalProto& proto) {
    SDX_ASSIGN(const ElementKind kind, element_kind(proto.elem_type));
    OptionalValue optional;
    SDX_TRY(fill(proto.tensor_value, optional));
    SDX_TRY(fill(proto.sparse_tensor_value, optional));
    SDX_TRY(fill(proto.sequence_value, optional));
    SDX_TRY(fill(proto.map_value, optional));
    SDX_TRY(fill(proto.optional_value, optional));
    optional.element_type = optional.element.defined() ? optional.element.type() : type_of(kind);
    return Value(std::move(optional));
  }

 private:
  template <typename M>
  Status append(const std::vector<M>& messages, Sequence& sequence) {
    for (const auto& message : messages) {
      SDX_ASSIGN(Value element, value(message));
      sequence.elements.push_back(std::move(element));
    }
    return {};
  }
  template <typename M>
  Status fill(const Box<M>& message, OptionalValue& optional) {
    if (!message) return {};
    SDX_ASSIGN(optional.element, value(*message));
    return {};
  }

  static Result<Tensor> keys(const MapProto& proto) {
    const DType type = dtype_from_onnx(proto.key_type.value_or(0));
    if (type == DType::string) {
      StringTensorBuilder builder;
      for (const Text key : proto.string_keys) builder.append(key);
      const int64_t count = builder.count();
      return builder.finish({&count, 1});
    }
    if (!is_integer(type) || is_packed(type))
      return invalid_graph("map \"{}\": key_type {} is neither an integer type nor string", proto.name,
                           proto.key_type.value_or(0));
    const auto count = static_cast<int64_t>(proto.keys.size());
    SDX_ASSIGN(Tensor keys, Tensor::allocate(type, {&count, 1}));
    const std::vector<int64_t> numbers = proto.keys.values();
    for (int64_t i = 0; i < count; ++i) store_i64(keys, i, numbers[static_cast<size_t>(i)]);
    return keys;
  }

  // Maps whose values are scalars of one type hold them as one tensor.
  static Result<Value> scalars_as_tensor(Sequence values) {
    const auto scalar_like_first = [&](const Value& value) {
      return value.is_tensor() && value.tensor().rank() == 0 &&
             value.tensor().dtype() == values.elements[0].tensor().dtype() && !is_packed(value.tensor().dtype());
    };
    const bool merge = !values.elements.empty() && values.elements[0].is_tensor() &&
                       std::all_of(values.elements.begin(), values.elements.end(), scalar_like_first);
    if (!merge) return Value(std::move(values));
    const auto count = static_cast<int64_t>(values.elements.size());
    const DType type = values.elements[0].tensor().dtype();
    if (type == DType::string) {
      StringTensorBuilder builder;
      for (const auto& value : values.elements) builder.append(value.tensor().string_at(0));
      SDX_ASSIGN(Tensor tensor, builder.finish({&count, 1}));
      return Value(std::move(tensor));
    }
    SDX_ASSIGN(Tensor tensor, Tensor::allocate(type, {&count, 1}));
    std::byte* out = tensor.bytes();
    for (const auto& value : values.elements)
      out = std::copy_n(value.tensor().bytes(), value.tensor().byte_size(), out);
    return Value(std::move(tensor));
  }

  TensorSource source_;
};

}  // namespace

namespace {

Result<Value> read_value(Bytes bytes, ValueKind expected, FromProto from) {
  const auto convert = [&](auto message) -> Result<Value> {
    if (!message.ok()) return std::move(message).status();
    return from.value(*message);
  };
  switch (expected) {
    case ValueKind::tensor: return convert(read_tensor(bytes));
    case ValueKind::sparse: return convert(read_sparse_tensor(bytes));
    case ValueKind::sequence: return convert(read_sequence(bytes));
    case ValueKind::map: return convert(read_map(bytes));
    case ValueKind::optional: return convert(read_optional(bytes));
    case ValueKind::none: break;
  }
  return invalid_argument("the kind of the value to read is not given");
}

}  // namespace

Result<Value> value_from_proto(const std::shared_ptr<MappedFile>& file, ValueKind expected) {
  return read_value(file->bytes(), expected, FromProto({file, nullptr}));
}

Result<Value> value_from_bytes(Bytes bytes, ValueKind expected) {
  return read_value(bytes, expected, FromProto({nullptr, nullptr}));
}

}  // namespace sdx::onnx
