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
  nb::class_<HeldValue>(m, "Value")
      .def_static(
          "from_array", [](nb::handle array, int code) { return from_array(array, static_cast<DataType>(code)); },
          nb::arg("array"), nb::arg("code") = 0)
      .def_static("allocate", allocate)
      .def_static("at_address", at_address)
      .def_static("from_proto", read_proto)
      .def("to_proto", write_proto)
      .def("to_python", [](nb::handle self) { return to_python(nb::cast<HeldValue&>(self).value, self); })
      .def("copy_from", copy_from)
      .def_prop_ro("kind", [](const HeldValue& self) { return static_cast<int>(self.value.kind()); })
      .def_prop_ro("has_value", [](const HeldValue& self) { return self.value.has_value(); })
      .def_prop_ro("type", [](const HeldValue& self) { return type_text(self.value.type()); })
      .def_prop_ro("element_type", [](const HeldValue& self) { return static_cast<int>(self.value.data_type()); })
      .def_prop_ro("shape", [](const HeldValue& self) { return self.value.shape(); })
      .def_prop_ro("data_ptr",
                   [](const HeldValue& self) { return reinterpret_cast<uintptr_t>(self.value.bytes().data()); })
      .def_prop_ro("size_in_bytes", [](const HeldValue& self) { return self.value.bytes().size(); });
}

}  // namespace sardonyx::python
