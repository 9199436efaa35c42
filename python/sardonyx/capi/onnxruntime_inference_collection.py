"""The session's classes under the module that programs import them from."""

from .._adapter import AdapterFormat  # noqa: F401
from .._compile import ModelCompiler  # noqa: F401
from .._device import OrtDevice, get_ort_device_type, get_vendor_id_for_device_type  # noqa: F401
from .._enums import OrtDeviceVendorId  # noqa: F401
from .._io_binding import IOBinding  # noqa: F401
from .._providers import check_and_normalize_provider_args  # noqa: F401
from .._session import InferenceSession, Session  # noqa: F401
from .._sparse import SparseTensor  # noqa: F401
from .._value import OrtValue, copy_tensors  # noqa: F401


def make_get_initializer_location_func_wrapper(get_initializer_location_func):
    """The function with its value as an OrtValue of this package instead of one of the C interface."""

    def wrapper(name, value, external_info):
        return get_initializer_location_func(name, OrtValue(value), external_info)

    return wrapper
