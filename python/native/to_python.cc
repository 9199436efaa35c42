// Values into Python objects. Arrays are views of the value's memory where numpy has the element type.
#include <nanobind/ndarray.h>

#include "numpy_arrays.h"

namespace sardonyx::python {
namespace {

nb::dlpack::dtype storage_of(DataType type) {
  switch (type) {
    case DataType::f32: return nb::dtype<float>();
    case DataType::f64: return nb::dtype<double>();
    case DataType::i4:
    case DataType::i2:
    case DataType::i8: return nb::dtype<int8_t>();
    case DataType::i16: return nb::dtype<int16_t>();
    case DataType::i32: return nb::dtype<int32_t>();
    case DataType::i64: return nb::dtype<int64_t>();
    case DataType::u32: return nb::dtype<uint32_t>();
    case DataType::u64: return nb::dtype<uint64_t>();
    case DataType::boolean: return nb::dtype<bool>();
    case DataType::f16: return {static_cast<uint8_t>(nb::dlpack::dtype_code::Float), 16, 1};
    case DataType::c64: return {static_cast<uint8_t>(nb::dlpack::dtype_code::Complex), 64, 1};
    case DataType::c128: return {static_cast<uint8_t>(nb::dlpack::dtype_code::Complex), 128, 1};
    case DataType::u16:
    case DataType::bf16: return nb::dtype<uint16_t>();
    default: return nb::dtype<uint8_t>();
  }
}

nb::object array_over(void* data, const int64_t* shape, size_t rank, DataType type, nb::handle owner) {
  if (nb::object array = array_over_memory(data, shape, rank, type, owner); array.is_valid()) return array;
  const std::vector<size_t> dims(shape, shape + rank);
  static char nothing = 0;  // an empty tensor may have no memory
  const nb::ndarray<nb::numpy> array(data == nullptr ? &nothing : data, dims.size(), dims.data(), owner, nullptr,
                                     storage_of(type));
  nb::object result = nb::cast(array);
  const bool is_view = type == DataType::bf16 || type >= DataType::f8e4m3fn;
  if (!is_view) return result;
  const nb::object dtype = types().dtype_of_code[static_cast<size_t>(type)];
  return dtype.is_none() ? result : result.attr("view")(dtype);
}

// Elements side by side to one element a byte; signed ones keep their sign.
nb::object unpacked(const Value& value, DataType type) {
  const size_t count = value.count();
  auto* out = new uint8_t[std::max<size_t>(count, 1)];
  const nb::capsule owner(out, [](void* data) noexcept { delete[] static_cast<uint8_t*>(data); });
  const std::span<const std::byte> in = value.bytes();
  const int width = bits(type), per_byte = 8 / width, mask = (1 << width) - 1, sign = 1 << (width - 1);
  const bool is_signed = type == DataType::i4 || type == DataType::i2;
  for (size_t i = 0; i < count; ++i) {
    const int raw = std::to_integer<int>(in[i / static_cast<size_t>(per_byte)]) >>
                        (static_cast<int>(i % static_cast<size_t>(per_byte)) * width) &
                    mask;
    out[i] = static_cast<uint8_t>(is_signed ? (raw ^ sign) - sign : raw);
  }
  const Shape shape = value.shape();
  return array_over(out, shape.data(), shape.size(), type, owner);
}

nb::object text_array(const Value& value) {
  nb::list texts;
  for (const std::string& text : value.strings()) {
    PyObject* const decoded =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
    if (decoded == nullptr) throw nb::python_error();
    texts.append(nb::steal(decoded));
  }
  nb::list shape;
  for (const int64_t dim : value.shape()) shape.append(dim);
  return types().object_array(texts, shape);
}

struct TensorFacts {
  DataType type;
  const int64_t* dims;
  size_t rank;
};

TensorFacts facts_of(OrtValue* handle) {
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  TensorFacts facts{};
  check(ort_api().GetTensorElementTypeAndShapeDataReference(handle, &element, &facts.dims, &facts.rank));
  facts.type = static_cast<DataType>(element);
  return facts;
}

// A view of the tensor's memory, which `owner` keeps.
nb::object numbers_to_python(OrtValue* handle, const TensorFacts& facts, nb::handle owner) {
  void* data = nullptr;
  check(ort_api().GetTensorMutableData(handle, &data));
  return array_over(data, facts.dims, facts.rank, facts.type, owner);
}

// What numpy has no view of: a copy.
nb::object copied_to_python(const Value& value, DataType type) {
  if (type == DataType::string) return text_array(value);
  if (bits(type) == 0) fail(ORT_NOT_IMPLEMENTED, "a tensor of this element type has no array");
  return unpacked(value, type);
}

nb::object map_to_python(const Value& value) {
  const nb::object keys = to_python(value.keys()).attr("tolist")(),
                   values = to_python(value.map_values()).attr("tolist")();
  nb::dict result;
  for (size_t i = 0; i < nb::len(keys); ++i) result[nb::object(keys[i])] = nb::object(values[i]);
  return result;
}

nb::object part_to_python(const Value& value) {
  switch (value.kind()) {
    case Kind::sequence: {
      nb::list result;
      for (size_t i = 0; i < value.size(); ++i) result.append(to_python(value.at(i)));
      return result;
    }
    case Kind::map: return map_to_python(value);
    case Kind::optional: return to_python(value.at(0));
    case Kind::none: return nb::none();
    default: fail(ORT_NOT_IMPLEMENTED, "a value of type " + to_text(value.type()) + " has no Python form");
  }
}

void release_value(PyObject* capsule) {
  ort_api().ReleaseValue(static_cast<OrtValue*>(PyCapsule_GetPointer(capsule, nullptr)));
}

}  // namespace

nb::object to_python(const Value& value, nb::handle owner) {
  if (value.kind() != Kind::tensor) return value.has_value() ? part_to_python(value) : nb::none();
  const TensorFacts facts = facts_of(value.handle());
  return bits(facts.type) < 8 ? copied_to_python(value, facts.type) : numbers_to_python(value.handle(), facts, owner);
}

// Arrays keep the value by a capsule around its handle.
nb::object to_python(Value&& value) {
  if (value.kind() != Kind::tensor) return value.has_value() ? part_to_python(value) : nb::none();
  const TensorFacts facts = facts_of(value.handle());
  if (bits(facts.type) < 8) return copied_to_python(value, facts.type);
  PyObject* const capsule = PyCapsule_New(value.handle(), nullptr, release_value);
  if (capsule == nullptr) throw nb::python_error();
  const nb::object owner = nb::steal(capsule);
  return numbers_to_python(value.release(), facts, owner);
}

}  // namespace sardonyx::python
