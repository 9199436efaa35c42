// Turns sardonyx::Error into the exception class of its status code.
#include "native.h"

namespace sardonyx::python {
namespace {

// (class, name of the code) by code; kept until the process ends.
nb::list& classes() {
  static nb::list& list = *new nb::list();
  return list;
}

void raise(const Error& error) {
  const auto code = static_cast<size_t>(error.code());
  const size_t index = code < nb::len(classes()) ? code : static_cast<size_t>(ORT_FAIL);
  const nb::object entry = classes()[index];
  const std::string text =
      "[ONNXRuntimeError] : " + std::to_string(code) + " : " + nb::cast<std::string>(entry[1]) + " : " + error.what();
  // A message may quote any bytes of a model.
  const nb::object message =
      nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
  PyErr_SetObject(nb::object(entry[0]).ptr(), message.ptr());
}

}  // namespace

void fail(OrtErrorCode code, const std::string& message) { throw Error(code, message); }

void bind_errors(nb::module_& m) {
  m.def("fail", [](int code, const std::string& message) { fail(static_cast<OrtErrorCode>(code), message); });
  m.def("set_error_classes", [](nb::list entries) { classes() = std::move(entries); });
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace sardonyx::python
