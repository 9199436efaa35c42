// Shared by the files of the extension: values with what keeps their memory alive, conversions, and what each file
// binds.
#pragma once

// All files see the same casters: one that is missing somewhere would be a different instance of the same template.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sardonyx.hpp"

namespace sardonyx::python {

namespace nb = nanobind;

// A value and the Python objects whose memory it borrows.
struct HeldValue {
  Value value;
  nb::object owner;
};

// What _types.py knows about numpy, read once.
struct Types {
  nb::object ndarray;        // the class
  nb::dict code_of_dtype;    // numpy.dtype -> element type
  nb::list dtype_of_code;    // element type -> numpy.dtype, or None where numpy has none
  nb::object prepare_array;  // (array, code) -> (code, contiguous array of plain numbers, or list of texts)
  nb::object array_of_list;  // (list, code) -> array
  nb::object object_array;   // (list, shape) -> array of objects
  nb::object value_class;    // OrtValue of Python
};
Types& types();

// `wanted`: what the input takes; null where nothing is known.
HeldValue from_python(nb::handle object, const Type* wanted, const std::string& name);
// Any array of numbers, shared where its memory allows it. `code` 0: as the array says.
HeldValue from_array(nb::handle array, DataType code);
// Arrays share memory with the value, which `owner` keeps alive.
nb::object to_python(const Value& value, nb::handle owner);
nb::object to_python(Value&& value);
// Memory that other libraries read as it lies; `owner` keeps it alive.
HeldValue from_dlpack(nb::handle tensor);
nb::object to_dlpack(const Value& value, nb::handle owner);

std::string type_text(const Type& type);  // without shapes: "tensor(float)"
[[noreturn]] void fail(OrtErrorCode code, const std::string& message);

// A process's log settings and shared threads. Never destroyed: sessions may live until the interpreter ends.
OrtEnv* environment();

struct NumpyArray;
// Shares the memory of a plain array, which `owner` is.
HeldValue value_over(const NumpyArray& array, DataType type, nb::handle owner);

struct PySessionOptions;
struct PyRunOptions;

void bind_environment(nb::module_& m);
void bind_errors(nb::module_& m);
void bind_values(nb::module_& m);
void bind_devices(nb::module_& m);
void bind_options(nb::module_& m);
void bind_session(nb::module_& m);

}  // namespace sardonyx::python
