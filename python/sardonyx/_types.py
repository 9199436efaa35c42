"""Element types: ONNX's numbers beside numpy's dtypes, and what the extension asks for when an array is no plain one."""

import sys

import numpy as np

from . import _native

try:
    import ml_dtypes
except ImportError:  # arrays of these types are then given out as their bits
    ml_dtypes = None

ndarray = np.ndarray

STRING = 8
_NAMES = (
    "undefined float uint8 int8 uint16 int16 int32 int64 string bool float16 double uint32 uint64 complex64 complex128 bfloat16 "
    "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 uint2 int2 float8e8m0"
).split()
_NUMPY = {"float": "float32", "double": "float64", "undefined": None, "string": None}
_ML_DTYPES = {
    "bfloat16": "bfloat16",
    "float8e4m3fn": "float8_e4m3fn",
    "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz",
    "uint4": "uint4",
    "int4": "int4",
    "float4e2m1": "float4_e2m1fn",
    "uint2": "uint2",
    "int2": "int2",
    "float8e8m0": "float8_e8m0fnu",
}


def _dtype_of(name):
    if name in _ML_DTYPES:
        kind = getattr(ml_dtypes, _ML_DTYPES[name], None)
        return None if kind is None else np.dtype(kind)
    numpy_name = _NUMPY.get(name, name)
    return None if numpy_name is None else np.dtype(numpy_name)


DTYPE_OF_CODE = [_dtype_of(name) for name in _NAMES]
CODE_OF_DTYPE = {dtype: code for code, dtype in enumerate(DTYPE_OF_CODE) if dtype is not None}
CODE_OF_NAME = {name: code for code, name in enumerate(_NAMES) if code}
NAME_OF_CODE = list(_NAMES)


def element_code(element_type):
    """The number of an element type given as that number, a numpy dtype or scalar type, or a name ("float")."""
    if isinstance(element_type, int) and not isinstance(element_type, bool) and 0 < element_type < len(_NAMES):
        return element_type
    if isinstance(element_type, str) and element_type in CODE_OF_NAME:
        return CODE_OF_NAME[element_type]
    try:
        dtype = np.dtype(element_type)
    except TypeError:
        dtype = None
    if dtype is not None and dtype.kind in "USO":
        return STRING
    code = CODE_OF_DTYPE.get(dtype)
    if code is None:
        raise RuntimeError(f"{element_type!r} can't be converted to an element type of ONNX")
    return code


def prepare_array(array, code):
    """The element type and plain content of an array that the extension could not read as it is.

    `code` is the type it is to be read as, 0 for the dtype's own.
    """
    kind = array.dtype.kind
    if kind in "USOT":
        return STRING, array.ravel().tolist()
    if array.dtype.byteorder not in "=|" and array.dtype.isnative is False:
        array = array.astype(array.dtype.newbyteorder("="))
    if not code:
        code = CODE_OF_DTYPE.get(array.dtype, 0)
    if not code:
        raise RuntimeError(f"an array of dtype {array.dtype} can't be converted to a tensor of ONNX")
    plain = np.array(array, order="C", copy=None)
    if code > 15:
        plain = plain.view(np.uint16 if plain.dtype.itemsize == 2 else np.uint8)
    return code, plain


def array_of_list(values, code, name):
    """A list or a number as an array of the type that the input takes."""
    if isinstance(values, (list, tuple, int, float, complex)):
        return np.array(values, dtype=object if code == STRING else DTYPE_OF_CODE[code])
    if isinstance(values, (str, bytes)):
        return np.array(values, dtype=object)
    if hasattr(values, "__array__"):
        return np.asarray(values)
    raise RuntimeError(f"input {name}: unable to handle an object of type {type(values)}; an array or list is wanted")


def object_array(values, shape):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(shape)


_native.set_types(sys.modules[__name__])
