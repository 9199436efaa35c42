"""InferenceSession."""

import copy
import os
import threading

from . import _native, _providers
from ._environment import chosen_seed, get_available_providers
from ._io_binding import IOBinding
from ._options import RunOptions, SessionOptions
from ._value import OrtValue


class NodeArg:
    """An input or output: its name, type ("tensor(float)") and shape (numbers, names, or None for what is unknown)."""

    __slots__ = ("name", "shape", "type")

    def __init__(self, name, type, shape):
        self.name, self.type, self.shape = name, type, shape

    def __repr__(self):
        return f"NodeArg(name={self.name!r}, type={self.type!r}, shape={self.shape!r})"

    __str__ = __repr__


class ModelMetadata:
    """What a model says about its origin."""

    def __init__(self, **values):
        self.__dict__.update(values)


def _native_options(run_options):
    if run_options is None:
        return None
    if not isinstance(run_options, RunOptions):
        raise TypeError(f"run_options is {type(run_options)}; a RunOptions is wanted")
    return run_options._native


class InferenceSession:
    """A model, ready to run; any number of threads may run it at once."""

    def __init__(self, path_or_bytes, sess_options=None, providers=None, provider_options=None, **kwargs):
        if isinstance(path_or_bytes, (str, os.PathLike)):
            self._model = os.fspath(path_or_bytes)
        elif isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
            self._model = path_or_bytes
        else:
            raise TypeError(f"Unable to load from type '{type(path_or_bytes)}'")
        if sess_options is not None and not isinstance(sess_options, SessionOptions):
            raise TypeError(f"sess_options is {type(sess_options)}; a SessionOptions is wanted")
        self._options = sess_options or SessionOptions()
        disabled = kwargs.pop("disabled_optimizers", None)
        self._disabled_optimizers = sorted(disabled or ())
        for key in kwargs:
            if key not in ("enable_fallback", "read_config_from_model"):
                raise TypeError(f"InferenceSession has no argument {key!r}")
        self._load(providers, provider_options)

    def _load(self, providers, provider_options):
        if self._options.has_providers() and not providers:
            providers, provider_options = zip(*self._options._providers, strict=True)
        chosen = _providers.chosen(providers, provider_options, get_available_providers())
        native_options = self._options._finish(chosen)
        if chosen_seed() is not None and not native_options.config("sardonyx.seed"):
            native_options.add_config("sardonyx.seed", str(chosen_seed()))
        if self._disabled_optimizers:
            native_options.add_config("optimization.disable_specified_optimizers", ";".join(self._disabled_optimizers))
        load = _native.Session.load_path if isinstance(self._model, str) else _native.Session.load_bytes
        self._native = load(self._model, native_options)
        self._chosen = chosen
        self._inputs = [NodeArg(*arg) for arg in self._native.inputs()]
        self._outputs = [NodeArg(*arg) for arg in self._native.outputs()]
        self._overridable = [NodeArg(*arg) for arg in self._native.overridable()]

    def run(self, output_names, input_feed, run_options=None):
        """The outputs named (all, where that is None or empty) for a dict of inputs by name."""
        return self._native.run(output_names, input_feed, _native_options(run_options))

    def run_async(self, output_names, input_feed, callback, user_data, run_options=None):
        """Runs on another thread, which then calls callback(outputs, user_data, error); one of the two is empty."""

        def work():
            outputs, error = [], ""
            try:
                outputs = self.run(output_names, input_feed, run_options)
            except Exception as exception:  # whatever it is belongs to the callback
                error = str(exception) or type(exception).__name__
            callback(outputs, user_data, error)

        threading.Thread(target=work, name="sardonyx.run_async").start()

    def run_with_ort_values(self, output_names, input_dict_ort_values, run_options=None):
        """The same over OrtValues."""
        feed = {name: value._ortvalue for name, value in input_dict_ort_values.items()}
        self._check_complete(feed)
        names = list(output_names or (arg.name for arg in self._outputs))
        values = self._native.run_values(feed, names, [None] * len(names), _native_options(run_options))
        return [OrtValue(value) for value in values]

    def io_binding(self):
        return IOBinding(self)

    def run_with_iobinding(self, iobinding, run_options=None):
        """Runs with the inputs and outputs that were bound."""
        if not iobinding._outputs:
            raise RuntimeError("Error in execution: At least one output should be requested.")
        self._check_complete(iobinding._inputs)
        names, values = list(iobinding._outputs), list(iobinding._outputs.values())
        iobinding._results = self._native.run_values(iobinding._inputs, names, values, _native_options(run_options))

    def _check_complete(self, feed):
        missing = [arg.name for arg in self._inputs if arg.name not in feed]
        if missing:
            raise ValueError(f"Required inputs ({missing}) are missing from input feed ({list(feed)}).")

    def get_inputs(self):
        return list(self._inputs)

    def get_outputs(self):
        return list(self._outputs)

    def get_overridable_initializers(self):
        """Initializers that are also inputs: fed or not as the caller likes."""
        return list(self._overridable)

    def get_modelmeta(self):
        return ModelMetadata(**self._native.metadata())

    def get_session_options(self):
        return copy.copy(self._options)

    def get_providers(self):
        return [name for name, _ in self._chosen]

    def get_provider_options(self):
        return {name: dict(options) for name, options in self._chosen}

    def set_providers(self, providers=None, provider_options=None):
        """Loads the model again for other providers."""
        self._load(providers, provider_options)

    def enable_fallback(self):
        """Does nothing: what a provider cannot run goes to the CPU in any case."""

    def disable_fallback(self):
        """Does nothing, like enable_fallback."""

    def end_profiling(self):
        """The name of the profile's file; empty where profiling was not enabled."""
        return self._native.end_profiling()

    def get_profiling_start_time_ns(self):
        return self._native.profiling_start_ns()

    def dump_graph(self):
        """The graph as it runs, as text."""
        return self._native.dump_graph()
