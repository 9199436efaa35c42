// The class behind OrtValue.

#include <cstring>

#include "native.h"

namespace sardonyx::python {
namespace {

HeldValue allocate(int code, const Shape& shape) {
  detail::count_of(shape);
  HeldValue held{Value::allocate(static_cast<DataType>(code), shape), {}};
  if (bits(held.value.data_type()) > 0) std::ranges::fill(held.value.mutable_bytes(), std::byte{0});
  return held;
}

// Memory of the caller's; nothing keeps it alive.
HeldValue at_address(uintptr_t address, int code, const Shape& shape) {
  const auto type = static_cast<DataType>(code);
  const size_t count = detail::count_of(shape), width = static_cast<size_t>(bits(type));
  if (width == 0) fail(ORT_INVALID_ARGUMENT, "memory of this element type cannot be bound by its address");
  return {Value(detail::wrap(type, reinterpret_cast<void*>(address), (count * width + 7) / 8, shape)), {}};
}

void copy_from(HeldValue& self, nb::handle array) {
  const HeldValue source = from_array(array, self.value.data_type());
  if (source.value.shape() != self.value.shape())
    fail(ORT_INVALID_ARGUMENT, "the shapes of the value and of the new content differ");
  const std::span<const std::byte> bytes = source.value.bytes();
  const std::span<std::byte> target = self.value.mutable_bytes();
  if (!bytes.empty()) std::memmove(target.data(), bytes.data(), bytes.size());
}

// What has memory with an address and a size.
void need_numbers(const HeldValue& self) {
  if (!self.value.is_tensor() || self.value.data_type() == DataType::string)
    throw std::runtime_error("the value is " + type_text(self.value.type()) + "; a tensor of numbers is wanted");
}

// Of a tensor, or of the tensors in a sequence.
int element_type(const HeldValue& self) {
  if (self.value.is_tensor()) return static_cast<int>(self.value.data_type());
  const Type type = self.value.type();
  return static_cast<int>(type.inner.empty() ? type.data_type : type.inner[0].data_type);
}

HeldValue read_proto(nb::bytes bytes, int kind) {
  return {Value::from_proto({bytes.c_str(), bytes.size()}, static_cast<Kind>(kind)), {}};
}

nb::bytes write_proto(const HeldValue& self, const std::string& name) {
  const std::string bytes = self.value.to_proto(name);
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

std::string type_text(const Type& type) {
  Type plain = type;
  plain.has_rank = false;
  for (Type& inner : plain.inner) {
    inner.has_rank = false;
    for (Type& innermost : inner.inner) innermost.has_rank = false;
  }
  return to_text(plain);
}

void bind_values(nb::module_& m) {
  m.def("bits_of", [](int code) { return bits(static_cast<DataType>(code)); });
  nb::class_<HeldValue>(m, "OrtValue", "The value behind an OrtValue: a tensor, sequence, map or optional.")
      .def_static(
          "from_array", [](nb::handle array, int code) { return from_array(array, static_cast<DataType>(code)); },
          nb::arg("array"), nb::arg("code") = 0)
      .def_static("from_bytes",
                  [](int code, const Shape& shape, nb::bytes bytes) {
                    const auto* data = reinterpret_cast<const std::byte*>(bytes.c_str());
                    return HeldValue{Value::from_bytes(static_cast<DataType>(code), {data, bytes.size()}, shape), {}};
                  })
      .def("to_bytes",
           [](const HeldValue& self) {
             need_numbers(self);
             const std::span<const std::byte> bytes = self.value.bytes();
             return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def_static("allocate", allocate)
      .def_static("at_address", at_address)
      .def_static("from_proto", read_proto)
      .def_static("from_dlpack", from_dlpack)
      .def("to_proto", write_proto)
      .def("numpy", [](nb::handle self) { return to_python(nb::cast<HeldValue&>(self).value, self); })
      .def("copy_from", copy_from)
      .def("to_dlpack", [](nb::handle self) { return to_dlpack(nb::cast<HeldValue&>(self).value, self); })
      .def("__dlpack__", [](nb::handle self, nb::kwargs) { return to_dlpack(nb::cast<HeldValue&>(self).value, self); })
      .def("__dlpack_device__", [](const HeldValue&) { return nb::make_tuple(1, 0); })
      .def("kind", [](const HeldValue& self) { return static_cast<int>(self.value.kind()); })
      .def("has_value", [](const HeldValue& self) { return self.value.has_value(); })
      .def("is_tensor", [](const HeldValue& self) { return self.value.is_tensor(); })
      .def("is_tensor_sequence", [](const HeldValue& self) { return self.value.kind() == Kind::sequence; })
      .def("is_sparse_tensor", [](const HeldValue& self) { return self.value.kind() == Kind::sparse_tensor; })
      .def("data_type", [](const HeldValue& self) { return type_text(self.value.type()); })
      .def("element_type", element_type)
      .def("shape", [](const HeldValue& self) { return self.value.shape(); })
      .def("device_name", [](const HeldValue&) { return "cpu"; })
      .def("data_ptr",
           [](const HeldValue& self) {
             need_numbers(self);
             return reinterpret_cast<uintptr_t>(self.value.bytes().data());
           })
      .def("tensor_size_in_bytes", [](const HeldValue& self) {
        need_numbers(self);
        return self.value.bytes().size();
      });
}

}  // namespace sardonyx::python
