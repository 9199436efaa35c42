"""Exception classes, enumerations and options under the module that programs import them from."""

from .._enums import (  # noqa: F401
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    OrtAllocatorType,
    OrtDeviceMemoryType,
    OrtMemType,
    OrtSparseFormat,
)
from .._environment import (  # noqa: F401
    get_all_providers,
    get_available_providers,
    get_build_info,
    get_device,
    get_version_string,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_seed,
)
from .._errors import CLASSES as _CLASSES
from .._options import RunOptions, SessionOptions  # noqa: F401
from .._session import ModelMetadata, NodeArg  # noqa: F401
from .._value import OrtDevice, OrtValue  # noqa: F401

globals().update(_CLASSES)


def get_default_session_options():
    return SessionOptions()
