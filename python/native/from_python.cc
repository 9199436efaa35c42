// Python objects into values: arrays of every element type, texts, lists, dicts and None.
#include <cstring>

#include "numpy_arrays.h"

namespace sardonyx::python {
namespace {

// Memory of an object with the buffer protocol, for the time of a look.
struct Buffer {
  explicit Buffer(nb::handle object) { ok = PyObject_GetBuffer(object.ptr(), &view, PyBUF_C_CONTIGUOUS) == 0; }
  ~Buffer() {
    if (ok) PyBuffer_Release(&view);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Py_buffer view{};
  bool ok;
};

size_t alignment_of(DataType type) {
  const int size = bits(type) / 8;
  return type == DataType::c64 || type == DataType::c128 ? static_cast<size_t>(size) / 2
                                                         : static_cast<size_t>(std::max(size, 1));
}

Shape shape_of(nb::handle array) {
  const nb::object dims = array.attr("shape");
  Shape shape;
  for (const nb::handle dim : nb::tuple(dims)) shape.push_back(nb::cast<int64_t>(dim));
  return shape;
}

// One element a byte, as ml_dtypes stores them, to elements side by side.
Value packed(DataType type, const Buffer& bytes, const Shape& shape) {
  Value value = Value::allocate(type, shape);
  const std::span<std::byte> out = value.mutable_bytes();
  std::ranges::fill(out, std::byte{0});
  const auto* in = static_cast<const uint8_t*>(bytes.view.buf);
  const int width = bits(type), per_byte = 8 / width, mask = (1 << width) - 1;
  for (size_t i = 0; i < static_cast<size_t>(bytes.view.len); ++i) {
    const int shift = static_cast<int>(i) % per_byte * width;
    out[i / static_cast<size_t>(per_byte)] |= static_cast<std::byte>((in[i] & mask) << shift);
  }
  return value;
}

std::string text_of(nb::handle element) {
  if (PyBytes_Check(element.ptr()))
    return {PyBytes_AS_STRING(element.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(element.ptr()))};
  const nb::object text = nb::steal(PyObject_Str(element.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

Value from_texts(nb::handle list, const Shape& shape) {
  std::vector<std::string> elements;
  for (const nb::handle element : list) elements.push_back(text_of(element));
  return Value::strings(elements, shape);
}

HeldValue from_numbers(nb::object array, DataType code, const Shape& shape) {
  Buffer buffer(array);
  if (!buffer.ok) throw nb::python_error();
  if (bits(code) < 8) return {packed(code, buffer, shape), {}};
  const size_t size = static_cast<size_t>(buffer.view.len);
  auto* data = static_cast<std::byte*>(buffer.view.buf);
  if (size == 0 || reinterpret_cast<uintptr_t>(data) % alignment_of(code) != 0)
    return {Value::from_bytes(code, {data, size}, shape), {}};
  return {Value(detail::wrap(code, data, size, shape)), std::move(array)};
}

// 8- and 16-bit floats may come as their bits.
bool is_bits_of(DataType found, DataType wanted) {
  return (found == DataType::u8 && bits(wanted) == 8 && wanted >= DataType::f8e4m3fn) ||
         (found == DataType::u16 && (wanted == DataType::bf16 || wanted == DataType::f16));
}

HeldValue from_list(nb::handle list, const Type& wanted, const std::string& name) {
  const size_t count = nb::len(list);
  if (count == 0) return {Value::from_proto(std::string_view("\x10\x01", 2), Kind::sequence), {}};
  std::vector<Value> elements;
  nb::list owners;
  const Type* inner = wanted.inner.empty() ? nullptr : &wanted.inner[0];
  for (const nb::handle item : list) {
    HeldValue element = from_python(item, inner, name);
    if (element.owner.is_valid()) owners.append(element.owner);
    elements.push_back(std::move(element.value));
  }
  return {Value::sequence(elements), owners};
}

HeldValue from_dict(nb::dict dict, const Type& wanted, const std::string& name) {
  Type values = wanted.inner.empty() ? Type{Kind::tensor, DataType::undefined, false, {}, {}, {}} : wanted.inner[0];
  const Type keys{Kind::tensor, wanted.data_type, false, {}, {}, {}};
  const HeldValue key_tensor = from_python(nb::list(dict.keys()), &keys, name);
  const HeldValue value_tensor = from_python(nb::list(dict.values()), &values, name);
  nb::list owners;
  if (key_tensor.owner.is_valid()) owners.append(key_tensor.owner);
  if (value_tensor.owner.is_valid()) owners.append(value_tensor.owner);
  return {Value::map(key_tensor.value, value_tensor.value), owners};
}

void check_type(DataType found, const Type* wanted) {
  if (wanted == nullptr || wanted->kind != Kind::tensor || wanted->data_type == DataType::undefined ||
      found == wanted->data_type)
    return;
  fail(ORT_INVALID_ARGUMENT, "Unexpected input data type. Actual: (tensor(" + std::string(sardonyx::name(found)) +
                                 ")) , expected: (" + type_text(*wanted) + ")");
}

HeldValue from_any_array(nb::handle array, const Type* wanted) {
  DataType plain{};
  const DataType expected = wanted == nullptr ? DataType::undefined : wanted->data_type;
  if (const NumpyArray* seen = plain_array(array.ptr(), expected, plain);
      seen != nullptr && (wanted == nullptr || plain == expected))
    return value_over(*seen, plain, array);
  const nb::object dtype = array.attr("dtype");
  PyObject* const known = PyDict_GetItemWithError(types().code_of_dtype.ptr(), dtype.ptr());
  if (known == nullptr && PyErr_Occurred()) throw nb::python_error();
  auto code = static_cast<DataType>(known == nullptr ? 0 : PyLong_AsLong(known));
  if (wanted != nullptr && is_bits_of(code, wanted->data_type)) code = wanted->data_type;
  if (code != DataType::undefined) check_type(code, wanted);
  if (code != DataType::undefined && code <= DataType::c128) {
    {
      const Buffer buffer(array);
      if (!buffer.ok) PyErr_Clear();
      if (buffer.ok && buffer.view.len > 0) {
        const size_t size = static_cast<size_t>(buffer.view.len);
        if (reinterpret_cast<uintptr_t>(buffer.view.buf) % alignment_of(code) == 0) {
          // numpy gives the shape with the buffer only where strides are asked for, hence the attribute.
          return {Value(detail::wrap(code, buffer.view.buf, size, shape_of(array))), nb::borrow(array)};
        }
      }
    }
  }
  const auto [found, content] =
      nb::cast<std::pair<int, nb::object>>(types().prepare_array(array, static_cast<int>(code)));
  code = static_cast<DataType>(found);
  check_type(code, wanted);
  if (code == DataType::string) return {from_texts(content, shape_of(array)), {}};
  return from_numbers(content, code, shape_of(array));
}

}  // namespace

HeldValue value_over(const NumpyArray& array, DataType type, nb::handle owner) {
  static const OrtMemoryInfo* const memory = [] {
    OrtMemoryInfo* info = nullptr;
    check(ort_api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &info));
    return info;
  }();
  size_t size = static_cast<size_t>(bits(type)) / 8;
  for (int i = 0; i < array.rank; ++i) size *= static_cast<size_t>(array.dims[i]);
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  OrtValue* value = nullptr;
  check(ort_api().CreateTensorWithDataAsOrtValue(memory, array.data, size, array.dims, static_cast<size_t>(array.rank),
                                                 static_cast<ONNXTensorElementDataType>(type), &value));
  return {Value(value), nb::borrow(owner)};
}

HeldValue from_array(nb::handle array, DataType code) {
  const Type wanted{Kind::tensor, code, false, {}, {}, {}};
  return from_any_array(array, code == DataType::undefined ? nullptr : &wanted);
}

HeldValue from_python(nb::handle object, const Type* wanted, const std::string& name) {
  if (wanted != nullptr && wanted->kind == Kind::optional) {
    if (object.is_none()) return {Value::from_proto({}, Kind::optional), {}};
    return from_python(object, wanted->inner.empty() ? nullptr : &wanted->inner[0], name);
  }
  if (PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject*>(types().ndarray.ptr())))
    return from_any_array(object, wanted);
  if (object.is_none())
    fail(ORT_FAIL, "Missing Input: " + name + " is None" +
                       (wanted == nullptr ? std::string() : ", " + type_text(*wanted) + " is wanted"));
  const bool is_list = PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
  if (wanted != nullptr && wanted->kind == Kind::sequence && is_list) return from_list(object, *wanted, name);
  if (wanted != nullptr && wanted->kind == Kind::map && PyDict_Check(object.ptr()))
    return from_dict(nb::borrow<nb::dict>(object), *wanted, name);
  if (PyDict_Check(object.ptr()) || (wanted != nullptr && wanted->kind != Kind::tensor))
    fail(ORT_INVALID_ARGUMENT, "input " + name + " is of Python type " +
                                   std::string(nb::type_name(object.type()).c_str()) +
                                   (wanted == nullptr ? "" : ", " + type_text(*wanted) + " is wanted"));
  const int code = wanted == nullptr ? 0 : static_cast<int>(wanted->data_type);
  return from_any_array(types().array_of_list(object, code, name), wanted);
}

}  // namespace sardonyx::python
