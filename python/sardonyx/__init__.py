"""Sardonyx: an inference engine for ONNX models, with the names of onnxruntime's Python package.

    import sardonyx
    session = sardonyx.InferenceSession("model.onnx")
    outputs = session.run(None, {"x": x})

Programs that import onnxruntime run on it unchanged: `python -m sardonyx exec program.py`, or
sardonyx.install_as_onnxruntime() before their import.
"""

import contextlib  # noqa: F401: a name that onnxruntime has

from . import _native, capi
from ._adapter import AdapterFormat, LoraAdapter
from ._compile import ModelCompiler, OrtEpContextData, OrtEpContextDataBuffer
from ._device import OrtArenaCfg, OrtDevice, create_and_register_allocator, create_and_register_allocator_v2
from ._enums import (
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    ModelPackageWriteMode,
    OrtAllocatorType,
    OrtCompileApiFlags,
    OrtDeviceMemoryType,
    OrtDeviceVendorId,
    OrtExecutionProviderDevicePolicy,
    OrtHardwareDeviceType,
    OrtMemoryInfoDeviceType,
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
    get_ep_devices,
    get_version_string,
    has_collective_ops,
    inspect,
    knobs,
    preload_dlls,
    print_debug_info,
    product_version,
    register_execution_provider_library,
    set_default_logger_callback,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_global_thread_pool_sizes,
    set_seed,
    unregister_execution_provider_library,
)
from ._explain import explain, operators, passes
from ._io_binding import IOBinding, SessionIOBinding
from ._options import RunOptions, SessionOptions
from ._other import OrtExternalInitializerInfo, OrtSyncStream
from ._package import ModelPackage
from ._package_session import ModelPackageComponentContext, ModelPackageContext, ModelPackageOptions
from ._session import InferenceSession, ModelMetadata, NodeArg, OrtEpAssignedNode, OrtEpAssignedSubgraph
from ._shim import install_as_onnxruntime
from ._sparse import SparseTensor
from ._value import OrtValue, copy_tensors
from .capi import onnxruntime_validation

OrtMemoryInfo = _native.OrtMemoryInfo
OrtHardwareDevice = _native.OrtHardwareDevice
OrtEpDevice = _native.OrtEpDevice

__version__ = product_version()

# As onnxruntime's package says them; programs print and compare these.
package_name = "onnxruntime"
version = get_version_string()
cuda_version = ""
import_capi_exception = None

__all__ = sorted(name for name in globals() if not name.startswith("_") and name not in ("contextlib", "import_capi_exception"))
