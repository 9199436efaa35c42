"""Not here yet. The engine's own passes make the fused operators that onnxruntime.transformers makes."""

from .._missing import refuse

__getattr__ = refuse(__name__, "load the model as it is: sessions fuse attention, normalization and GELU themselves; for a rewritten "
                               "file set SessionOptions.optimized_model_filepath")
