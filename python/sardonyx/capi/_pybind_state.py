"""Another name of onnxruntime_pybind11_state."""

from . import onnxruntime_pybind11_state as _state

globals().update({name: value for name, value in vars(_state).items() if not name.startswith("__")})
