"""OrtValue and IOBinding."""

import ml_dtypes
import numpy as np
import pytest
import sardonyx
from conftest import one_node
from onnx import TensorProto, helper
from sardonyx.capi import onnxruntime_pybind11_state as state


def test_a_value_shares_the_arrays_memory():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    value = sardonyx.OrtValue.ortvalue_from_numpy(x)
    assert value.data_ptr() == x.ctypes.data
    assert (value.shape(), value.data_type(), value.element_type()) == ([2, 3], "tensor(float)", TensorProto.FLOAT)
    assert value.is_tensor() and value.has_value() and not value.is_tensor_sequence() and not value.is_sparse_tensor()
    assert value.tensor_size_in_bytes() == 24 and value.device_name() == "cpu"
    back = value.numpy()
    x[0, 0] = 9
    assert back[0, 0] == 9


def test_an_array_outlives_its_value():
    value = sardonyx.OrtValue.ortvalue_from_shape_and_type([1000], np.float32)
    array = value.numpy()
    del value
    array[:] = 5
    assert array.sum() == 5000


def test_a_value_can_be_written():
    value = sardonyx.OrtValue.ortvalue_from_shape_and_type([2], "int64")
    value.update_inplace(np.array([3, 4]))
    assert value.numpy().tolist() == [3, 4]
    with pytest.raises(Exception, match="shape"):
        value.update_inplace(np.array([1, 2, 3]))


def test_bits_become_a_value_of_a_type_without_dtype():
    bits = np.array([1, 2], ml_dtypes.bfloat16).view(np.uint16)
    value = sardonyx.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, TensorProto.BFLOAT16)
    assert value.data_type() == "tensor(bfloat16)"
    assert value.numpy().astype(float).tolist() == [1, 2]


def test_values_go_in_and_out(add_model):
    session = sardonyx.InferenceSession(add_model)
    value = sardonyx.OrtValue.ortvalue_from_numpy(np.ones(3, np.float32))
    (total,) = session.run_with_ort_values(None, {"a": value, "b": value})
    assert total.numpy().tolist() == [2, 2, 2]
    assert session.run(None, {"a": total, "b": np.ones(3, np.float32)})[0].tolist() == [3, 3, 3]
    with pytest.raises(ValueError, match="Required inputs"):
        session.run_with_ort_values(None, {"a": value})


def test_a_tensor_of_another_library_is_read_through_dlpack():
    value = sardonyx.OrtValue.from_dlpack(np.ones(3, np.float32))
    assert np.from_dlpack(value).tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"])
def test_small_floats_pass_through_dlpack_by_address(name):
    array = np.array([1, 2, 4], getattr(ml_dtypes, name))
    value = sardonyx.OrtValue.ortvalue_from_numpy(array)
    other = sardonyx.OrtValue.from_dlpack(value)
    assert other.data_ptr() == value.data_ptr() == array.ctypes.data and other.data_type() == value.data_type()
    del value
    assert other.numpy().dtype == array.dtype and other.numpy().astype(float).tolist() == [1, 2, 4]


@pytest.mark.parametrize("name", ["int4", "uint4", "float4_e2m1fn", "int2", "uint2"])
def test_packed_elements_have_no_form_in_dlpack(name):
    value = sardonyx.OrtValue.ortvalue_from_numpy(np.array([1, 1, 0], getattr(ml_dtypes, name)))
    assert value.numpy().astype(float).tolist() == [1, 1, 0]
    with pytest.raises(RuntimeError, match="has no form in DLPack"):
        value.__dlpack__()


def test_a_tensor_with_gaps_is_copied_through_dlpack():
    array = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2]
    value = sardonyx.OrtValue.from_dlpack(array)
    assert value.numpy().tolist() == array.tolist()


def test_what_is_no_tensor_is_not_read_through_dlpack():
    with pytest.raises(RuntimeError, match="found list"):
        sardonyx.OrtValue.from_dlpack([1, 2])


def test_other_devices_are_refused():
    with pytest.raises(RuntimeError, match="Can't allocate memory on the cuda device"):
        sardonyx.OrtValue.ortvalue_from_numpy(np.ones(1), "cuda", 0)


def test_bound_inputs_and_outputs(add_model):
    session = sardonyx.InferenceSession(add_model)
    binding = session.io_binding()
    a, out = np.ones(3, np.float32), np.zeros(3, np.float32)
    binding.bind_cpu_input("a", a)
    binding.bind_input("b", "cpu", 0, np.float32, [3], a.ctypes.data)
    binding.bind_output("sum")
    session.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].tolist() == [2, 2, 2]
    binding.clear_binding_outputs()
    binding.bind_output("sum", "cpu", 0, np.float32, [3], out.ctypes.data)
    session.run_with_iobinding(binding)
    assert out.tolist() == [2, 2, 2]
    binding.clear_binding_outputs()
    target = sardonyx.OrtValue.ortvalue_from_shape_and_type([3], np.float32)
    binding.bind_ortvalue_output("sum", target)
    binding.bind_ortvalue_input("b", sardonyx.OrtValue.ortvalue_from_numpy(np.full(3, 5, np.float32)))
    session.run_with_iobinding(binding)
    assert target.numpy().tolist() == [6, 6, 6]
    assert binding.get_outputs()[0].data_ptr() == target.data_ptr()


def test_bindings_reject_unknown_names():
    session = sardonyx.InferenceSession(one_node("Relu"))
    binding = session.io_binding()
    with pytest.raises(RuntimeError, match="Failed to find NodeArg with name: qq in the def list"):
        binding.bind_cpu_input("qq", np.ones(1, np.float32))
    binding.bind_cpu_input("x", np.ones(1, np.float32))
    with pytest.raises(RuntimeError, match="Error in execution: At least one output should be requested."):
        session.run_with_iobinding(binding)
    binding.bind_output("nope")
    with pytest.raises(Exception, match="nope"):
        session.run_with_iobinding(binding)


def sequence_model(node, input_type, output_rank=None):
    nodes = [helper.make_node("Constant", [], ["zero"], value_int=0), node, helper.make_node("Add", ["picked", "picked"], ["y"])]
    graph = helper.make_graph(nodes, "test", [helper.make_value_info("x", input_type)], [helper.make_tensor_value_info("y", TensorProto.FLOAT, output_rank)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10).SerializeToString()


@pytest.mark.parametrize("shape", [(4,), (3,), (0,), (2, 3)])
def test_sizes_declared_inside_a_sequence_are_no_promise(shape):
    declared = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [4]))
    session = sardonyx.InferenceSession(sequence_model(helper.make_node("SequenceAt", ["x", "zero"], ["picked"]), declared))
    (y,) = session.run(None, {"x": [np.ones(shape, np.float32), np.ones(5, np.float32)]})
    np.testing.assert_array_equal(y, np.full(shape, 2, np.float32))


def test_sizes_declared_inside_an_optional_are_asked_of_callers():
    declared = helper.make_optional_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [4]))
    session = sardonyx.InferenceSession(sequence_model(helper.make_node("OptionalGetElement", ["x"], ["picked"]), declared))
    np.testing.assert_array_equal(session.run(None, {"x": np.ones(4, np.float32)})[0], np.full(4, 2, np.float32))
    with pytest.raises(state.InvalidArgument, match="Got invalid dimensions for input: x"):
        session.run(None, {"x": np.ones(3, np.float32)})
    with pytest.raises(state.InvalidArgument, match="Invalid rank for input: x"):
        session.run(None, {"x": np.ones((4, 1), np.float32)})


def test_an_optional_with_a_named_size_may_have_any():
    declared = helper.make_optional_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, ["n"]))
    node = helper.make_node("OptionalGetElement", ["x"], ["picked"])
    graph = helper.make_graph(
        [node, helper.make_node("Concat", ["picked", "other"], ["y"], axis=0)], "test",
        [helper.make_value_info("x", declared), helper.make_tensor_value_info("other", TensorProto.FLOAT, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    session = sardonyx.InferenceSession(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10).SerializeToString())
    for size in (3, 5):
        (y,) = session.run(None, {"x": np.ones(size, np.float32), "other": np.zeros(4, np.float32)})
        assert y.shape == (size + 4,)
