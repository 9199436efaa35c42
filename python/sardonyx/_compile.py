"""ModelCompiler: a model prepared once, so that later loads take less. On the CPU: the rewritten model."""

import os

from ._enums import GraphOptimizationLevel, OrtCompileApiFlags
from ._errors import CLASSES


class OrtEpContextData:
    """Data of a compiled node, as a function given to ModelCompiler reads it. No provider here makes any."""

    def __init__(self, *args, **kwargs):
        raise TypeError("OrtEpContextData: no constructor; providers make them")

    size = property(lambda self: len(self._data), doc="Bytes of data.")

    def read(self, offset=0, length=None):
        """A part of the data, to its end where `length` is None."""
        return self._data[offset:] if length is None else self._data[offset : offset + length]


class OrtEpContextDataBuffer:
    """Memory for the data of a compiled node, as a function given to SessionOptions fills it."""

    def __init__(self, *args, **kwargs):
        raise TypeError("OrtEpContextDataBuffer: no constructor; sessions make them")

    size = property(lambda self: len(self._data or b""), doc="Bytes allocated.")
    max_size = property(lambda self: self._max_size, doc="Bytes that may be allocated.")
    is_allocated = property(lambda self: self._data is not None, doc="Whether allocate was called.")

    def allocate(self, size):
        if not 0 <= size <= self._max_size:
            raise CLASSES["InvalidArgument"](f"{size} bytes are asked for; 0 to {self._max_size} are allowed")
        self._data = bytearray(size)

    def write(self, data, offset=0):
        if self._data is None or offset < 0 or offset + len(data) > len(self._data):
            raise CLASSES["InvalidArgument"](f"{len(data)} bytes at {offset} do not fit into {self.size}")
        self._data[offset : offset + len(data)] = data


class ModelCompiler:
    """Compiles a model for the providers that the session options name.

    The CPU compiles no nodes, so what comes out is the model, rewritten as far as `graph_optimization_level` says.
    """

    def __init__(
        self,
        sess_options,
        input_model_path_or_bytes,
        embed_compiled_data_into_model=False,
        external_initializers_file_path=None,
        external_initializers_size_threshold=1024,
        flags=OrtCompileApiFlags.NONE,
        graph_optimization_level=GraphOptimizationLevel.ORT_DISABLE_ALL,
        get_initializer_location_func=None,
    ):
        if isinstance(input_model_path_or_bytes, (str, os.PathLike)):
            self._model = os.fspath(input_model_path_or_bytes)
            if not os.path.exists(self._model):
                raise ValueError(f"Input model path does not exist: {self._model}")
        elif isinstance(input_model_path_or_bytes, bytes):
            if not input_model_path_or_bytes:
                raise ValueError("Input model bytes array is empty")
            self._model = input_model_path_or_bytes
        else:
            raise TypeError(f"Unable to load from type '{type(input_model_path_or_bytes)}'")
        if external_initializers_file_path and get_initializer_location_func:
            raise ValueError("Cannot initialize ModelCompiler with both `external_initializers_file_path` "
                             "and `get_initializer_location_func`")
        if external_initializers_file_path or get_initializer_location_func:
            raise CLASSES["NotImplemented"](
                "[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : a compiled model keeps its weights inside; "
                "a file for them is not supported")
        self._options, self._flags, self._level = sess_options, int(flags), graph_optimization_level
        self._embed, self._context_name, self._write = bool(embed_compiled_data_into_model), None, None

    def compile_to_file(self, output_model_path=None):
        """Writes the compiled model; by default beside the input as NAME_ctx.onnx."""
        if output_model_path is None:
            if not isinstance(self._model, str):
                raise ValueError("`output_model_path` is wanted where the model was given as bytes")
            output_model_path = os.path.splitext(self._model)[0] + "_ctx.onnx"
        if self._flags & OrtCompileApiFlags.ERROR_IF_OUTPUT_FILE_EXISTS.value and os.path.exists(output_model_path):
            raise CLASSES["Fail"](f"[ONNXRuntimeError] : 1 : FAIL : the output file {output_model_path} exists already")
        content = self.compile_to_bytes()
        with open(output_model_path, "wb") as file:
            file.write(content)

    def compile_to_bytes(self) -> bytes:
        """The compiled model's bytes."""
        import tempfile  # here: few need it, and it takes time to load

        from ._session import InferenceSession

        if self._flags & OrtCompileApiFlags.ERROR_IF_NO_NODES_COMPILED.value:
            raise CLASSES["Fail"]("[ONNXRuntimeError] : 1 : FAIL : no nodes were compiled: the CPU's provider compiles none")
        with tempfile.TemporaryDirectory(prefix="sardonyx_") as folder:
            path = os.path.join(folder, "compiled.onnx")
            options = self._options._copy()
            options.graph_optimization_level = self._level
            options.optimized_model_filepath = path
            InferenceSession(self._model, options)
            with open(path, "rb") as file:
                return file.read()

    def compile_to_stream(self, write_function):
        """Gives the compiled model's bytes to write_function(bytes)."""
        write_function(self.compile_to_bytes())

    def set_ep_context_binary_information(self, output_directory, model_name) -> None:
        """Where providers write their data. The CPU's writes none."""
        self._context_name = (os.fspath(output_directory), model_name)

    def set_ep_context_data_write_func(self, write_func) -> None:
        """write_func(name, OrtEpContextData) gets the providers' data. The CPU's makes none."""
        if not callable(write_func):
            raise TypeError(f"write_func is {write_func!r}; a function is wanted")
        self._write = write_func

    def clear_ep_context_data_write_func(self) -> None:
        """Forgets what set_ep_context_data_write_func was given."""
        self._write = None
