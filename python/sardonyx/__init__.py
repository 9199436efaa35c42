"""Sardonyx: an inference engine for ONNX models, with the names of onnxruntime's Python package.

    import sardonyx
    session = sardonyx.InferenceSession("model.onnx")
    outputs = session.run(None, {"x": x})
"""

from . import capi
from ._enums import (
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    OrtAllocatorType,
    OrtDeviceMemoryType,
    OrtMemType,
    OrtSparseFormat,
)
from ._environment import (
    disable_telemetry_events,
    dump_graph,
    enable_telemetry_events,
    get_all_providers,
    get_available_providers,
    get_build_info,
    get_device,
    get_version_string,
    has_collective_ops,
    inspect,
    knobs,
    product_version,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_seed,
)
from ._explain import explain, operators, passes
from ._io_binding import IOBinding
from ._options import RunOptions, SessionOptions
from ._session import InferenceSession, ModelMetadata, NodeArg
from ._value import OrtDevice, OrtValue, copy_tensors

__version__ = product_version()

__all__ = [
    "ExecutionMode",
    "ExecutionOrder",
    "GraphOptimizationLevel",
    "IOBinding",
    "InferenceSession",
    "ModelMetadata",
    "NodeArg",
    "OrtAllocatorType",
    "OrtDevice",
    "OrtDeviceMemoryType",
    "OrtMemType",
    "OrtSparseFormat",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "capi",
    "copy_tensors",
    "disable_telemetry_events",
    "dump_graph",
    "enable_telemetry_events",
    "explain",
    "get_all_providers",
    "get_available_providers",
    "get_build_info",
    "get_device",
    "get_version_string",
    "has_collective_ops",
    "inspect",
    "knobs",
    "operators",
    "passes",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "set_seed",
]
