"""SparseTensor: values and where they stand, in one of three formats. On the CPU only."""

import numpy as np

from ._device import CDevice, OrtDevice
from ._enums import OrtSparseFormat
from ._types import CODE_OF_DTYPE, NAME_OF_CODE


class _View:
    """The indices of a sparse tensor, not to be written."""

    __slots__ = ("_parts",)

    def __init__(self, *parts):
        self._parts = parts


class SparseCooView(_View):
    def indices(self):
        """int64: [n] positions in the flattened tensor, or [n, 2] rows and columns."""
        return self._parts[0]


class SparseCsrView(_View):
    def inner(self):
        """int64 [n]: the column of each value."""
        return self._parts[0]

    def outer(self):
        """int64 [rows + 1]: where each row begins among the values."""
        return self._parts[1]


class SparseBlockSparseView(_View):
    def indices(self):
        """int32 [2, blocks]: the row and column of each block."""
        return self._parts[0]


def _frozen(array, dtype=None):
    array = np.ascontiguousarray(array, dtype).view()
    array.flags.writeable = False
    return array


class CSparseTensor:
    """A sparse tensor as the C interface has it. It stands for the OrtValue that holds it, too."""

    def __init__(self, dense_shape, values, form, view):
        shape = [int(dim) for dim in dense_shape]
        if any(dim < 0 for dim in shape):
            raise RuntimeError(f"the dense shape of a sparse tensor is {shape}; dimensions of 0 or more are wanted")
        values = np.asarray(values)
        if values.dtype not in CODE_OF_DTYPE or CODE_OF_DTYPE[values.dtype] == 9:
            raise RuntimeError(f"Unsupported values data type: {values.dtype}; a dtype of numbers is wanted")
        self._shape, self._values, self._form, self._view = shape, _frozen(values), form, view

    @staticmethod
    def sparse_coo_from_numpy(dense_shape, values, coo_indices, ort_device):
        indices, count = _frozen(coo_indices, np.int64), np.asarray(values).size
        if indices.size not in (count, 2 * count):
            raise RuntimeError(
                f"Index size: {indices.size} must be equal to or twice the values size: {count}")
        return CSparseTensor(dense_shape, values, OrtSparseFormat.ORT_SPARSE_COO, SparseCooView(indices))

    @staticmethod
    def sparse_csr_from_numpy(dense_shape, values, inner_indices, outer_indices, ort_device):
        inner, outer = _frozen(inner_indices, np.int64), _frozen(outer_indices, np.int64)
        count = np.asarray(values).size
        if len(dense_shape) != 2:
            raise RuntimeError(f"a CSR tensor has the dense shape {list(dense_shape)}; 2 dimensions are wanted")
        rows = int(dense_shape[0])
        if inner.size != count or (outer.size not in (0, rows + 1)) or (outer.size == 0 and count):
            raise RuntimeError(f"a CSR tensor of {rows} rows and {count} values has {inner.size} inner and {outer.size} outer indices; "
                               f"{count} and {rows + 1} are wanted")
        return CSparseTensor(dense_shape, values, OrtSparseFormat.ORT_SPARSE_CSRC, SparseCsrView(inner, outer))

    @staticmethod
    def blocksparse_from_numpy(dense_shape, values, block_indices, ort_device):
        indices, blocks = _frozen(block_indices, np.int32), np.asarray(values)
        if blocks.ndim < 3 or indices.ndim != 2 or indices.shape[0] != 2 or indices.shape[1] != blocks.shape[0]:
            raise RuntimeError(f"a block sparse tensor has values of shape {list(blocks.shape)} and indices of shape "
                               f"{list(indices.shape)}; [blocks, rows, columns] and [2, blocks] are wanted")
        return CSparseTensor(dense_shape, blocks, OrtSparseFormat.ORT_SPARSE_BLOCK_SPARSE, SparseBlockSparseView(indices))

    def _need(self, form, name):
        if self._form != form:
            raise RuntimeError(f"This sparse tensor does not contain {name} format: it is {self._form.name}")
        return self._view

    def get_coo_data(self):
        return self._need(OrtSparseFormat.ORT_SPARSE_COO, "COO")

    def get_csrc_data(self):
        return self._need(OrtSparseFormat.ORT_SPARSE_CSRC, "CSR(C)")

    def get_blocksparse_data(self):
        return self._need(OrtSparseFormat.ORT_SPARSE_BLOCK_SPARSE, "BlockSparse")

    def values(self):
        return self._values

    def dense_shape(self):
        return list(self._shape)

    shape = dense_shape

    @property
    def format(self):
        return self._form

    def data_type(self):
        return f"sparse_tensor({NAME_OF_CODE[self.element_type()]})"

    def element_type(self):
        return CODE_OF_DTYPE[self._values.dtype]

    def device_name(self):
        return "cpu"

    def to_cuda(self, ort_device):
        raise RuntimeError("Cuda is not available in this build: a sparse tensor stays in the CPU's memory")

    def has_value(self):
        return True

    def is_tensor(self):
        return False

    is_tensor_sequence = is_tensor

    def is_sparse_tensor(self):
        return True

    def as_sparse_tensor(self):
        return self

    def _no_dense(self):
        raise RuntimeError(f"the value is {self.data_type()}; only tensors are convertible to Numpy objects")

    numpy = data_ptr = tensor_size_in_bytes = to_dlpack = __dlpack__ = _no_dense


CSparseTensor.__name__ = CSparseTensor.__qualname__ = "SparseTensor"


def _c_device(ort_device):
    if not isinstance(ort_device, OrtDevice):
        raise TypeError(f"ort_device is {type(ort_device)}; an OrtDevice is wanted")
    device = ort_device._get_c_device()
    if device.device_type() != CDevice.cpu():
        raise RuntimeError("sparse tensors live in the CPU's memory; the device given is another")
    return device


class SparseTensor:
    """A tensor of which only some elements are kept. Made by its static methods; the arrays are shared, not copied."""

    def __init__(self, sparse_tensor):
        if not isinstance(sparse_tensor, CSparseTensor):
            raise ValueError(f"SparseTensor is made by its static methods; {type(sparse_tensor)} is no SparseTensor of the C interface")
        self._tensor = sparse_tensor

    def _get_c_tensor(self):
        return self._tensor

    @staticmethod
    def sparse_coo_from_numpy(dense_shape, values, coo_indices, ort_device: "OrtDevice") -> "SparseTensor":
        """Coordinates: values [n]; indices int64 [n] (positions in the flattened tensor) or [n, 2]."""
        return SparseTensor(CSparseTensor.sparse_coo_from_numpy(dense_shape, values, coo_indices, _c_device(ort_device)))

    @staticmethod
    def sparse_csr_from_numpy(dense_shape, values, inner_indices, outer_indices, ort_device: "OrtDevice") -> "SparseTensor":
        """Compressed rows: values [n]; inner int64 [n]: columns; outer int64 [rows + 1]: where each row begins."""
        return SparseTensor(
            CSparseTensor.sparse_csr_from_numpy(dense_shape, values, inner_indices, outer_indices, _c_device(ort_device)))

    def values(self):
        """The values kept, an array that is not to be written."""
        return self._tensor.values()

    def as_coo_view(self):
        """Its indices, where the format is coordinates; else RuntimeError."""
        return self._tensor.get_coo_data()

    def as_csrc_view(self):
        """Its indices, where the format is compressed rows; else RuntimeError."""
        return self._tensor.get_csrc_data()

    def as_blocksparse_view(self):
        """Its indices, where the format is blocks; else RuntimeError."""
        return self._tensor.get_blocksparse_data()

    def to_cuda(self, ort_device):
        """Always RuntimeError: this build has no CUDA."""
        return SparseTensor(self._tensor.to_cuda(ort_device))

    def format(self):
        """Its OrtSparseFormat."""
        return self._tensor.format

    def dense_shape(self):
        """The shape of the whole tensor."""
        return self._tensor.dense_shape()

    def data_type(self) -> str:
        """For instance "sparse_tensor(float)"."""
        return self._tensor.data_type()

    def device_name(self) -> str:
        return self._tensor.device_name()
