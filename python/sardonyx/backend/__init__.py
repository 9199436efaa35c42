"""The interface that the onnx package describes for backends (onnx.backend.base): prepare a model, run it."""

from .backend import is_compatible, prepare, run, supports_device  # noqa: F401
