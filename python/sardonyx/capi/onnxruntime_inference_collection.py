"""The session's classes under the module that programs import them from."""

from .._io_binding import IOBinding  # noqa: F401
from .._providers import check_and_normalize_provider_args  # noqa: F401
from .._session import InferenceSession  # noqa: F401
from .._value import OrtDevice, OrtValue, copy_tensors  # noqa: F401

Session = InferenceSession
