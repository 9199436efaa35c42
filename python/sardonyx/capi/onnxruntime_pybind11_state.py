"""Exception classes, enumerations, options and values under the module that programs import them from."""

from .. import _native
from .._adapter import LoraAdapter  # noqa: F401
from .._compile import OrtEpContextData, OrtEpContextDataBuffer  # noqa: F401
from .._device import CDevice, OrtArenaCfg, create_and_register_allocator, create_and_register_allocator_v2, need_cpu  # noqa: F401
from .._enums import *  # noqa: F403
from .._environment import (  # noqa: F401
    disable_telemetry_events,
    enable_telemetry_events,
    get_all_providers,
    get_available_providers,
    get_build_info,
    get_device,
    get_ep_devices,
    get_version_string,
    has_collective_ops,
    register_execution_provider_library,
    set_default_logger_callback,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_global_thread_pool_sizes,
    set_seed,
    unregister_execution_provider_library,
)
from .._errors import CLASSES as _CLASSES
from .._io_binding import SessionIOBinding  # noqa: F401
from .._options import RunOptions, SessionOptions  # noqa: F401
from .._other import OrtExternalInitializerInfo, OrtSyncStream  # noqa: F401
from .._package import ModelPackage  # noqa: F401
from .._package_session import ModelPackageComponentContext, ModelPackageContext, ModelPackageOptions  # noqa: F401
from .._session import ModelMetadata, NodeArg, OrtEpAssignedNode, OrtEpAssignedSubgraph  # noqa: F401
from .._sparse import CSparseTensor, SparseBlockSparseView, SparseCooView, SparseCsrView  # noqa: F401
from .._types import element_code as _element_code
from .._value import OrtValueVector  # noqa: F401

globals().update(_CLASSES)
OrtMemoryInfo, OrtHardwareDevice, OrtEpDevice = _native.OrtMemoryInfo, _native.OrtHardwareDevice, _native.OrtEpDevice
OrtDevice, SparseTensor, OrtValue, InferenceSession = CDevice, CSparseTensor, _native.OrtValue, _native.InferenceSession
kNextPowerOfTwo, kSameAsRequested = ArenaExtendStrategy.kNextPowerOfTwo, ArenaExtendStrategy.kSameAsRequested  # noqa: F405
get_hardware_devices = _native.get_hardware_devices


def get_default_session_options():
    """SessionOptions as a session has them that was given none."""
    return SessionOptions()


def copy_tensors(src, dst, stream, /):
    """Copies values of the C interface."""
    for source, target in zip(src, dst, strict=True):
        target.update_inplace(source)


def _from_numpy(array, device):
    need_cpu(device)
    return _native.OrtValue.from_array(array)


def _from_shape(shape, element_type, device):
    need_cpu(device)
    return _native.OrtValue.allocate(_element_code(element_type), list(shape))


OrtValue.ortvalue_from_numpy = staticmethod(_from_numpy)
OrtValue.ortvalue_from_numpy_with_onnx_type = staticmethod(lambda array, code: _native.OrtValue.from_array(array, code))
OrtValue.ortvalue_from_shape_and_type = OrtValue.ortvalue_from_shape_and_onnx_type = staticmethod(_from_shape)
OrtValue.ort_value_from_sparse_tensor = staticmethod(lambda sparse: sparse)
OrtValue.update_inplace = lambda self, data: self.copy_from(data.numpy() if isinstance(data, OrtValue) else data)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"{__name__} has no {name}: Sardonyx does not have this part of onnxruntime's inner module")
