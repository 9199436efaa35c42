"""LoRA adapters: files of named tensors that a run takes in place of a model's optional inputs."""

import os

from . import _flat, _native
from ._value import OrtValue

_FORMAT_VERSION = 1


class AdapterFormat:
    """An adapter's file: parameters by name, and the versions that its maker gave.

    Files are those of onnxruntime (.onnx_adapter), both ways.
    """

    def __init__(self, adapter=None) -> None:
        self._adapter_version = self._model_version = 0
        self._parameters = {}
        if adapter is not None:
            self._adapter_version, self._model_version, self._parameters = adapter

    @staticmethod
    def read_adapter(file_path: os.PathLike) -> "AdapterFormat":
        """Reads a file. RuntimeError where it is none of this format."""
        path = os.fspath(file_path)
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            raise RuntimeError(f"the adapter {path} cannot be read: {error.strerror}") from error
        try:
            versions, parameters = _flat.read_adapter(content)
        except _flat.Damaged as error:
            raise RuntimeError(f"the adapter {path} is damaged or of another format: {error}") from error
        if versions[0] != _FORMAT_VERSION:
            raise RuntimeError(f"the adapter {path} has the format version {versions[0]}; {_FORMAT_VERSION} is wanted")
        return AdapterFormat((versions[1], versions[2], {name: _value(*tensor) for name, tensor in parameters}))

    def export_adapter(self, file_path: os.PathLike):
        """Writes a file that read_adapter, LoraAdapter.Load and onnxruntime read."""
        tensors = [(name, value.element_type(), value.shape(), _bytes_of(value)) for name, value in self._parameters.items()]
        content = _flat.write_adapter((_FORMAT_VERSION, self._adapter_version, self._model_version), tensors)
        with open(file_path, "wb") as file:
            file.write(content)

    def get_format_version(self) -> int:
        """The version of the file's form."""
        return _FORMAT_VERSION

    def set_adapter_version(self, adapter_version: int) -> None:
        self._adapter_version = int(adapter_version)

    def get_adapter_version(self) -> int:
        return self._adapter_version

    def set_model_version(self, model_version: int) -> None:
        self._model_version = int(model_version)

    def get_model_version(self) -> int:
        return self._model_version

    def set_parameters(self, params: "dict[str, OrtValue]") -> None:
        """The tensors by the names of the model's inputs."""
        for name, value in params.items():
            if not isinstance(value, OrtValue) or not value.is_tensor():
                raise ValueError(f"the parameter {name!r} is {type(value)}; an OrtValue with a tensor is wanted")
        self._parameters = dict(params)

    def get_parameters(self) -> "dict[str, OrtValue]":
        return dict(self._parameters)


def _value(code, dims, content):
    return OrtValue(_native.OrtValue.from_bytes(code, list(dims), bytes(content)))


def _bytes_of(value):
    return value._ortvalue.to_bytes()


class LoraAdapter:
    """An adapter that runs can use: see RunOptions.add_active_adapter."""

    def __init__(self):
        self._parameters = {}

    def Load(self, path, /):  # noqa: N802
        """Reads an adapter's file."""
        self._parameters = {name: value._ortvalue for name, value in AdapterFormat.read_adapter(path).get_parameters().items()}
