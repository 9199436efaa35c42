"""OrtValue: a tensor, sequence, map or optional outside a session."""

import numpy as np

from . import _native
from ._device import CDevice, OrtDevice, need_cpu
from ._sparse import CSparseTensor, SparseTensor
from ._types import DTYPE_OF_CODE, element_code


class OrtValue:
    """A value that sessions take and give without conversion. Made by its static methods."""

    __slots__ = ("__weakref__", "_ortvalue")

    def __init__(self, ortvalue, numpy_obj=None, session=None):
        if not isinstance(ortvalue, (_native.OrtValue, CSparseTensor)):
            raise ValueError(f"OrtValue is made by its static methods, ortvalue_from_numpy and the like; {type(ortvalue)} is no value")
        self._ortvalue = ortvalue

    def _get_c_value(self):
        return self._ortvalue

    @staticmethod
    def ortvalue_from_numpy(numpy_obj, /, device_type="cpu", device_id=0, vendor_id=-1) -> "OrtValue":
        """A tensor of an array's type and shape. Shares the array's memory where it is contiguous and aligned."""
        need_cpu(device_type, device_id, vendor_id)
        return OrtValue(_native.OrtValue.from_array(np.asarray(numpy_obj)))

    @staticmethod
    def ortvalue_from_numpy_with_onnx_type(data, /, onnx_element_type: int) -> "OrtValue":
        """For types that numpy has no dtype for: the array holds their bits, in elements of the same size."""
        data = np.asarray(data)
        code = element_code(onnx_element_type)
        wanted = _native.bits_of(code)
        if data.dtype.hasobject or data.dtype.itemsize * 8 != max(wanted, 8):
            raise RuntimeError(f"an array of {data.dtype} has elements of {data.dtype.itemsize * 8} bits; the ONNX type "
                               f"{onnx_element_type} has {wanted}")
        return OrtValue(_native.OrtValue.from_array(data.view(DTYPE_OF_CODE[code] or f"u{data.dtype.itemsize}"), code))

    @staticmethod
    def ortvalue_from_shape_and_type(
        shape, element_type, device_type="cpu", device_id=0, vendor_id=-1, memory_info=None
    ) -> "OrtValue":
        """A tensor of zeros (of empty texts). `element_type`: a numpy dtype, ONNX's number or its name."""
        if memory_info is None:
            need_cpu(device_type, device_id, vendor_id)
        return OrtValue(_native.OrtValue.allocate(element_code(element_type), [int(dim) for dim in shape]))

    @staticmethod
    def ort_value_from_sparse_tensor(sparse_tensor: "SparseTensor") -> "OrtValue":
        """The value that holds a SparseTensor."""
        return OrtValue(sparse_tensor._get_c_tensor())

    def as_sparse_tensor(self) -> "SparseTensor":
        """The SparseTensor that the value holds; RuntimeError where it holds something else."""
        if not isinstance(self._ortvalue, CSparseTensor):
            raise RuntimeError(f"This OrtValue does not contain SparseTensor: it is {self.data_type()}")
        return SparseTensor(self._ortvalue)

    @staticmethod
    def from_dlpack(data, /) -> "OrtValue":
        """A tensor of another library, sharing its memory where that is contiguous and aligned."""
        return OrtValue(_native.OrtValue.from_dlpack(data))

    def __dlpack__(self, *, stream=None, **options):
        return self._ortvalue.to_dlpack()

    def __dlpack_device__(self):
        return (1, 0)

    def __array__(self, dtype=None, copy=None):
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def numpy(self):
        """An array over the value's memory, or a list, dict or None as the value is."""
        return self._ortvalue.numpy()

    def update_inplace(self, data) -> None:
        """Copies an array or value of the same type and shape into the value's memory."""
        self._ortvalue.copy_from(data.numpy() if isinstance(data, OrtValue) else np.asarray(data))

    def data_ptr(self) -> int:
        """The address of a tensor's first element."""
        return self._ortvalue.data_ptr()

    def data_type(self) -> str:
        """For instance "tensor(float)"."""
        return self._ortvalue.data_type()

    def device_name(self) -> str:
        """Where the value lives: "cpu"."""
        return "cpu"

    def element_type(self) -> int:
        """The elements' type as ONNX's number (onnx.TensorProto.FLOAT)."""
        return self._ortvalue.element_type()

    def has_value(self) -> bool:
        """False: an optional without a value."""
        return self._ortvalue.has_value()

    def is_tensor(self) -> bool:
        return self._ortvalue.is_tensor()

    def is_tensor_sequence(self) -> bool:
        return self._ortvalue.is_tensor_sequence()

    def is_sparse_tensor(self) -> bool:
        return self._ortvalue.is_sparse_tensor()

    def shape(self):
        """The dimensions of a tensor, a list of int."""
        return self._ortvalue.shape()

    def tensor_size_in_bytes(self) -> int:
        """What the elements of a tensor of numbers take."""
        return self._ortvalue.tensor_size_in_bytes()


class OrtValueVector(list):
    """Values of the C interface, as loops over tensors of another library use them."""

    def push_back(self, value):
        """A value, or a tensor of another library with the DLPack protocol."""
        self.append(value if isinstance(value, (_native.OrtValue, CSparseTensor)) else _native.OrtValue.from_dlpack(value))

    def push_back_batch(self, tensors, data_ptrs, element_types, shapes, devices):
        """Memory at addresses, which must stay valid as long as the values live."""
        for address, kind, shape, device in zip(data_ptrs, element_types, shapes, devices, strict=True):
            need_cpu(device)
            self.append(_native.OrtValue.at_address(int(address), element_code(kind), [int(dim) for dim in shape]))

    def reserve(self, count):
        """Does nothing: the list grows as needed."""

    def shrink_to_fit(self):
        """Does nothing, like reserve."""

    def element_type_at(self, idx):
        return self[idx].element_type()

    def dlpack_at(self, index):
        return self[index].to_dlpack()

    def to_dlpacks(self, to_tensor):
        """A list of each value's DLPack capsule, given to `to_tensor` where that is not None."""
        capsules = [value.to_dlpack() for value in self]
        return capsules if to_tensor is None else [to_tensor(capsule) for capsule in capsules]


def copy_tensors(src, dst, stream=None) -> None:
    """Copies each value of `src` into the one of `dst` at its place: tensors of the same types and shapes."""
    if not src or len(src) != len(dst):
        raise RuntimeError(f"Invalid arguments provided to CopyTensors: {len(src)} sources and {len(dst)} targets; as many are wanted, "
                           "and at least one")
    for source, target in zip(src, dst, strict=True):
        target.update_inplace(source)


_native.set_value_class(OrtValue)
