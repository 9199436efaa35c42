"""InferenceSession."""

import json
import os
import threading

from . import _native, _providers
from ._environment import chosen_seed, get_available_providers
from ._io_binding import IOBinding
from ._options import RunOptions, SessionOptions
from ._value import OrtValue


class NodeArg:
    """An input or output: its name, type ("tensor(float)") and shape (numbers, names, or None for what is unknown)."""

    __slots__ = ("_name", "_shape", "_type")

    def __init__(self, *args, **kwargs):
        raise TypeError("NodeArg: no constructor; InferenceSession.get_inputs and get_outputs make them")

    name = property(lambda self: self._name, doc="The name that feeds use.")
    type = property(lambda self: self._type, doc='For instance "tensor(float)" or "seq(map(int64,tensor(float)))".')
    shape = property(lambda self: list(self._shape), doc="A list: numbers, names of dimensions, or None.")

    def __str__(self):
        return f"NodeArg(name={self.name!r}, type={self.type!r}, shape={self.shape!r})"

    __repr__ = __str__


def _node_args(ports):
    args = []
    for name, kind, shape in ports:
        arg = NodeArg.__new__(NodeArg)
        arg._name, arg._type, arg._shape = name, kind, shape
        args.append(arg)
    return args


class ModelMetadata:
    """What a model says about its origin."""

    _NAMES = ("custom_metadata_map", "description", "domain", "graph_description", "graph_name", "producer_name", "version")
    __slots__ = _NAMES

    def __init__(self, *args, **kwargs):
        raise TypeError("ModelMetadata: no constructor; InferenceSession.get_modelmeta makes it")


class OrtEpAssignedNode:
    """A node that a provider runs."""

    __slots__ = ("_values",)

    def __init__(self, *args, **kwargs):
        raise TypeError("OrtEpAssignedNode: no constructor; OrtEpAssignedSubgraph.get_nodes makes them")

    name = property(lambda self: self._values[0], doc="The node's name.")
    op_type = property(lambda self: self._values[1], doc="Its operator.")
    domain = property(lambda self: self._values[2], doc='The operator\'s domain, "" for the standard\'s.')


class OrtEpAssignedSubgraph:
    """What one provider runs of a model."""

    __slots__ = ("_name", "_nodes")

    def __init__(self, *args, **kwargs):
        raise TypeError("OrtEpAssignedSubgraph: no constructor; InferenceSession.get_provider_graph_assignment_info makes them")

    ep_name = property(lambda self: self._name, doc="The provider's name.")

    def get_nodes(self):
        """A list of OrtEpAssignedNode."""
        return list(self._nodes)


def _made(kind, **values):
    """An object of a class whose constructor is not for users."""
    made = kind.__new__(kind)
    for name, value in values.items():
        setattr(made, name, value)
    return made


def _native_options(run_options):
    if not isinstance(run_options, RunOptions):
        raise TypeError(f"run_options is {type(run_options)}; a RunOptions is wanted")
    return run_options._native


class Session:
    """What sessions of every origin have; made as InferenceSession."""

    def __init__(self, enable_fallback: bool = True):
        self._sess = None
        self._enable_fallback = enable_fallback

    def run(self, output_names, input_feed, run_options=None):
        """Runs the model and returns its outputs: a list of arrays, or of lists and dicts where an output is a sequence or map.

        output_names: which outputs, in that order; None or empty: all.
        input_feed: a dict of inputs by name: arrays of the input's dtype and shape, OrtValues, lists, dicts.
        run_options: a RunOptions; `terminate` set from another thread stops the run.

        Raises ValueError where an input is missing, InvalidArgument where one has another name, type or shape than the model
        says, Fail where the run itself fails or was stopped; KeyboardInterrupt on Ctrl-C. Arrays are read in place; no other
        thread may write them meanwhile. Other Python threads run on.
        """
        if run_options is not None:
            return self._run_with_options(output_names, input_feed, run_options)
        return self._sess.run(output_names, input_feed, None)

    def _run_with_options(self, output_names, input_feed, run_options):
        native = _native_options(run_options)
        if run_options._adapters:
            input_feed = run_options._feed(input_feed)
        return self._sess.run(output_names, input_feed, native)

    def run_async(self, output_names, input_feed, callback, user_data, run_options=None):
        """Starts a run and returns at once. callback(outputs, user_data, error) is called when it ends, on another thread:
        `outputs` is what run returns and `error` is empty, or `outputs` is empty and `error` a text. The rest as in run.
        """

        def work():
            outputs, error = [], ""
            try:
                outputs = self.run(output_names, input_feed, run_options)
            except Exception as exception:  # whatever it is belongs to the callback
                error = str(exception) or type(exception).__name__
            callback(outputs, user_data, error)

        threading.Thread(target=work, name="sardonyx.run_async").start()

    def run_with_ort_values(self, output_names, input_dict_ort_values, run_options=None):
        """The same over OrtValues: a dict of them in, a list of them out."""
        feed = {name: value._ortvalue for name, value in input_dict_ort_values.items()}
        native = None
        if run_options is not None:
            native, feed = _native_options(run_options), run_options._feed(feed)
        names = list(output_names or (arg.name for arg in self._outputs))
        return [OrtValue(value) for value in self._sess.run_values(feed, names, [None] * len(names), native)]

    def run_with_ortvaluevector(self, run_options, feed_names, feeds, fetch_names, fetches, fetch_devices):
        """Over values of the C interface: `fetches`, an OrtValueVector, gets the outputs that it does not hold already."""
        targets = [*fetches, *[None] * (len(fetch_names) - len(fetches))]
        native = None if run_options is None else _native_options(run_options)
        made = self._sess.run_values(dict(zip(feed_names, feeds, strict=True)), list(fetch_names), targets, native)
        fetches[:] = made

    def io_binding(self):
        """An IOBinding for this session."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding, run_options=None):
        """Runs with the inputs and outputs that were bound; the binding then has the outputs."""
        binding = iobinding._iobinding
        if not binding._outputs:
            raise RuntimeError("Error in execution: At least one output should be requested.")
        feed, native = binding._inputs, None
        if run_options is not None:
            native, feed = _native_options(run_options), run_options._feed(feed)
        names, values = list(binding._outputs), list(binding._outputs.values())
        binding._results = self._sess.run_values(feed, names, values, native)

    def create_ortvalue_from_shape_and_type(self, shape, element_type, device_type, device_id=0, vendor_id=-1) -> "OrtValue":
        """An OrtValue of zeros in memory that the session uses."""
        return OrtValue.ortvalue_from_shape_and_type(shape, element_type, device_type, device_id, vendor_id)

    def get_inputs(self):
        """A list of NodeArg: what every run must be given."""
        return list(self._inputs)

    def get_outputs(self):
        """A list of NodeArg: what runs make."""
        return list(self._outputs)

    def get_overridable_initializers(self):
        """A list of NodeArg: initializers that are also inputs, fed or not as the caller likes."""
        return list(self._overridable)

    def get_modelmeta(self):
        """The model's ModelMetadata."""
        return _made(ModelMetadata, **self._sess.metadata())

    def get_input_memory_infos(self):
        """An OrtMemoryInfo for each input."""
        return self._sess.memory_infos(True)

    def get_output_memory_infos(self):
        """An OrtMemoryInfo for each output."""
        return self._sess.memory_infos(False)

    def get_input_epdevices(self):
        """The OrtEpDevice that takes each input."""
        return self._sess.input_devices()

    def get_providers(self):
        """The names of the providers, in order of priority."""
        return [name for name, _ in self._chosen]

    def get_provider_options(self):
        """The options of each provider, a dict of dicts of str."""
        return {name: dict(options) for name, options in self._chosen}

    def get_provider_graph_assignment_info(self):
        """Which nodes each provider runs: a list of OrtEpAssignedSubgraph.

        Needs the session's entry "session.record_ep_graph_assignment_info" = "1".
        """
        if self._sess_options._native.config("session.record_ep_graph_assignment_info") != "1":
            _native.fail(1, "Session configuration entry 'session.record_ep_graph_assignment_info' must be set to \"1\" to retrieve EP "
                            "graph assignment information.")
        nodes = {}
        for step in json.loads(self._sess.explain())["steps"]:
            provider = step.get("provider") or "CPUExecutionProvider"
            name = (step.get("origins") or [step["node"]])[0]
            values = (name, step["op"], "" if step["domain"] == "ai.onnx" else step["domain"])
            nodes.setdefault(provider, []).append(_made(OrtEpAssignedNode, _values=values))
        return [_made(OrtEpAssignedSubgraph, _name=name, _nodes=made) for name, made in nodes.items()]

    def get_session_options(self):
        """A copy of the options that the session was made with."""
        return self._sess_options._copy()

    def set_providers(self, providers=None, provider_options=None) -> None:
        """Loads the model again for other providers."""
        self._load(providers, provider_options)

    def _load(self, providers, provider_options):
        raise NotImplementedError("a session is made as an InferenceSession")

    def set_ep_dynamic_options(self, options):
        """Settings that providers take while the session lives, a dict of str."""
        self._sess.set_dynamic_options({str(key): str(value) for key, value in options.items()})

    def get_tuning_results(self):
        """Empty: kernels are chosen without tuning."""
        return []

    def set_tuning_results(self, results, *, error_on_invalid=False):
        """Does nothing: kernels are chosen without tuning."""

    def release_captured_graph(self, graph_annotation_id=0) -> None:
        """Does nothing: the CPU captures no graphs."""

    def enable_fallback(self):
        """Does nothing: what a provider cannot run goes to the CPU in any case."""
        self._enable_fallback = True

    def disable_fallback(self):
        """Does nothing, like enable_fallback."""
        self._enable_fallback = False

    def end_profiling(self):
        """Ends the profile and returns its file's name; empty where profiling was not enabled."""
        return self._sess.end_profiling()

    def get_profiling_start_time_ns(self):
        """When the profile began, by the clock of its events."""
        return self._sess.profiling_start_ns()


class InferenceSession(Session):
    """A model, ready to run; any number of threads may run it at once."""

    def __init__(self, path_or_bytes, sess_options=None, providers=None, provider_options=None, **kwargs) -> None:
        """Loads a model.

        path_or_bytes: a file's path, or the bytes of a model.
        sess_options: a SessionOptions, read now.
        providers: names, or (name, options) pairs, in order of priority; what is not available is warned about and left out.
        provider_options: a dict of options for each provider, where `providers` has names only.
        disabled_optimizers: names of rewrites to leave out.

        Raises NoSuchFile, InvalidProtobuf, InvalidGraph, InvalidArgument, NotImplemented or Fail, in the model's own names.
        """
        super().__init__()
        if isinstance(path_or_bytes, (str, os.PathLike)):
            self._model = os.fspath(path_or_bytes)
        elif isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
            self._model = path_or_bytes
        else:
            raise TypeError(f"Unable to load from type '{type(path_or_bytes)}'")
        if sess_options is not None and not isinstance(sess_options, SessionOptions):
            raise TypeError(f"sess_options is {type(sess_options)}; a SessionOptions is wanted")
        self._sess_options = sess_options or SessionOptions()
        disabled = kwargs.pop("disabled_optimizers", None)
        self._disabled_optimizers = sorted(disabled or ())
        self._enable_fallback = bool(kwargs.pop("enable_fallback", True))
        for key in kwargs:
            if key not in ("read_config_from_model",):
                raise TypeError(f"InferenceSession has no argument {key!r}")
        self._load(providers, provider_options)

    def _load(self, providers, provider_options):
        options = self._sess_options
        if not providers and options._delegate is not None and not options.has_providers():
            devices = _native.get_ep_devices()
            providers = [device.ep_name for device in options._delegate(devices, {}, {}, len(devices))]
        if options.has_providers() and not providers:
            providers, provider_options = zip(*options._providers, strict=True)
        chosen = _providers.chosen(providers, provider_options, get_available_providers())
        native_options = options._finish(chosen)
        if chosen_seed() is not None and not native_options.config("sardonyx.seed"):
            native_options.add_config("sardonyx.seed", str(chosen_seed()))
        if self._disabled_optimizers:
            native_options.add_config("optimization.disable_specified_optimizers", ";".join(self._disabled_optimizers))
        load = _native.InferenceSession.load_path if isinstance(self._model, str) else _native.InferenceSession.load_bytes
        self._sess = load(self._model, native_options)
        self._chosen = chosen
        self._inputs = _node_args(self._sess.inputs())
        self._outputs = _node_args(self._sess.outputs())
        self._overridable = _node_args(self._sess.overridable())

    def explain(self):
        """Why the session runs as it does, a dict: passes, rewrites, what was declined, the kernel of each step."""
        return json.loads(self._sess.explain())

    def plan_memory(self, **numbers):
        """What a run needs in memory, a dict; `numbers` are the model's symbols."""
        return json.loads(self._sess.plan_memory(numbers))

    def replace_weights(self, weights):
        """Runs that begin afterwards use these arrays or OrtValues, a dict by the initializers' names."""
        self._sess.replace_weights({name: getattr(value, "_ortvalue", value) for name, value in weights.items()})

    def dump_graph(self):
        """The graph as it runs, as text."""
        return self._sess.dump_graph()

