"""What user errors raise: the classes and texts that onnxruntime's users catch (../shared/abi/python_errors.tsv)."""

import numpy as np
import onnx
import pytest
import sardonyx
from conftest import model_bytes, one_node, tensor
from onnx import TensorProto, helper
from sardonyx.capi import onnxruntime_pybind11_state as state


def load(model):
    return sardonyx.InferenceSession(model)


def load_file(path, content=None):
    if content is not None:
        path.write_bytes(content)
    return sardonyx.InferenceSession(str(path))


FLOATS = np.ones((2, 4), np.float32)


@pytest.mark.parametrize(("feed", "error", "text"), [
    ({}, ValueError, r"Required inputs \(\['x'\]\) are missing from input feed \(\[\]\)\."),
    ({"zz": FLOATS}, ValueError, r"Required inputs \(\['x'\]\) are missing from input feed \(\['zz'\]\)\."),
    ({"x": FLOATS, "zz": FLOATS}, state.InvalidArgument, r"^\[ONNXRuntimeError\] : 2 : INVALID_ARGUMENT : Invalid input name: zz"),
    ({"x": FLOATS[None]}, state.InvalidArgument, r"^\[ONNXRuntimeError\] : 2 : INVALID_ARGUMENT : .*x"),
    ({"x": np.ones((2, 5), np.float32)}, state.InvalidArgument, r"^\[ONNXRuntimeError\] : 2 : INVALID_ARGUMENT : (?s:.*)x"),
    ({"x": FLOATS.astype(np.float64)}, state.InvalidArgument,
     r"Unexpected input data type. Actual: \(tensor\(double\)\) , expected: \(tensor\(float\)\)"),
    ({"x": FLOATS.astype(np.int64)}, state.InvalidArgument, r"Actual: \(tensor\(int64\)\) , expected: \(tensor\(float\)\)"),
    ({"x": FLOATS.astype(object)}, state.InvalidArgument, r"Actual: \(tensor\(string\)\) , expected: \(tensor\(float\)\)"),
    ({"x": None}, state.Fail, r"^\[ONNXRuntimeError\] : 1 : FAIL : .*Missing Input: x"),
    ({"x": FLOATS.astype("M8[s]")}, RuntimeError, "datetime64"),
    ({"x": object()}, RuntimeError, "x.*object"),
    ({"x": {"a": 1}}, state.InvalidArgument, "x.*dict"),
], ids=["missing", "wrong_name", "extra", "rank", "dimension", "double", "int64", "object", "none", "datetime", "thing", "dict"])
def test_a_wrong_feed(relu_2d, feed, error, text):
    with pytest.raises(error, match=text):
        load(relu_2d).run(None, feed)


def test_an_unknown_output(relu_2d):
    with pytest.raises(state.InvalidArgument, match="nope"):
        load(relu_2d).run(["nope"], {"x": FLOATS})


def test_a_wrong_fixed_dimension():
    with pytest.raises(state.InvalidArgument):
        load(one_node("Relu", shape=[2, 4])).run(None, {"x": np.ones((3, 4), np.float32)})


def test_shapes_that_do_not_fit_are_a_failed_run():
    node = helper.make_node("MatMul", ["a", "b"], ["y"], name="mm")
    model = model_bytes([node], [tensor("a", shape=("i", "j")), tensor("b", shape=("k", "l"))], [tensor("y", shape=("i", "l"))])
    with pytest.raises(state.Fail, match="mm"):
        load(model).run(None, {"a": np.ones((2, 3), np.float32), "b": np.ones((4, 5), np.float32)})


def test_a_failed_node_is_named():
    node = helper.make_node("MatMul", ["a", "b"], ["y"], name="mm")
    model = model_bytes([node], [tensor("a", shape=("i", "j")), tensor("b", shape=("k", "l"))], [tensor("y", shape=("i", "l"))])
    with pytest.raises((state.Fail, state.InvalidArgument), match="mm.*3.*4"):
        load(model).run(None, {"a": np.ones((2, 3), np.float32), "b": np.ones((4, 5), np.float32)})


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(state.NoSuchFile, match=r"^\[ONNXRuntimeError\] : 3 : NO_SUCHFILE : .*/nonexistent/m.onnx"):
        sardonyx.InferenceSession("/nonexistent/m.onnx")
    with pytest.raises(state.InvalidProtobuf, match=r"^\[ONNXRuntimeError\] : 7 : INVALID_PROTOBUF : "):
        load_file(tmp_path / "bad.onnx", b"this is not a model")
    with pytest.raises(state.InvalidArgument):
        load_file(tmp_path / "empty.onnx", b"")
    with pytest.raises(state.InvalidProtobuf):
        sardonyx.InferenceSession(b"this is not a model")
    with pytest.raises(state.InvalidProtobuf):
        sardonyx.InferenceSession(str(tmp_path))
    with pytest.raises(TypeError, match="Unable to load from type '<class 'int'>'"):
        sardonyx.InferenceSession(3)


def changed(model, change):
    proto = onnx.load_from_string(model)
    change(proto)
    return proto.SerializeToString()


def set_opset(proto):
    proto.opset_import[0].version = 99


def set_ir(proto):
    proto.ir_version = 99


@pytest.mark.parametrize(("model", "error"), [
    (changed(one_node("Relu"), set_opset), state.Fail),
    (changed(one_node("Relu"), set_ir), state.Fail),
    (one_node("NoSuchOp"), state.InvalidGraph),
    pytest.param(one_node("Foo", domain="my.dom"), state.Fail),
    (one_node("Not"), state.InvalidGraph),
    (one_node("Cast"), state.InvalidGraph),
    (one_node("Relu", foo=3), state.InvalidGraph),
    (model_bytes([helper.make_node("Relu", ["x", "x"], ["y"])], [tensor("x")], [tensor("y")]), state.InvalidGraph),
    pytest.param(model_bytes([helper.make_node("Relu", ["q"], ["y"])], [tensor("x")], [tensor("y")]), state.InvalidArgument),
    pytest.param(one_node("Relu", output_type=TensorProto.BFLOAT16), state.Fail),
], ids=["opset_99", "ir_99", "unknown_op", "unknown_domain", "wrong_type", "no_attribute", "bad_attribute", "too_many_inputs",
        "undefined_input", "declared_type"])
def test_a_wrong_model(model, error):
    with pytest.raises(error, match=r"^\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : "):
        load(model)


@pytest.mark.parametrize("providers", [["NoSuchProvider"], ["NoSuchProvider", "CPUExecutionProvider"], [3], [("CPUExecutionProvider",)]])
def test_unknown_providers_are_warned_about(relu_2d, providers):
    with pytest.warns(UserWarning):
        session = sardonyx.InferenceSession(relu_2d, providers=providers)
    assert session.get_providers() == ["CPUExecutionProvider"]


def test_options_reject_what_they_cannot_hold():
    options = sardonyx.SessionOptions()
    with pytest.raises(TypeError):
        options.graph_optimization_level = 3
    with pytest.raises(TypeError):
        options.intra_op_num_threads = "many"
    with pytest.raises(AttributeError):
        options.no_such_option = 1
    with pytest.raises(RuntimeError, match="SessionOptions does not have configuration with key: no.key"):
        options.get_session_config_entry("no.key")
    with pytest.raises(state.Fail, match="/no/such.so"):
        options.register_custom_ops_library("/no/such.so")
    with pytest.raises(RuntimeError, match="RunOptions does not have configuration with key: no.key"):
        sardonyx.RunOptions().get_run_config_entry("no.key")


def test_arguments_of_another_type(relu_2d):
    with pytest.raises(TypeError):
        sardonyx.InferenceSession(relu_2d, 3)
    with pytest.raises(TypeError):
        sardonyx.InferenceSession(relu_2d, no_such_argument=1)
    with pytest.raises(TypeError):
        load(relu_2d).run(None, {"x": FLOATS}, 3)


def test_a_terminated_run(relu_2d):
    options = sardonyx.RunOptions()
    options.terminate = True
    with pytest.raises(state.Fail, match="Exiting due to terminate flag being set to true."):
        load(relu_2d).run(None, {"x": FLOATS}, options)
    options.terminate = False
    assert load(relu_2d).run(None, {"x": FLOATS}, options)[0].shape == (2, 4)


def test_every_status_code_has_a_class():
    names = ("Fail InvalidArgument NoSuchFile NoModel EngineError RuntimeException InvalidProtobuf ModelLoaded NotImplemented "
             "InvalidGraph EPFail ModelLoadCanceled ModelRequiresCompilation NotFound").split()
    for name in names:
        kind = getattr(state, name)
        assert issubclass(kind, Exception) and kind.__name__ == name
