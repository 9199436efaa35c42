#include "onnx/tensor_proto.h"

#include <algorithm>
#include <cstring>

#include "base/element.h"

namespace sdx::onnx {
namespace {

struct Header {
  DType type;
  Shape shape;
  size_t count;
  size_t bytes;  // 0 for strings
};

Result<Header> read_header(const TensorProto& proto) {
  if (!proto.data_type) return invalid_graph("no data_type");
  const DType type = dtype_from_onnx(*proto.data_type);
  if (type == DType::undefined)
    return invalid_graph("data_type {} is none of the standard's element types", *proto.data_type);
  if (proto.segment) return not_implemented("a tensor stored in segments");
  const std::vector<int64_t> dims = proto.dims.values();
  const auto count = checked_count(dims);
  if (!count) return invalid_graph("shape {} has a negative dimension or too many elements", to_text(dims));
  const auto bytes = sdx::byte_size(type, *count);
  if (!bytes) return invalid_graph("shape {} of {} has more bytes than can be addressed", to_text(dims), name(type));
  return Header{type, Shape(std::span<const int64_t>(dims)), static_cast<size_t>(*count), *bytes};
}

Status wrong_size(const Header& header, std::string_view field, size_t found, size_t wanted, std::string_view unit) {
  return invalid_graph("shape {} of {} needs {} {}, {} has {}", to_text(header.shape), name(header.type), wanted, unit,
                       field, found);
}

// A byte other than 0 and 1 is no bool to the compiler.
Result<Tensor> with_clean_booleans(Tensor tensor) {
  const auto* bytes = tensor.data<uint8_t>();
  if (std::all_of(bytes, bytes + tensor.count(), [](uint8_t byte) { return byte <= 1; })) return tensor;
  SDX_ASSIGN(Tensor copy, clone(tensor));
  for (int64_t i = 0; i < copy.count(); ++i) copy.data<uint8_t>()[i] = copy.data<uint8_t>()[i] != 0;
  return copy;
}

Result<Tensor> wrap(const Header& header, const void* data, std::shared_ptr<void> owner) {
  Tensor tensor = Tensor::wrap(header.type, header.shape, const_cast<void*>(data), std::move(owner));
  if (header.type == DType::boolean) return with_clean_booleans(std::move(tensor));
  return tensor;
}

// Elements that are wire numbers of the tensor's own width. `per_element`: 2 for complex.
template <typename T>
Result<Tensor> from_native(const Header& header, const Numbers<T>& numbers, std::string_view field, size_t per_element,
                           const TensorSource& source) {
  const size_t wanted = header.count * per_element;
  if (numbers.size() != wanted) return wrong_size(header, field, numbers.size(), wanted, "elements");
  if (std::is_floating_point_v<T> && numbers.form() == NumberForm::packed && wanted > 0)
    return wrap(header, numbers.encoded().data(), source.owner);
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(header.type, header.shape));
  numbers.copy_to(tensor.data<T>());
  return tensor;
}

// int32_data: one number for each element, or for each byte of elements narrower than 6 bits.
Result<Tensor> from_int32(const Header& header, const TensorProto& proto) {
  const int bits = bit_width(header.type);
  const size_t wanted = bits < 6 ? header.bytes : header.count;
  if (proto.int32_data.size() != wanted)
    return wrong_size(header, "int32_data", proto.int32_data.size(), wanted, bits < 6 ? "packed bytes" : "elements");
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(header.type, header.shape));
  const std::vector<int32_t> numbers = proto.int32_data.values();
  const int field_bits = bits < 6 ? 8 : bits;
  const int64_t limit = int64_t{1} << field_bits;
  const bool whole = field_bits == 32 || header.type == DType::boolean;
  for (size_t i = 0; i < wanted; ++i) {
    const int64_t number = numbers[i];
    if (!whole && (number >= limit || number < -limit / 2))
      return invalid_graph("int32_data[{}] is {}, which does not fit in the {} bits of {}", i, number, field_bits,
                           name(header.type));
    const auto index = static_cast<int64_t>(i);
    if (bits == 6) {
      store_packed(6, tensor.raw(), index, static_cast<uint32_t>(number) & 63);
    } else if (header.type == DType::boolean) {
      tensor.data<uint8_t>()[i] = number != 0;
    } else if (field_bits == 8) {
      tensor.data<uint8_t>()[i] = static_cast<uint8_t>(number);
    } else if (field_bits == 16) {
      tensor.data<uint16_t>()[i] = static_cast<uint16_t>(number);
    } else {
      tensor.data<int32_t>()[i] = numbers[i];
    }
  }
  return tensor;
}

Result<Tensor> from_uint64(const Header& header, const TensorProto& proto, const TensorSource& source) {
  if (header.type == DType::u64) return from_native(header, proto.uint64_data, "uint64_data", 1, source);
  if (proto.uint64_data.size() != header.count)
    return wrong_size(header, "uint64_data", proto.uint64_data.size(), header.count, "elements");
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(header.type, header.shape));
  const std::vector<uint64_t> numbers = proto.uint64_data.values();
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] > UINT32_MAX)
      return invalid_graph("uint64_data[{}] is {}, which does not fit in the 32 bits of u32", i, numbers[i]);
    tensor.data<uint32_t>()[i] = static_cast<uint32_t>(numbers[i]);
  }
  return tensor;
}

Result<Tensor> from_strings(const Header& header, const TensorProto& proto) {
  if (proto.is_external()) return invalid_graph("strings cannot be external data");
  if (!proto.raw_data.empty()) return invalid_graph("strings cannot be raw_data");
  if (proto.string_data.size() != header.count)
    return wrong_size(header, "string_data", proto.string_data.size(), header.count, "elements");
  StringTensorBuilder builder;
  for (const Text text : proto.string_data) builder.append(text);
  return builder.finish(header.shape);
}

Result<Tensor> from_typed_field(const Header& header, const TensorProto& proto, const TensorSource& source) {
  switch (header.type) {
    case DType::f32: return from_native(header, proto.float_data, "float_data", 1, source);
    case DType::c64: return from_native(header, proto.float_data, "float_data", 2, source);
    case DType::f64: return from_native(header, proto.double_data, "double_data", 1, source);
    case DType::c128: return from_native(header, proto.double_data, "double_data", 2, source);
    case DType::i64: return from_native(header, proto.int64_data, "int64_data", 1, source);
    case DType::u32:
    case DType::u64: return from_uint64(header, proto, source);
    default: return from_int32(header, proto);
  }
}

bool has_typed_data(const TensorProto& proto) {
  return !proto.float_data.empty() || !proto.int32_data.empty() || !proto.int64_data.empty() ||
         !proto.double_data.empty() || !proto.uint64_data.empty();
}

Result<Tensor> read_tensor(const TensorProto& proto, const TensorSource& source) {
  SDX_ASSIGN(const Header header, read_header(proto));
  if (header.type == DType::string) return from_strings(header, proto);
  if (proto.is_external()) {
    if (source.external == nullptr) return invalid_graph("external data are not allowed here");
    SDX_ASSIGN(ExternalData::Piece piece, source.external->find(proto, header.bytes));
    return wrap(header, piece.data, std::move(piece.file));
  }
  if (proto.raw_data.empty() && (header.count == 0 || has_typed_data(proto) || proto.raw_data.data() == nullptr))
    return from_typed_field(header, proto, source);
  if (proto.raw_data.size() != header.bytes)
    return wrong_size(header, "raw_data", proto.raw_data.size(), header.bytes, "bytes");
  return wrap(header, proto.raw_data.data(), source.owner);
}

Status check_indices(const SparseTensor& sparse) {
  const auto& indices = sparse.indices;
  const int64_t nonzeros = sparse.values.count();
  const auto rank = static_cast<int64_t>(sparse.dense_shape.size());
  if (sparse.values.rank() != 1)
    return invalid_graph("values have shape {}, rank 1 is wanted", to_text(sparse.values.shape()));
  if (indices.dtype() != DType::i64) return invalid_graph("indices are {}, i64 is wanted", name(indices.dtype()));
  const bool linear = indices.rank() == 1;
  const bool fits =
      linear ? indices.dim(0) == nonzeros : indices.rank() == 2 && indices.dim(0) == nonzeros && indices.dim(1) == rank;
  if (!fits)
    return invalid_graph("indices have shape {}, [{}] or [{},{}] is wanted", to_text(indices.shape()), nonzeros,
                         nonzeros, rank);
  const int64_t total = count_of(sparse.dense_shape);
  for (int64_t i = 0; i < indices.count(); ++i) {
    const int64_t limit = linear ? total : sparse.dense_shape[static_cast<size_t>(i % rank)];
    const int64_t index = load_i64(indices, i);
    if (index < 0 || index >= limit)
      return invalid_graph("index {} of value {} is outside [0, {}) of shape {}", index, linear ? i : i / rank, limit,
                           to_text(sparse.dense_shape));
  }
  return {};
}

Result<SparseTensor> read_sparse(const SparseTensorProto& proto, const TensorSource& source) {
  const std::vector<int64_t> dims = proto.dims.values();
  if (!checked_count(dims))
    return invalid_graph("shape {} has a negative dimension or too many elements", to_text(dims));
  if (!proto.values || !proto.indices) return invalid_graph("no {}", proto.values ? "indices" : "values");
  SparseTensor sparse;
  sparse.dense_shape = Shape(std::span<const int64_t>(dims));
  SDX_ASSIGN(sparse.values, tensor_from_proto(*proto.values, source, "values"));
  SDX_ASSIGN(sparse.indices, tensor_from_proto(*proto.indices, source, "indices"));
  SDX_TRY(check_indices(sparse));
  return sparse;
}

std::string title(std::string_view what, Text name) { return formatted("{} \"{}\": ", what, name); }

}  // namespace

Result<Tensor> tensor_from_proto(const TensorProto& proto, const TensorSource& source, std::string_view what) {
  auto tensor = read_tensor(proto, source);
  if (!tensor.ok()) return std::move(tensor).status().with_prefix(title(what, proto.name));
  return tensor;
}

Result<SparseTensor> sparse_from_proto(const SparseTensorProto& proto, const TensorSource& source,
                                       std::string_view what) {
  auto sparse = read_sparse(proto, source);
  if (!sparse.ok())
    return std::move(sparse).status().with_prefix(title(what, proto.values ? proto.values->name : Text()));
  return sparse;
}

}  // namespace sdx::onnx
