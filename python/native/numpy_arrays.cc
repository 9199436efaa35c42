#include "numpy_arrays.h"

#include <array>

namespace sardonyx::python {
namespace {

constexpr size_t kTypes = 27;
using NewFromDescr = PyObject* (*)(PyTypeObject*, PyObject*, int, const Py_ssize_t*, const Py_ssize_t*, void*, int,
                                   PyObject*);
using SetBase = int (*)(PyObject*, PyObject*);

struct Numpy {
  PyTypeObject* array_class = nullptr;  // null: not the known layout
  std::array<PyObject*, kTypes> dtypes{};
  NewFromDescr new_from_descr = nullptr;
  SetBase set_base = nullptr;
};
Numpy numpy;

bool is_known_layout(nb::handle array) {
  const auto* seen = reinterpret_cast<const NumpyArray*>(array.ptr());
  const auto address = nb::cast<uintptr_t>(array.attr("ctypes").attr("data"));
  return reinterpret_cast<uintptr_t>(seen->data) == address && seen->rank == 2 && seen->dims[0] == 2 &&
         seen->dims[1] == 3 && seen->dtype == array.attr("dtype").ptr() &&
         (seen->flags & (kContiguous | kAligned | kWriteable)) == (kContiguous | kAligned | kWriteable);
}

void find_table() {
  constexpr size_t kNewFromDescr = 94, kSetBaseObject = 282;
  nb::object module;
  try {
    module = nb::module_::import_("numpy._core._multiarray_umath");
  } catch (nb::python_error&) {
    module = nb::module_::import_("numpy.core._multiarray_umath");
  }
  void** const table = static_cast<void**>(PyCapsule_GetPointer(nb::object(module.attr("_ARRAY_API")).ptr(), nullptr));
  if (table == nullptr) throw nb::python_error();
  numpy.new_from_descr = reinterpret_cast<NewFromDescr>(table[kNewFromDescr]);
  numpy.set_base = reinterpret_cast<SetBase>(table[kSetBaseObject]);
}

}  // namespace

void find_numpy() {
  const nb::object sample = nb::module_::import_("numpy").attr("zeros")(nb::make_tuple(2, 3));
  if (!is_known_layout(sample)) return;
  const nb::list& dtypes = types().dtype_of_code;
  for (size_t i = 0; i < std::min(kTypes, nb::len(dtypes)); ++i)
    numpy.dtypes[i] = dtypes[i].is_none() ? nullptr : nb::object(dtypes[i]).ptr();  // kept alive by the list
  try {
    find_table();
  } catch (nb::python_error&) {
    return;
  }
  numpy.array_class = reinterpret_cast<PyTypeObject*>(types().ndarray.ptr());
}

const NumpyArray* plain_array(PyObject* object, DataType wanted, DataType& type) {
  if (Py_TYPE(object) != numpy.array_class || numpy.array_class == nullptr) return nullptr;
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  if ((array->flags & (kContiguous | kAligned)) != (kContiguous | kAligned)) return nullptr;
  const auto guess = static_cast<size_t>(wanted);
  if (guess < kTypes && numpy.dtypes[guess] == array->dtype) {
    type = wanted;
    return bits(type) >= 8 ? array : nullptr;
  }
  for (size_t i = 1; i < kTypes; ++i) {
    if (numpy.dtypes[i] != array->dtype) continue;
    type = static_cast<DataType>(i);
    return bits(type) >= 8 ? array : nullptr;
  }
  return nullptr;
}

nb::object array_over_memory(void* data, const int64_t* dims, size_t rank, DataType type, nb::handle owner) {
  const auto code = static_cast<size_t>(type);
  if (numpy.array_class == nullptr || code >= kTypes || numpy.dtypes[code] == nullptr) return {};
  static char nothing[16];        // an empty tensor may have no memory
  Py_INCREF(numpy.dtypes[code]);  // the call takes it
  PyObject* const array = numpy.new_from_descr(numpy.array_class, numpy.dtypes[code], static_cast<int>(rank), dims,
                                               nullptr, data == nullptr ? nothing : data, kWriteable, nullptr);
  if (array == nullptr) throw nb::python_error();
  nb::object result = nb::steal(array);
  if (numpy.set_base(array, owner.inc_ref().ptr()) != 0) throw nb::python_error();
  return result;
}

}  // namespace sardonyx::python
