"""Not here yet. Models that onnxruntime.quantization, Olive or other tools made run as they are."""

from .._missing import refuse

__getattr__ = refuse(__name__, "quantize the model with the original onnxruntime.quantization (in an environment of its own) or with "
                               "Olive; Sardonyx runs what they write")
