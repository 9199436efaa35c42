// numpy's arrays seen through the fixed part of its C interface, without its headers: reading one and making one take
// nanoseconds this way. Where numpy's objects are laid out otherwise than known, `find_numpy` finds out and
// nothing here is used.
#pragma once

#include "native.h"

namespace sardonyx::python {

struct NumpyArray {
  PyObject_HEAD;
  char* data;
  int rank;
  Py_ssize_t* dims;
  Py_ssize_t* strides;
  PyObject* base;
  PyObject* dtype;
  int flags;
};
inline constexpr int kContiguous = 0x1, kAligned = 0x100, kWriteable = 0x400;

// Called once numpy and its dtypes are known to types().
void find_numpy();

// The array, where it is a contiguous aligned one of numpy's own class and dtypes; its type goes to `type`.
const NumpyArray* plain_array(PyObject* object, DataType wanted, DataType& type);

// An array over memory that `owner` keeps alive. Invalid where numpy's interface is not the known one.
nb::object array_over_memory(void* data, const int64_t* dims, size_t rank, DataType type, nb::handle owner);

}  // namespace sardonyx::python
