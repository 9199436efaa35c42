"""Sardonyx in onnxruntime's place: the import system gives this package's modules to programs that import onnxruntime."""

import os
import sys

from . import _native


def install_as_onnxruntime():
    """From now on, `import onnxruntime` gives this package, in this process.

    Call it before anything imports onnxruntime; RuntimeError where that has happened. Calling it again does nothing.
    """
    from . import _finder  # here: the import system's modules take time to load

    if any(isinstance(finder, _finder.Finder) for finder in sys.meta_path):
        return
    loaded = sys.modules.get("onnxruntime")
    if loaded is not None:
        raise RuntimeError(f"onnxruntime is imported already, from {getattr(loaded, '__file__', None)}; "
                           "call install_as_onnxruntime() before anything imports it")
    sys.meta_path[:0] = [_finder.Finder(), _finder.DistributionFinder()]
    sys.modules[__package__].__version__ = _native.api_version()  # programs compare it with onnxruntime's releases


def library_path():
    """The engine's library, with the C interface of libonnxruntime.so."""
    return os.path.join(os.path.dirname(__file__), "lib", "libsardonyx.so.0")
