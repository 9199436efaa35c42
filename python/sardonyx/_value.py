"""OrtValue: a tensor, sequence, map or optional outside a session."""

import numpy as np

from . import _native
from ._types import STRING, element_code

_TENSOR, _SEQUENCE, _SPARSE = 1, 2, 5  # kinds of the C interface


class OrtDevice:
    """A place where values live."""

    def __init__(self, device_type, device_id=0):
        if str(device_type).lower() != "cpu":
            raise RuntimeError(f"Can't allocate memory on the {device_type} device using this package: it has the CPU only.")
        self._type, self._id = "cpu", int(device_id)

    @staticmethod
    def make(ort_device_name, device_id, vendor_id=-1):
        return OrtDevice(ort_device_name, device_id)

    def device_type(self):
        return self._type

    def device_id(self):
        return self._id

    def device_vendor_id(self):
        return 0


class OrtValue:
    """A value that sessions take and give without conversion. Made by its static methods."""

    __slots__ = ("_ortvalue",)

    def __init__(self, ortvalue, numpy_obj=None, session=None):
        if not isinstance(ortvalue, _native.Value):
            raise ValueError("OrtValue is made by its static methods, ortvalue_from_numpy and the like")
        self._ortvalue = ortvalue

    @staticmethod
    def ortvalue_from_numpy(numpy_obj, /, device_type="cpu", device_id=0, vendor_id=-1):
        """Shares the array's memory where it is contiguous and aligned."""
        OrtDevice(device_type, device_id)
        return OrtValue(_native.Value.from_array(np.asarray(numpy_obj)))

    @staticmethod
    def ortvalue_from_numpy_with_onnx_type(data, /, onnx_element_type):
        """For types that numpy has no dtype for: the array holds their bits."""
        return OrtValue(_native.Value.from_array(np.asarray(data), onnx_element_type))

    @staticmethod
    def ortvalue_from_shape_and_type(shape, element_type, device_type="cpu", device_id=0, vendor_id=-1, memory_info=None):
        OrtDevice(device_type, device_id)
        return OrtValue(_native.Value.allocate(element_code(element_type), list(shape)))

    @staticmethod
    def from_dlpack(data, /):
        return OrtValue.ortvalue_from_numpy(np.from_dlpack(data))

    def __dlpack__(self, *, stream=None, **options):
        return self.numpy().__dlpack__(stream=stream, **options)

    def __dlpack_device__(self):
        return (1, 0)

    def numpy(self):
        """An array over the value's memory, or a list, dict or None as the value is."""
        return self._ortvalue.to_python()

    def update_inplace(self, data):
        """Copies an array of the same shape into the value's memory."""
        self._ortvalue.copy_from(np.asarray(data))

    def data_ptr(self):
        return self._ortvalue.data_ptr

    def data_type(self):
        return self._ortvalue.type

    def device_name(self):
        return "cpu"

    def element_type(self):
        return self._ortvalue.element_type

    def has_value(self):
        return self._ortvalue.has_value

    def is_tensor(self):
        return self._ortvalue.kind == _TENSOR

    def is_tensor_sequence(self):
        return self._ortvalue.kind == _SEQUENCE

    def is_sparse_tensor(self):
        return self._ortvalue.kind == _SPARSE

    def shape(self):
        return self._ortvalue.shape

    def tensor_size_in_bytes(self):
        if self.is_tensor() and self.element_type() == STRING:
            raise RuntimeError("a tensor of strings has no size in bytes")
        return self._ortvalue.size_in_bytes


def copy_tensors(src, dst, stream=None):
    """Copies each value of `src` into the one of `dst` at its place."""
    for source, target in zip(src, dst, strict=True):
        target.update_inplace(source.numpy())


_native.set_value_class(OrtValue)
