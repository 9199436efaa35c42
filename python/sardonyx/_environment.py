"""What concerns the whole process: versions, providers, log settings."""

import json
import os

from . import _native

_seed = None

# In order of priority, as onnxruntime lists them.
_ALL_PROVIDERS = [
    f"{name}ExecutionProvider"
    for name in (
        "Tensorrt CUDA MIGraphX OpenVINO Dnnl VitisAI QNN Nnapi VSINPU Js CoreML Dml Rknpu WebNN WebGpu Xnnpack CANN Azure CPU"
    ).split()
]


def get_all_providers():
    """Every provider that has a name, available or not."""
    return list(_ALL_PROVIDERS)


def get_available_providers():
    """The providers that sessions of this library can use, in order of priority."""
    return _native.available_providers()


def get_device():
    """"CPU", or "GPU" where a provider for one is there."""
    return "GPU" if "CUDAExecutionProvider" in get_available_providers() else "CPU"


def get_version_string():
    """The version of onnxruntime's interface that is served."""
    return _native.api_version()


def product_version():
    """Sardonyx's own version."""
    return _native.product_version()


def get_build_info():
    """What this library is and how it was built, one line."""
    return _native.build_info()


def has_collective_ops():
    """False: operators over several machines are not built in."""
    return False


def set_default_logger_severity(level, /):
    """0 verbose, 1 info, 2 warning, 3 error, 4 fatal; for what is not logged by a session with its own level."""
    if level not in range(5):
        raise RuntimeError(f"the log severity is {level}; 0 (verbose) to 4 (fatal) are wanted")
    _native.set_log_level(int(level))


def set_default_logger_verbosity(level, /):
    """Accepted: verbose lines have one level here."""
    if int(level) < 0:
        raise RuntimeError(f"the log verbosity is {level}; 0 or more is wanted")


def set_default_logger_callback(callback, severity=2):
    """callback(severity, category, logid, code_location, message) gets each log line from now on, also of sessions that live.

    It is called on the thread that logs. None restores lines on stderr. Lines of threads that Python does not know go to stderr.
    `severity`: the lowest that the default logger lets through, 0 (verbose) to 4 (fatal).
    """
    _native.set_log_callback(callback, int(severity))


def set_global_thread_pool_sizes(intra_op_num_threads=0, inter_op_num_threads=0):
    """Threads of the pool that sessions share which are made from now on with `use_per_session_threads = False`.

    0: the physical cores that are allowed.
    """
    _native.set_global_threads(int(intra_op_num_threads), int(inter_op_num_threads))


def get_ep_devices():
    """Every device that sessions can use, with its provider: a list of OrtEpDevice."""
    return _native.get_ep_devices()


def register_execution_provider_library(registration_name, library_path, /):
    """Loads a library with a provider. A relative path is looked for in this package's folder `capi`."""
    path = os.fspath(library_path)
    _native.register_execution_provider_library(registration_name, os.path.join(os.path.dirname(__file__), "capi", path))


def unregister_execution_provider_library(registration_name, /):
    """Unloads what register_execution_provider_library loaded under that name."""
    _native.unregister_execution_provider_library(registration_name)


def preload_dlls(cuda: bool = True, cudnn: bool = True, msvc: bool = True, directory=None):
    """Does nothing: there are no libraries of CUDA to load."""


def print_debug_info():
    """Prints what a report of a fault should contain: versions, platform, devices."""
    import platform  # here: it takes time to load

    print(f"sardonyx {product_version()}, onnxruntime's interface {get_version_string()}")
    print(f"build: {get_build_info()}")
    print(f"platform: {platform.platform()}, Python {platform.python_version()}")
    print(f"package: {os.path.dirname(__file__)}")
    for device in get_ep_devices():
        print(f"device: {device.ep_name} on {device.device.vendor or 'an unknown CPU'}")


def set_seed(seed, /):
    """For sessions made from now on: what random operators draw whose model gives no seed. Two sessions draw the same."""
    global _seed
    if int(seed) != seed:
        raise TypeError(f"the seed is {seed!r}; an integer is wanted")
    _seed = int(seed) % 2**64


def chosen_seed():
    """What set_seed was given, or None."""
    return _seed


def enable_telemetry_events():
    """Does nothing: there is no telemetry."""


def disable_telemetry_events():
    """Does nothing: there is no telemetry."""


def inspect(path):
    """What a model file says about itself, as a dict."""
    return json.loads(_native.inspect(str(path)))


def dump_graph(path):
    """The graph of a model file as text, one node a line."""
    return _native.dump_graph(str(path))


def knobs():
    """Every setting of the library, its environment variable, value and meaning."""
    return json.loads(_native.knobs())
