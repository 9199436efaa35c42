"""Not here yet: tools that rewrite model files."""

from .._missing import refuse

__getattr__ = refuse(__name__, "use the original onnxruntime.tools in an environment of its own; Sardonyx runs what they write")
