"""One exception class for each status code of the C interface."""

from . import _native

# (class, name in messages) in the order of the codes; 0 is no error.
_CODES = [
    ("OK", "SUCCESS"),
    ("Fail", "FAIL"),
    ("InvalidArgument", "INVALID_ARGUMENT"),
    ("NoSuchFile", "NO_SUCHFILE"),
    ("NoModel", "NO_MODEL"),
    ("EngineError", "ENGINE_ERROR"),
    ("RuntimeException", "RUNTIME_EXCEPTION"),
    ("InvalidProtobuf", "INVALID_PROTOBUF"),
    ("ModelLoaded", "MODEL_LOADED"),
    ("NotImplemented", "NOT_IMPLEMENTED"),
    ("InvalidGraph", "INVALID_GRAPH"),
    ("EPFail", "EP_FAIL"),
    ("ModelLoadCanceled", "MODEL_LOAD_CANCELED"),
    ("ModelRequiresCompilation", "MODEL_REQUIRES_COMPILATION"),
    ("NotFound", "NOT_FOUND"),
]

MODULE = "sardonyx.capi.onnxruntime_pybind11_state"
CLASSES = {name: type(name, (Exception,), {"__module__": MODULE}) for name in (*(name for name, _ in _CODES[1:]), "DeviceReset")}
globals().update(CLASSES)

_native.set_error_classes([(CLASSES.get(name, CLASSES["Fail"]), text) for name, text in _CODES])
