"""OnnxRuntimeBackend: onnx's interface for backends over sessions."""

import os

from onnx import ModelProto
from onnx.backend.base import Backend
from onnx.checker import check_model

from .._environment import get_device
from .._options import SessionOptions
from .._session import InferenceSession
from .backend_rep import OnnxRuntimeBackendRep


class OnnxRuntimeBackend(Backend):
    """Models are ModelProtos, bytes, paths or sessions."""

    @classmethod
    def supports_device(cls, device):
        """Whether models run on the device: "CPU"."""
        return device in get_device()

    @classmethod
    def is_compatible(cls, model, device=None, **kwargs):
        """Whether the model would run on the device (None: the default one)."""
        return device is None or cls.supports_device(device)

    @classmethod
    def prepare(cls, model, device=None, **kwargs):
        """An OnnxRuntimeBackendRep for the model. `kwargs`: attributes of SessionOptions."""
        if isinstance(model, OnnxRuntimeBackendRep):
            return model
        if isinstance(model, InferenceSession):
            return OnnxRuntimeBackendRep(model)
        if device is not None and not cls.supports_device(device):
            raise RuntimeError(f"Incompatible device expected '{device}', got '{get_device()}'")
        if isinstance(model, (str, os.PathLike, bytes)):
            options = SessionOptions()
            for name, value in kwargs.items():
                if not hasattr(options, name):
                    raise RuntimeError(f"session options have no {name!r}")
                setattr(options, name, value)
            return OnnxRuntimeBackendRep(InferenceSession(model, options))
        content = model.SerializeToString()
        if isinstance(model, ModelProto):
            check_model(model)
        return cls.prepare(content, device, **kwargs)

    @classmethod
    def run_model(cls, model, inputs, device=None, **kwargs):
        """The outputs of the model for inputs in its order."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node, inputs, device=None, outputs_info=None, **kwargs):
        """Not supported: a session runs a model."""
        raise NotImplementedError("a single node is not run: make a model of it (onnx.helper.make_model)")


is_compatible = OnnxRuntimeBackend.is_compatible
prepare = OnnxRuntimeBackend.prepare
run = OnnxRuntimeBackend.run_model
supports_device = OnnxRuntimeBackend.supports_device
