"""What concerns the whole process: versions, providers, log settings."""

import json

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
    return "GPU" if "CUDAExecutionProvider" in get_available_providers() else "CPU"


def get_version_string():
    """The version of onnxruntime's interface that is served."""
    return _native.api_version()


def product_version():
    """Sardonyx's own version."""
    return _native.product_version()


def get_build_info():
    return _native.build_info()


def has_collective_ops():
    return False


def set_default_logger_severity(level):
    """0 verbose, 1 info, 2 warning, 3 error, 4 fatal; for what is not logged by a session with its own level."""
    if level not in range(5):
        raise RuntimeError(f"the log severity is {level}; 0 (verbose) to 4 (fatal) are wanted")
    _native.set_log_level(int(level))


def set_default_logger_verbosity(level):
    if int(level) < 0:
        raise RuntimeError(f"the log verbosity is {level}; 0 or more is wanted")


def set_seed(seed):
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
