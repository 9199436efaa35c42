"""A call of every public name, written once for onnxruntime and Sardonyx: CALLS[name](package, tools) gives what must be equal."""

import os

import numpy as np

CALLS = {}


def call(*names):
    def add(function):
        for name in names:
            CALLS[name] = function
        return function

    return add


def made(o, t):
    return o.InferenceSession(t.add)


def feed():
    return {"a": np.array([1, 2, 3], np.float32), "b": np.array([10, 20, 30], np.float32)}


def value(o, array=None):
    return o.OrtValue.ortvalue_from_numpy(np.array([1, 2, 3], np.float32) if array is None else array)


def refused(function, *args):
    """The class of the exception that a call raises."""
    try:
        function(*args)
    except Exception as error:
        return type(error).__name__
    return "no error"


def numbers(name, *more):
    call(name)(lambda o, t: [(m, int(getattr(o, name)(v)), getattr(o, name)(v).name) for m, v in sorted(
        (m, e.value) for m, e in getattr(o, name).__members__.items())])


for _name in ("ExecutionMode ExecutionOrder GraphOptimizationLevel ModelPackageWriteMode OrtAllocatorType OrtCompileApiFlags "
              "OrtDeviceMemoryType OrtDeviceVendorId OrtExecutionProviderDevicePolicy OrtHardwareDeviceType OrtMemType "
              "OrtMemoryInfoDeviceType OrtSparseFormat").split():
    numbers(_name)


# Sessions


@call("InferenceSession", "InferenceSession.run")
def _(o, t):
    session = o.InferenceSession(t.add, providers=["CPUExecutionProvider"], provider_options=[{}])
    return [x.tolist() for x in session.run(["sum"], feed())], session.run(None, feed(), o.RunOptions())[0].tolist()


@call("InferenceSession.run_async")
def _(o, t):
    import threading

    done, got = threading.Event(), []

    def callback(outputs, user_data, error):
        got.append(([x.tolist() for x in outputs], user_data, error))
        done.set()

    made(o, t).run_async(None, feed(), callback, "mine")
    assert done.wait(20)
    return got


@call("InferenceSession.run_with_ort_values")
def _(o, t):
    out = made(o, t).run_with_ort_values(["sum"], {"a": value(o), "b": value(o)})
    return [x.numpy().tolist() for x in out], made(o, t).run_with_ort_values(None, {"a": value(o), "b": value(o)})[0].data_type()


@call("InferenceSession.run_with_ortvaluevector")
def _(o, t):
    state = o.capi.onnxruntime_pybind11_state
    feeds, fetches = state.OrtValueVector(), state.OrtValueVector()
    for _ in range(2):
        feeds.push_back(value(o)._ortvalue)
    device = state.OrtDevice(state.OrtDevice.cpu(), state.OrtDevice.default_memory(), 0)
    made(o, t).run_with_ortvaluevector(o.RunOptions(), ["a", "b"], feeds, ["sum"], fetches, [device])
    return [x.numpy().tolist() for x in fetches], len(fetches), fetches.element_type_at(0)


def bound(o, t):
    session = made(o, t)
    binding = session.io_binding()
    binding.bind_cpu_input("a", feed()["a"])
    binding.bind_ortvalue_input("b", value(o))
    return session, binding


@call("InferenceSession.run_with_iobinding", "InferenceSession.io_binding", "IOBinding", "IOBinding.bind_cpu_input", "IOBinding.bind_output",
      "IOBinding.bind_ortvalue_input", "IOBinding.copy_outputs_to_cpu", "IOBinding.get_outputs", "IOBinding.get_outputs_as_ortvaluevector",
      "IOBinding.synchronize_inputs", "IOBinding.synchronize_outputs", "IOBinding.clear_binding_inputs", "IOBinding.clear_binding_outputs")
def _(o, t):
    session, binding = bound(o, t)
    binding.bind_output("sum")
    binding.synchronize_inputs()
    session.run_with_iobinding(binding)
    binding.synchronize_outputs()
    got = [binding.copy_outputs_to_cpu()[0].tolist(), binding.get_outputs()[0].numpy().tolist(), len(binding.get_outputs_as_ortvaluevector())]
    binding.clear_binding_outputs()
    got.append(refused(session.run_with_iobinding, binding))
    binding.bind_output("sum")
    binding.clear_binding_inputs()
    return got, refused(session.run_with_iobinding, binding) != "no error"


@call("IOBinding.bind_input", "IOBinding.bind_ortvalue_output")
def _(o, t):
    session, binding = bound(o, t)
    a, out = feed()["a"], np.zeros(3, np.float32)
    binding.bind_input("a", "cpu", 0, np.float32, [3], a.ctypes.data)
    binding.bind_output("sum", "cpu", 0, np.float32, [3], out.ctypes.data)
    session.run_with_iobinding(binding, o.RunOptions())
    target = o.OrtValue.ortvalue_from_shape_and_type([3], np.float32)
    binding.bind_ortvalue_output("sum", target)
    session.run_with_iobinding(binding)
    return out.tolist(), target.numpy().tolist(), refused(binding.bind_input, "zz", "cpu", 0, np.float32, [3], a.ctypes.data)


@call("SessionIOBinding", "SessionIOBinding.bind_input", "SessionIOBinding.bind_output", "SessionIOBinding.bind_ortvalue_input",
      "SessionIOBinding.bind_ortvalue_output", "SessionIOBinding.clear_binding_inputs", "SessionIOBinding.clear_binding_outputs",
      "SessionIOBinding.copy_outputs_to_cpu", "SessionIOBinding.get_outputs", "SessionIOBinding.synchronize_inputs",
      "SessionIOBinding.synchronize_outputs")
def _(o, t):
    session = made(o, t)
    binding = o.SessionIOBinding(session._sess)
    device = o.capi.onnxruntime_pybind11_state.OrtDevice(0, 0, 0)
    a, out = feed()["a"], np.zeros(3, np.float32)
    binding.bind_input("a", a)
    binding.bind_input("b", device, np.float32, [3], a.ctypes.data)
    binding.bind_output("sum", device)
    holder = session.io_binding()
    holder._iobinding = binding
    binding.synchronize_inputs()
    session.run_with_iobinding(holder)
    binding.synchronize_outputs()
    got = [binding.copy_outputs_to_cpu()[0].tolist(), binding.get_outputs()[0].numpy().tolist()]
    binding.clear_binding_outputs()
    binding.bind_output("sum", device, np.float32, [3], out.ctypes.data)
    binding.bind_ortvalue_input("b", value(o)._ortvalue)
    session.run_with_iobinding(holder)
    target = value(o)
    binding.bind_ortvalue_output("sum", target._ortvalue)
    session.run_with_iobinding(holder)
    binding.clear_binding_inputs()
    return got, out.tolist(), target.numpy().tolist()


@call("InferenceSession.get_inputs", "InferenceSession.get_outputs", "InferenceSession.get_overridable_initializers", "NodeArg",
      "NodeArg.name", "NodeArg.type", "NodeArg.shape")
def _(o, t):
    session = o.InferenceSession(t.overridable)
    args = (session.get_inputs(), session.get_outputs(), session.get_overridable_initializers())
    return [[(x.name, x.type, x.shape, str(x)) for x in group] for group in args], refused(o.NodeArg), refused(setattr, args[0][0], "name", "z")


@call("InferenceSession.get_modelmeta", "ModelMetadata", *(f"ModelMetadata.{name}" for name in (
    "custom_metadata_map description domain graph_description graph_name producer_name version").split()))
def _(o, t):
    meta = o.InferenceSession(t.described).get_modelmeta()
    names = [name for name in dir(meta) if not name.startswith("_")]
    values = [(name, getattr(meta, name)) for name in names]
    meta.version, meta.description, meta.custom_metadata_map = 5, "changed", {"k": "v"}
    return values, meta.version, meta.description, meta.custom_metadata_map, refused(o.ModelMetadata)


@call("InferenceSession.create_ortvalue_from_shape_and_type")
def _(o, t):
    made_value = made(o, t).create_ortvalue_from_shape_and_type([2, 3], np.int64, "cpu")
    return made_value.shape(), made_value.data_type(), made_value.device_name()


@call("InferenceSession.get_input_memory_infos", "InferenceSession.get_output_memory_infos", "OrtMemoryInfo.name", "OrtMemoryInfo.device_id",
      "OrtMemoryInfo.mem_type", "OrtMemoryInfo.device_mem_type", "OrtMemoryInfo.device_vendor_id", "OrtMemoryInfo.allocator_type")
def _(o, t):
    session = made(o, t)
    infos = [*session.get_input_memory_infos(), *session.get_output_memory_infos()]
    given = o.OrtMemoryInfo("Cpu", o.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, o.OrtMemType.DEFAULT)
    return [(i.name, i.device_id, str(i.mem_type), str(i.device_mem_type), i.device_vendor_id) for i in infos], str(given.allocator_type)


@call("InferenceSession.get_input_epdevices", "OrtEpDevice", "OrtEpDevice.ep_name", "OrtEpDevice.device", "OrtHardwareDevice",
      "OrtHardwareDevice.type", "get_ep_devices", "OrtHardwareDevice.device_id", "OrtHardwareDevice.vendor", "OrtHardwareDevice.vendor_id",
      "OrtHardwareDevice.metadata", "OrtEpDevice.ep_metadata", "OrtEpDevice.ep_options", "OrtEpDevice.ep_vendor")
def _(o, t):
    devices = [*made(o, t).get_input_epdevices(), *o.get_ep_devices()]
    first = devices[0]
    return ([(d.ep_name, str(d.device.type), d.device.device_id) for d in devices], type(first.ep_metadata), first.ep_options,
            first.device.vendor_id, type(first.device.vendor), type(first.device.metadata), type(first.ep_vendor), refused(o.OrtEpDevice),
            refused(o.OrtHardwareDevice))


@call("OrtEpDevice.create_sync_stream", "OrtSyncStream", "OrtSyncStream.get_handle")
def _(o, t):
    return refused(o.get_ep_devices()[0].create_sync_stream) != "no error", refused(o.OrtSyncStream), callable(o.OrtSyncStream.get_handle)


@call("OrtEpDevice.memory_info")
def _(o, t):
    return o.get_ep_devices()[0].memory_info(o.OrtDeviceMemoryType.HOST_ACCESSIBLE)


@call("InferenceSession.get_providers", "InferenceSession.get_provider_options", "InferenceSession.set_providers")
def _(o, t):
    session = made(o, t)
    before = session.get_providers()[-1], list(session.get_provider_options()["CPUExecutionProvider"])
    session.set_providers(["CPUExecutionProvider"], [{}])
    return before, session.get_providers(), session.run(None, feed())[0].tolist()


@call("InferenceSession.get_provider_graph_assignment_info", "OrtEpAssignedSubgraph", "OrtEpAssignedSubgraph.ep_name",
      "OrtEpAssignedSubgraph.get_nodes", "OrtEpAssignedNode", "OrtEpAssignedNode.name", "OrtEpAssignedNode.op_type", "OrtEpAssignedNode.domain")
def _(o, t):
    options = o.SessionOptions()
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    (graph,) = o.InferenceSession(t.add, options).get_provider_graph_assignment_info()
    return (graph.ep_name, [(n.name, n.op_type, n.domain) for n in graph.get_nodes()], refused(o.OrtEpAssignedSubgraph),
            refused(o.OrtEpAssignedNode), refused(made(o, t).get_provider_graph_assignment_info))


@call("InferenceSession.get_session_options")
def _(o, t):
    options = o.SessionOptions()
    options.intra_op_num_threads, options.logid = 1, "mine"
    got = o.InferenceSession(t.add, options).get_session_options()
    return type(got).__name__, got.intra_op_num_threads, got.logid


@call("InferenceSession.get_tuning_results", "InferenceSession.set_tuning_results", "InferenceSession.release_captured_graph",
      "InferenceSession.enable_fallback", "InferenceSession.disable_fallback", "InferenceSession.set_ep_dynamic_options")
def _(o, t):
    session = made(o, t)
    session.set_tuning_results([], error_on_invalid=False)
    session.release_captured_graph(0)
    session.disable_fallback()
    session.enable_fallback()
    session.set_ep_dynamic_options({"ep.dynamic.workload_type": "Efficient"})
    return session.get_tuning_results()


@call("InferenceSession.end_profiling", "InferenceSession.get_profiling_start_time_ns")
def _(o, t):
    options = o.SessionOptions()
    options.enable_profiling, options.profile_file_prefix = True, os.path.join(t.folder, "profile")
    session = o.InferenceSession(t.add, options)
    session.run(None, feed())
    name = session.end_profiling()
    return os.path.exists(name), os.path.basename(name).startswith("profile_"), type(session.get_profiling_start_time_ns())


# Options


@call("SessionOptions", "SessionOptions.add_session_config_entry", "SessionOptions.get_session_config_entry", "SessionOptions.add_provider",
      "SessionOptions.has_providers", "SessionOptions.set_load_cancellation_flag")
def _(o, t):
    options = o.SessionOptions()
    had = options.has_providers()
    options.add_session_config_entry("some.key", "some value")
    options.add_provider("CPUExecutionProvider", {})
    options.set_load_cancellation_flag(True)
    cancelled = refused(o.InferenceSession, t.add, options)
    options.set_load_cancellation_flag(False)
    return had, options.has_providers(), options.get_session_config_entry("some.key"), cancelled


@call(*(f"SessionOptions.{name}" for name in (
    "enable_cpu_mem_arena enable_mem_pattern enable_mem_reuse enable_profiling execution_mode execution_order graph_optimization_level "
    "inter_op_num_threads intra_op_num_threads log_severity_level log_verbosity_level logid optimized_model_filepath profile_file_prefix "
    "use_deterministic_compute use_per_session_threads").split()))
def _(o, t):
    options = o.SessionOptions()
    names = [name for name in dir(options) if not name.startswith("_") and not callable(getattr(options, name))]
    defaults = [(name, str(getattr(options, name))) for name in names]
    changed = {"enable_mem_pattern": False, "enable_cpu_mem_arena": False, "enable_mem_reuse": False, "inter_op_num_threads": 1,
               "intra_op_num_threads": 1, "log_severity_level": 4, "log_verbosity_level": 1, "logid": "id", "use_deterministic_compute": True,
               "execution_mode": o.ExecutionMode.ORT_PARALLEL, "execution_order": o.ExecutionOrder.PRIORITY_BASED,
               "graph_optimization_level": o.GraphOptimizationLevel.ORT_ENABLE_BASIC,
               "optimized_model_filepath": os.path.join(t.folder, "optimized.onnx"), "profile_file_prefix": "other"}
    for name, to in changed.items():
        setattr(options, name, to)
    kept = all(getattr(options, name) == to for name, to in changed.items())
    session = o.InferenceSession(t.add, options)
    options.optimized_model_filepath = ""
    return defaults, kept, session.run(None, feed())[0].tolist(), os.path.exists(changed["optimized_model_filepath"])


@call("SessionOptions.add_free_dimension_override_by_name", "SessionOptions.add_free_dimension_override_by_denotation")
def _(o, t):
    options = o.SessionOptions()
    options.add_free_dimension_override_by_name("n", 3)
    options.add_free_dimension_override_by_denotation("DATA_BATCH", 2)
    return [x.shape for x in o.InferenceSession(t.add, options).get_inputs()]


@call("SessionOptions.add_initializer")
def _(o, t):
    options, other = o.SessionOptions(), value(o, np.array([5, 6], np.float32))
    options.add_initializer("w", other)
    return o.InferenceSession(t.weighted, options).run(None, {"x": np.ones(2, np.float32)})[0].tolist()


@call("SessionOptions.add_external_initializers")
def _(o, t):
    options = o.SessionOptions()
    options.add_external_initializers(["w"], [value(o, np.array([7, 8], np.float32))])
    return o.InferenceSession(t.external, options).run(None, {"x": np.ones(2, np.float32)})[0].tolist()


@call("SessionOptions.add_external_initializers_from_files_in_memory")
def _(o, t):
    options, content = o.SessionOptions(), np.array([7, 9], np.float32).tobytes()
    options.add_external_initializers_from_files_in_memory(["w.bin"], [content], [len(content)])
    return o.InferenceSession(t.external, options).run(None, {"x": np.ones(2, np.float32)})[0].tolist()


@call("SessionOptions.add_provider_for_devices")
def _(o, t):
    options = o.SessionOptions()
    options.add_provider_for_devices([d for d in o.get_ep_devices() if d.ep_name == "CPUExecutionProvider"], {})
    session = o.InferenceSession(t.add, options)
    return options.has_providers(), session.get_providers(), refused(options.add_provider_for_devices, [], {})


@call("SessionOptions.set_provider_selection_policy", "SessionOptions.set_provider_selection_policy_delegate")
def _(o, t):
    options, seen = o.SessionOptions(), []
    options.set_provider_selection_policy(o.OrtExecutionProviderDevicePolicy.PREFER_CPU)
    first = o.InferenceSession(t.add, options).get_providers()
    options = o.SessionOptions()

    def choose(devices, model, runtime, most):
        seen.append(len(devices))
        return devices[:1]

    options.set_provider_selection_policy_delegate(choose)
    return first, o.InferenceSession(t.add, options).get_providers(), seen


@call("SessionOptions.set_ep_context_data_read_func", "SessionOptions.clear_ep_context_data_read_func", "OrtEpContextData",
      "OrtEpContextData.read", "OrtEpContextData.size", "OrtEpContextDataBuffer", *(f"OrtEpContextDataBuffer.{name}" for name in (
          "allocate is_allocated max_size size write").split()))
def _(o, t):
    options = o.SessionOptions()
    options.set_ep_context_data_read_func(lambda name, buffer: None, 1000)
    options.clear_ep_context_data_read_func()
    return refused(o.OrtEpContextData), refused(o.OrtEpContextDataBuffer), o.InferenceSession(t.add, options).get_providers()[-1]


@call("SessionOptions.register_custom_ops_library")
def _(o, t):
    return refused(o.SessionOptions().register_custom_ops_library, "/no/such.so")


@call("RunOptions", "RunOptions.add_run_config_entry", "RunOptions.get_run_config_entry", *(f"RunOptions.{name}" for name in (
    "log_severity_level log_verbosity_level logid only_execute_path_to_fetches terminate").split()))
def _(o, t):
    options = o.RunOptions()
    names = [name for name in dir(options) if not name.startswith("_") and not callable(getattr(options, name))]
    defaults = [(name, getattr(options, name)) for name in names]
    options.add_run_config_entry("some.key", "some value")
    options.log_severity_level, options.log_verbosity_level, options.logid, options.only_execute_path_to_fetches = 3, 1, "tag", True
    answer = made(o, t).run(None, feed(), options)[0].tolist()
    options.terminate = True
    return defaults, answer, options.get_run_config_entry("some.key"), options.logid, refused(made(o, t).run, None, feed(), options)


# Values


@call("OrtValue", "OrtValue.ortvalue_from_numpy", *(f"OrtValue.{name}" for name in (
    "data_type device_name element_type has_value is_sparse_tensor is_tensor is_tensor_sequence numpy shape tensor_size_in_bytes").split()))
def _(o, t):
    got = []
    for dtype in (np.float32, np.float64, np.float16, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, bool):
        v = value(o, np.ones((2, 3), dtype))
        got.append((v.data_type(), v.device_name(), v.element_type(), v.has_value(), v.is_sparse_tensor(), v.is_tensor(),
                    v.is_tensor_sequence(), v.numpy().tolist(), str(v.numpy().dtype), list(v.shape()), v.tensor_size_in_bytes()))
    return got, refused(o.OrtValue, 3), refused(o.OrtValue.ortvalue_from_numpy, np.ones(2, np.float32), "cuda", 0)


@call("OrtValue.data_ptr")
def _(o, t):
    x = np.ones(4, np.float32)
    v = value(o, x)
    return v.data_ptr() == x.ctypes.data


@call("OrtValue.from_dlpack")
def _(o, t):
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    v = o.OrtValue.from_dlpack(x)
    back = np.from_dlpack(value(o))
    return v.shape(), v.data_type(), v.data_ptr() == x.ctypes.data, value(o).__dlpack_device__(), back.tolist()


@call("OrtValue.ortvalue_from_numpy_with_onnx_type")
def _(o, t):
    make = o.OrtValue.ortvalue_from_numpy_with_onnx_type
    return (make(np.ones(2, np.uint16), 16).data_type(), make(np.ones(2, np.uint8), onnx_element_type=17).data_type(),
            make(np.ones(2, np.float32), 1).data_type(), refused(make, np.ones(2, np.float32), 16))


@call("OrtValue.ortvalue_from_shape_and_type")
def _(o, t):
    make = o.OrtValue.ortvalue_from_shape_and_type
    return make([2, 3], np.float32).shape(), make([1], 7).data_type(), make((2,), np.uint8, "cpu", 0).tensor_size_in_bytes(), refused(make, [1], 77)


@call("OrtValue.update_inplace")
def _(o, t):
    v = value(o)
    v.update_inplace(np.array([7, 8, 9], np.float32))
    return v.numpy().tolist(), refused(v.update_inplace, np.ones(2, np.float32)) != "no error"


@call("SparseTensor", "OrtValue.as_sparse_tensor", "OrtValue.ort_value_from_sparse_tensor", "SparseTensor.sparse_coo_from_numpy",
      *(f"SparseTensor.{name}" for name in "as_blocksparse_view as_coo_view data_type dense_shape device_name format to_cuda values".split()))
def _(o, t):
    device = o.OrtDevice.make("cpu", 0)
    make = o.SparseTensor.sparse_coo_from_numpy
    x = make(np.array([3, 3]), np.array([1, 2], np.float32), np.array([1, 5]), device)
    v = o.OrtValue.ort_value_from_sparse_tensor(x)
    back = v.as_sparse_tensor()
    return (x.values().tolist(), x.values().flags.writeable, x.as_coo_view().indices().tolist(), x.data_type(), x.dense_shape(), x.device_name(),
            str(x.format()), v.is_sparse_tensor(), v.is_tensor(), v.data_type(), list(v.shape()), v.element_type(), back.values().tolist(),
            refused(x.as_csrc_view), refused(x.as_blocksparse_view), refused(x.to_cuda, device), refused(v.numpy),
            refused(value(o).as_sparse_tensor), refused(o.SparseTensor, 3),
            refused(make, np.array([3, 3]), np.ones(2, np.float32), np.array([1, 5, 6]), device))


@call("SparseTensor.sparse_csr_from_numpy", "SparseTensor.as_csrc_view")
def _(o, t):
    x = o.SparseTensor.sparse_csr_from_numpy(np.array([3, 3]), np.array([1, 2], np.float32), np.array([1, 2]), np.array([0, 1, 2, 2]),
                                             o.OrtDevice.make("cpu", 0))
    return x.as_csrc_view().inner().tolist(), x.as_csrc_view().outer().tolist(), str(x.format()), refused(x.as_coo_view)


@call("copy_tensors")
def _(o, t):
    return refused(o.copy_tensors, [value(o)], []), refused(o.copy_tensors, [], [])


# Devices, memory


@call("OrtDevice", *(f"OrtDevice.{name}" for name in "device_id device_mem_type device_type device_vendor_id make".split()))
def _(o, t):
    devices = [o.OrtDevice.make(*args) for args in (("cpu", 0), ("cuda", 1), ("gpu", 0, 0x10DE), ("dml", 0), ("npu", 0))]
    return ([(d.device_id(), d.device_mem_type(), d.device_type(), d.device_vendor_id()) for d in devices], refused(o.OrtDevice.make, "foo", 0),
            refused(o.OrtDevice, "cpu"))


@call("OrtMemoryInfo", "OrtMemoryInfo.create_v2")
def _(o, t):
    info = o.OrtMemoryInfo.create_v2("mine", o.OrtMemoryInfoDeviceType.CPU, 0, 0, o.OrtDeviceMemoryType.DEFAULT, 0,
                                     o.OrtAllocatorType.ORT_DEVICE_ALLOCATOR)
    return info.name, info.device_id, str(info.allocator_type), refused(
        o.OrtMemoryInfo, "Foo", o.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, o.OrtMemType.DEFAULT) != "no error"


@call("OrtArenaCfg", "create_and_register_allocator", "create_and_register_allocator_v2", *(f"OrtArenaCfg.{name}" for name in (
    "arena_extend_strategy initial_chunk_size_bytes initial_growth_chunk_size_bytes max_dead_bytes_per_chunk max_mem "
    "max_power_of_two_extend_bytes").split()))
def _(o, t):
    arenas = [o.OrtArenaCfg(0, -1, -1, -1), o.OrtArenaCfg({"max_mem": 1 << 30, "arena_extend_strategy": 1})]
    info = o.OrtMemoryInfo("Cpu", o.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, o.OrtMemType.DEFAULT)
    o.create_and_register_allocator(info, arenas[0])
    o.create_and_register_allocator_v2("CPUExecutionProvider", info, {}, arenas[1])
    names = [name for name in dir(arenas[0]) if not name.startswith("_")]
    return [[(name, getattr(arena, name)) for name in names if name != "max_power_of_two_extend_bytes"] for arena in arenas], refused(
        o.OrtArenaCfg, {"no_such": 1})


@call("OrtExternalInitializerInfo", *(f"OrtExternalInitializerInfo.{name}" for name in "byte_size file_offset filepath".split()))
def _(o, t):
    info = o.OrtExternalInitializerInfo("file", 1, 2)
    return info.byte_size, info.file_offset, info.filepath


# Adapters, compiling, packages


@call("AdapterFormat", "LoraAdapter", "LoraAdapter.Load", "RunOptions.add_active_adapter", *(f"AdapterFormat.{name}" for name in (
    "export_adapter get_adapter_version get_format_version get_model_version get_parameters read_adapter set_adapter_version "
    "set_model_version set_parameters").split()))
def _(o, t):
    written = o.AdapterFormat()
    written.set_adapter_version(3)
    written.set_model_version(4)
    written.set_parameters({"w": value(o, np.array([5, 6], np.float32))})
    path = os.path.join(t.folder, o.__name__ + ".onnx_adapter")
    written.export_adapter(path)
    got = []
    for name in ("onnxruntime", "sardonyx"):  # both read what both wrote
        file = os.path.join(t.folder, name + ".onnx_adapter")
        if not os.path.exists(file):
            continue
        read = o.AdapterFormat.read_adapter(file)
        got = [read.get_adapter_version(), read.get_format_version(), read.get_model_version(),
               {k: (v.data_type(), v.numpy().tolist()) for k, v in read.get_parameters().items()}]
        adapter, options = o.LoraAdapter(), o.RunOptions()
        adapter.Load(file)
        options.add_active_adapter(adapter)
        got.append(o.InferenceSession(t.overridable).run(None, {"x": np.zeros(2, np.float32)}, options)[0].tolist())
    return got, refused(o.AdapterFormat.read_adapter, "/no/such"), refused(o.LoraAdapter().Load, "/no/such")


@call("ModelCompiler", *(f"ModelCompiler.{name}" for name in (
    "compile_to_bytes compile_to_file compile_to_stream set_ep_context_binary_information set_ep_context_data_write_func "
    "clear_ep_context_data_write_func").split()))
def _(o, t):
    compiler, parts = o.ModelCompiler(o.SessionOptions(), t.add), []
    compiler.set_ep_context_data_write_func(lambda name, data: None)
    compiler.clear_ep_context_data_write_func()
    compiler.set_ep_context_binary_information(t.folder + os.sep, "model.onnx")
    path = os.path.join(t.folder, "compiled.onnx")
    compiler.compile_to_file(path)
    compiler.compile_to_stream(parts.append)
    models = [compiler.compile_to_bytes(), b"".join(parts), path]
    return [o.InferenceSession(m).run(None, feed())[0].tolist() for m in models], refused(o.ModelCompiler, o.SessionOptions(), 3), refused(
        o.ModelCompiler(o.SessionOptions(), t.add, flags=o.OrtCompileApiFlags.ERROR_IF_NO_NODES_COMPILED).compile_to_bytes)


# Of the process


@call("get_all_providers", "get_device", "has_collective_ops", "package_name", "version", "cuda_version", "import_capi_exception", "capi",
      "get_available_providers", "get_version_string", "get_build_info", "contextlib", "onnxruntime_validation")
def _(o, t):
    return (o.get_all_providers(), o.get_device(), o.has_collective_ops(), o.package_name, o.version.rpartition(".")[0], o.cuda_version,
            o.import_capi_exception, o.get_available_providers()[-1], o.get_version_string().rpartition(".")[0], type(o.get_build_info()),
            o.onnxruntime_validation.get_package_name_and_version_info()[0], o.onnxruntime_validation.check_training_module()[0],
            o.onnxruntime_validation.check_distro_info(), o.contextlib.__name__)


@call("disable_telemetry_events", "enable_telemetry_events", "preload_dlls", "set_default_logger_verbosity")
def _(o, t):
    return o.disable_telemetry_events(), o.preload_dlls(cuda=False), o.set_default_logger_verbosity(0)


@call("print_debug_info")
def _(o, t):
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as text:
        o.print_debug_info()
    return "version" in text.getvalue() or "interface" in text.getvalue()


@call("set_default_logger_callback", "set_default_logger_severity")
def _(o, t):
    lines = []
    o.set_default_logger_callback(lambda *line: lines.append(line), 0)
    try:
        o.InferenceSession(t.wrong).run(None, {"x": np.ones(2, np.float32)})
    finally:
        o.set_default_logger_callback(None)
        o.set_default_logger_severity(4)
    return len(lines) > 0, [type(part) for part in lines[0]], refused(o.set_default_logger_severity, 9), refused(
        o.set_default_logger_callback, None, 9)


@call("register_execution_provider_library", "unregister_execution_provider_library")
def _(o, t):
    return refused(o.register_execution_provider_library, "x", "/no/such.so"), refused(o.unregister_execution_provider_library, "zz")
