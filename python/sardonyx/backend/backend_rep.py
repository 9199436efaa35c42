"""What OnnxRuntimeBackend.prepare makes."""

import numpy as np
from onnx.backend.base import BackendRep

from .._options import RunOptions


class OnnxRuntimeBackendRep(BackendRep):
    """A session, by onnx's names."""

    def __init__(self, session):
        self._session = session

    def run(self, inputs, **kwargs):
        """The outputs for inputs in the model's order: a list of arrays, or one array. `kwargs`: attributes of RunOptions."""
        options = RunOptions()
        for name, value in kwargs.items():
            if not hasattr(options, name):
                raise RuntimeError(f"run options have no {name!r}")
            setattr(options, name, value)
        names = [arg.name for arg in self._session.get_inputs()]
        if not isinstance(inputs, (list, tuple)):
            inputs = [inputs]
        if len(inputs) != len(names):
            raise RuntimeError(f"{len(inputs)} inputs are given, the model wants {len(names)}: {names}")
        arrays = [np.asarray(value) if isinstance(value, np.generic) else value for value in inputs]
        return self._session.run(None, dict(zip(names, arrays, strict=True)), options)
