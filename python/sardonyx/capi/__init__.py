"""The names under which onnxruntime's programs look for its inner modules."""

from . import _pybind_state, onnxruntime_inference_collection, onnxruntime_pybind11_state, onnxruntime_validation
