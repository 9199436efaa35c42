"""SessionOptions and RunOptions."""

import operator
import os

from . import _native
from ._adapter import LoraAdapter
from ._enums import ExecutionMode, ExecutionOrder, GraphOptimizationLevel, OrtExecutionProviderDevicePolicy


def _wanted(name, value, kind):
    return TypeError(f"{name} is {value!r}; {kind} is wanted")


def _read(kind):
    """A function (name, value) -> value of that type, or TypeError. Numbers are never taken for enumerations."""
    if kind is int:

        def read(name, value):
            if isinstance(value, (float, str)):
                raise _wanted(name, value, "an int")
            return operator.index(value)

    elif kind is bool:

        def read(name, value):
            if type(value).__name__ not in ("bool", "bool_") and value not in (0, 1):
                raise _wanted(name, value, "a bool")
            return bool(value)

    elif kind is str:

        def read(name, value):
            return os.fspath(value)

    else:

        def read(name, value):
            if not isinstance(value, kind):
                raise _wanted(name, value, f"a {kind.__name__}")
            return value

    return read


_ATTRIBUTES = {
    "enable_cpu_mem_arena": (bool, True),
    "enable_mem_pattern": (bool, True),
    "enable_mem_reuse": (bool, True),
    "enable_profiling": (bool, False),
    "execution_mode": (ExecutionMode, ExecutionMode.ORT_SEQUENTIAL),
    "execution_order": (ExecutionOrder, ExecutionOrder.DEFAULT),
    "graph_optimization_level": (GraphOptimizationLevel, GraphOptimizationLevel.ORT_ENABLE_ALL),
    "inter_op_num_threads": (int, 0),
    "intra_op_num_threads": (int, 0),
    "log_severity_level": (int, -1),
    "log_verbosity_level": (int, 0),
    "logid": (str, ""),
    "optimized_model_filepath": (str, ""),
    "profile_file_prefix": (str, "onnxruntime_profile_"),
    "use_deterministic_compute": (bool, False),
    "use_per_session_threads": (bool, True),
}
_READ = {name: _read(kind) for name, (kind, _) in _ATTRIBUTES.items()}
# The engine has no switch for these: order and memory reuse are its planner's.
_ACCEPTED_ONLY = {"enable_mem_reuse", "execution_order", "enable_profiling", "profile_file_prefix"}


class SessionOptions:
    """How a session loads and runs its model. Sessions read it once, when they are made."""

    __slots__ = ("_delegate", "_native", "_providers", "_read_context", "_values")

    def __init__(self):
        self._native = _native.SessionOptions()
        self._values = {}
        self._providers = []  # (name, options), as add_provider was called
        self._delegate = self._read_context = None

    def _copy(self):
        """Options of their own with what these hold."""
        copied = SessionOptions()
        copied._native = self._native.clone()
        copied._values, copied._providers = dict(self._values), list(self._providers)
        copied._delegate, copied._read_context = self._delegate, self._read_context
        return copied

    def _finish(self, providers):
        """A native copy with the attributes and providers set: what a session is made from."""
        native = self._native.clone()
        for name, value in self._values.items():
            if value != _ATTRIBUTES[name][1] and name not in _ACCEPTED_ONLY:
                native.set(name, value)
        if self.enable_profiling:
            native.set("profile_file_prefix", self.profile_file_prefix)
        for name, options in providers:
            if name != "CPUExecutionProvider":  # always there, last
                native.add_provider(name, options)
        return native

    def add_session_config_entry(self, key, value, /):
        """A setting of the session by its key; both are str. An unknown key is a warning when the session loads."""
        self._native.add_config(key, value)

    def get_session_config_entry(self, key, /):
        """What was set for the key; RuntimeError where nothing was."""
        value = self._native.config(key)
        if value is None:
            raise RuntimeError(f"SessionOptions does not have configuration with key: {key}")
        return value

    def add_free_dimension_override_by_name(self, name, value, /):
        """Fixes the symbol `name` of the inputs' shapes."""
        self._native.free_dimension_by_name(name, value)

    def add_free_dimension_override_by_denotation(self, denotation, value, /):
        """Fixes the dimensions of the inputs that the model gives this denotation."""
        self._native.free_dimension_by_denotation(denotation, value)

    def add_initializer(self, name, value, /):
        """Takes `value` for the initializer `name`; its memory is shared."""
        self._native.add_initializer(name, getattr(value, "_ortvalue", value))

    def add_external_initializers(self, names, values, /):
        """OrtValues for initializers whose data the model has in other files."""
        self._native.add_external_initializers(list(names), [getattr(v, "_ortvalue", v) for v in values])

    def add_external_initializers_from_files_in_memory(self, names, contents, lengths, /):
        """Buffers that stand for the model's files of those names; `lengths` bytes of each are used."""
        contents = [memoryview(content)[:length] for content, length in zip(contents, lengths, strict=True)]
        self._native.add_files_in_memory(list(names), contents)

    def add_provider(self, name, options, /):
        """A provider by name with its options, a dict of str; used where the session is given no `providers`."""
        self._providers.append((name, dict(options)))

    def add_provider_for_devices(self, devices, options, /):
        """The provider of some OrtEpDevices, which must be one provider's."""
        self._native.check_devices(list(devices), dict(options))
        self._providers.append((devices[0].ep_name, dict(options)))

    def has_providers(self):
        """Whether add_provider or add_provider_for_devices was called."""
        return bool(self._providers)

    def set_provider_selection_policy(self, policy, /):
        """What to prefer where no provider is named. Every policy takes the devices there are: see get_ep_devices()."""
        if not isinstance(policy, OrtExecutionProviderDevicePolicy):
            raise _wanted("the policy", policy, "an OrtExecutionProviderDevicePolicy")

    def set_provider_selection_policy_delegate(self, delegate, /):
        """delegate(devices, model metadata, runtime metadata, most) -> OrtEpDevices, called when a session without
        providers loads; they become its providers in that order."""
        if not callable(delegate):
            raise _wanted("the delegate", delegate, "a function")
        self._delegate = delegate

    def register_custom_ops_library(self, path, /):
        """A library with custom operators (it exports RegisterCustomOps). It stays open while sessions use it."""
        self._native.register_custom_ops_library(os.fspath(path))

    def set_load_cancellation_flag(self, cancel, /):
        """True stops loads that use these options, from any thread."""
        self._native.set_load_cancellation_flag(bool(cancel))

    def set_ep_context_data_read_func(self, read_func, max_data_size):
        """read_func(name, OrtEpContextDataBuffer) for the data of compiled nodes. No provider here asks for it."""
        if not callable(read_func):
            raise _wanted("read_func", read_func, "a function")
        self._read_context = (read_func, int(max_data_size))

    def clear_ep_context_data_read_func(self):
        """Forgets what set_ep_context_data_read_func was given."""
        self._read_context = None


def _attribute(name, default):
    def read(self):
        return self._values.get(name, default)

    def write(self, value):
        self._values[name] = _READ[name](name, value)

    return property(read, write)


for _name, (_kind, _default) in _ATTRIBUTES.items():
    setattr(SessionOptions, _name, _attribute(_name, _default))


class RunOptions:
    """How one run goes. `terminate` may be set from another thread and stops the runs that use these options."""

    __slots__ = ("_adapters", "_native")

    def __init__(self):
        self._native = _native.RunOptions()
        self._adapters = ()

    def add_active_adapter(self, adapter, /):
        """The runs take the adapter's parameters for inputs that the feed does not name."""
        if not isinstance(adapter, LoraAdapter):
            raise _wanted("the adapter", adapter, "a LoraAdapter")
        self._adapters += (adapter,)

    def _feed(self, feed):
        """The feed, with the parameters of the active adapters."""
        merged = {}
        for adapter in self._adapters:
            merged.update(adapter._parameters)
        merged.update(feed)
        return merged

    def add_run_config_entry(self, key, value, /):
        """A setting of the run by its key; both are str."""
        self._native.add_config(key, value)

    def get_run_config_entry(self, key, /):
        """What was set for the key; RuntimeError where nothing was."""
        value = self._native.config(key)
        if value is None:
            raise RuntimeError(f"RunOptions does not have configuration with key: {key}")
        return value

    def set_time_limit(self, seconds):
        """Runs that take longer stop with an error. 0: no limit."""
        self._native.set_time_limit(seconds)

    def set_priority(self, priority):
        """-1: runs give way to others of the process, a second at a time at most. 1: others give way. 0: neither."""
        self._native.set_priority(priority)


def _run_attribute(name):
    return property(lambda self: getattr(self._native, name), lambda self, value: setattr(self._native, name, value))


for _name in ("terminate", "log_severity_level", "log_verbosity_level", "logid", "only_execute_path_to_fetches"):
    setattr(RunOptions, _name, _run_attribute(_name))
