"""Profiles beside those of the pinned onnxruntime: the same names of events and arguments, the same values where they say the same thing."""

import json
import os
import re
import time

import numpy as np
import pytest
import sardonyx
from conftest import model_bytes, tensor
from onnx import TensorProto, helper, numpy_helper

onnxruntime = pytest.importorskip("onnxruntime", reason="profiles are compared with onnxruntime's: pip install onnxruntime")

SAME = ["op_name", "provider", "output_type_shape", "output_size", "activation_size", "thread_scheduling_stats"]
OURS = {"kernel", "origins", "fused_from", "duration_ns", "bytes", "operations"}


def profile(module, model, feeds, folder, runs=1, outputs=None):
    """The events of the runs. Nothing is optimized, so that both run the model's own nodes; one thread, as the pool's statistics are ours alone."""
    options = module.SessionOptions()
    options.graph_optimization_level = module.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_profiling = True
    options.profile_file_prefix = str(folder / module.__name__)
    session = module.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    for _ in range(runs):
        try:
            session.run(outputs, feeds)
        except Exception as error:  # a test's model may fail on purpose
            print(error)
    with open(session.end_profiling()) as file:
        return json.load(file)


def nodes(events):
    """The arguments of the nodes' events by the node's name, in the order of its runs."""
    found = {}
    for event in events:
        if event["cat"] == "Node":
            found.setdefault(event["name"], []).append(event["args"])
    return found


def both(model, feeds, folder, **options):
    return [profile(module, model, feeds, folder, **options) for module in (sardonyx, onnxruntime)]


@pytest.fixture
def control_flow():
    """Weights, an If, a Loop whose value grows, and a shape that the data decide."""
    some = helper.make_graph([helper.make_node("Mul", ["x", "two"], ["t"], name="double")], "some", [], [tensor("t", shape=("n", 4))])
    other = helper.make_graph([helper.make_node("Neg", ["x"], ["e"], name="negate")], "other", [], [tensor("e", shape=("n", 4))])
    body = helper.make_graph(
        [helper.make_node("And", ["go", "go"], ["go_next"], name="again"), helper.make_node("Concat", ["v", "v"], ["v_next"], axis=0, name="grow")],
        "body",
        [tensor("i", TensorProto.INT64, ()), tensor("go", TensorProto.BOOL, ()), tensor("v", shape=(None, 4))],
        [tensor("go_next", TensorProto.BOOL, ()), tensor("v_next", shape=(None, 4))],
    )
    graph_nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], name="product"),
        helper.make_node("Add", ["m", "b"], ["a"], name="bias"),
        helper.make_node("Relu", ["a"], ["r"], name="clip"),
        helper.make_node("If", ["c"], ["s"], then_branch=some, else_branch=other, name="choose"),
        helper.make_node("Loop", ["k", "", "r"], ["l"], body=body, name="repeat"),
        helper.make_node("NonZero", ["r"], ["z"], name="find"),
        helper.make_node("Cast", ["z"], ["f"], to=TensorProto.FLOAT, name="convert"),
    ]
    weights = [numpy_helper.from_array(np.ones((4, 4), np.float32), "w"), numpy_helper.from_array(np.ones(4, np.float32), "b"), numpy_helper.from_array(np.float32(2), "two")]
    inputs = [tensor("x", shape=("n", 4)), tensor("c", TensorProto.BOOL, ()), tensor("k", TensorProto.INT64, ())]
    outputs = [tensor("s", shape=("n", 4)), tensor("l", shape=("q", 4)), tensor("f", shape=(2, "z"))]
    return model_bytes(graph_nodes, inputs, outputs, weights, opset=21)


FEEDS = {"x": np.ones((3, 4), np.float32), "c": np.array(True), "k": np.array(3)}


def test_events_are_named_as_onnxruntimes(control_flow, tmp_path):
    ours, theirs = both(control_flow, FEEDS, tmp_path, runs=2)
    ours = [event for event in ours if event["cat"] != "Memory"]
    assert sorted((e["cat"], e["name"]) for e in ours) == sorted((e["cat"], e["name"]) for e in theirs)
    assert {"model_loading_array", "session_initialization", "model_run", "SequentialExecutor::Execute"} <= {e["name"] for e in ours}
    for mine, other in zip(sorted(ours, key=lambda e: e["name"]), sorted(theirs, key=lambda e: e["name"])):
        assert set(mine) == set(other)
        assert {key: type(value) for key, value in mine.items()} == {key: type(value) for key, value in other.items()}
        assert mine["ph"] == other["ph"] and mine["pid"] == other["pid"] and mine["tid"] == other["tid"]


def test_arguments_are_named_as_onnxruntimes(control_flow, tmp_path):
    ours, theirs = map(nodes, both(control_flow, FEEDS, tmp_path))
    for name, runs in theirs.items():
        assert len(ours[name]) == len(runs)
        for mine, other in zip(ours[name], runs):
            assert set(other) <= set(mine) and set(mine) - set(other) <= OURS, name
            assert {key: type(mine[key]) for key in other} == {key: type(value) for key, value in other.items()}, name


def test_arguments_have_onnxruntimes_values(control_flow, tmp_path):
    ours, theirs = map(nodes, both(control_flow, FEEDS, tmp_path, runs=2))
    for name, runs in theirs.items():
        for mine, other in zip(ours[name], runs):
            if name == "double_kernel_time":  # of a weight of the outer graph, onnxruntime does not know that it is one
                other["activation_size"] = mine["activation_size"]
            assert {key: mine[key] for key in SAME} == {key: other[key] for key in SAME}, name
            if name != "product_kernel_time":  # onnxruntime leaves out weights that a kernel packed
                assert mine["input_type_shape"] == other["input_type_shape"], name
    assert ours["bias_kernel_time"][0]["parameter_size"] == theirs["bias_kernel_time"][0]["parameter_size"] == "16"


@pytest.mark.parametrize("name", ["FLOAT", "DOUBLE", "FLOAT16", "BFLOAT16", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "BOOL", "STRING", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "INT4", "UINT4"])
def test_element_types_are_spelled_as_onnxruntimes(name, tmp_path):
    element_type = getattr(TensorProto, name)
    casts = [helper.make_node("Cast", ["x"], ["y"], to=element_type, name="there"), helper.make_node("Neg", ["x"], ["z"], name="same")]
    model = model_bytes(casts, [tensor("x")], [tensor("y", element_type), tensor("z")], opset=21)
    # Types that numpy lacks cannot be fetched from onnxruntime, but it runs the node.
    ours, theirs = map(nodes, both(model, {"x": np.ones(4, np.float32)}, tmp_path))
    assert ours["there_kernel_time"][0]["output_type_shape"] == theirs["there_kernel_time"][0]["output_type_shape"]


def test_optional_inputs_and_sequences_are_listed_as_onnxruntimes(tmp_path):
    graph_nodes = [
        helper.make_node("SequenceConstruct", ["x", "x"], ["s"], name="gather"),
        helper.make_node("SequenceAt", ["s", "i"], ["a"], name="pick"),
        helper.make_node("Clip", ["a", "", "most"], ["y"], name="clip"),
    ]
    model = model_bytes(graph_nodes, [tensor("x"), tensor("i", TensorProto.INT64, ()), tensor("most", shape=())], [tensor("y")], opset=21)
    ours, theirs = map(nodes, both(model, {"x": np.ones(4, np.float32), "i": np.array(1), "most": np.float32(3)}, tmp_path))
    for name in theirs:
        for key in ("input_type_shape", "output_type_shape"):
            assert ours[name][0][key] == theirs[name][0][key], name


def test_a_failing_run_leaves_the_events_that_onnxruntimes_does(tmp_path):
    graph_nodes = [helper.make_node("Neg", ["x"], ["n"], name="negate"), helper.make_node("Gather", ["n", "i"], ["y"], name="pick")]
    model = model_bytes(graph_nodes, [tensor("x"), tensor("i", TensorProto.INT64, ("k",))], [tensor("y", shape=("k",))], opset=21)
    ours, theirs = both(model, {"x": np.ones(4, np.float32), "i": np.array([9])}, tmp_path)
    assert [e["name"] for e in ours if e["ph"] == "X"] == [e["name"] for e in theirs]


def test_the_file_is_named_as_onnxruntimes(control_flow, tmp_path):
    both(control_flow, FEEDS, tmp_path)
    names = sorted(os.listdir(tmp_path))
    assert len(names) == 2
    assert len({re.sub(r"\d", "0", name.removeprefix("onnxruntime").removeprefix("sardonyx")) for name in names}) == 1


def test_onnxruntimes_own_tool_reads_the_profile(control_flow, tmp_path):
    processor = pytest.importorskip("onnxruntime.transformers.profile_result_processor")
    events = profile(sardonyx, control_flow, FEEDS, tmp_path, runs=3)
    table = "\n".join(processor.parse_node_results(events) + processor.group_node_results(events) + processor.parse_kernel_results(events))
    for name in ("product", "bias", "grow", "double", "MatMul", "Concat"):
        assert name in table
    assert "CPU" in table


def test_start_time_and_second_end(add_model, tmp_path):
    before = time.time_ns()
    options = sardonyx.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "p")
    session = sardonyx.InferenceSession(add_model, options)
    assert before <= session.get_profiling_start_time_ns() <= time.time_ns()
    assert os.path.exists(session.end_profiling())
    assert session.end_profiling() == ""
    assert sardonyx.InferenceSession(add_model).get_profiling_start_time_ns() == 0


def test_a_file_that_cannot_be_made_is_an_error(add_model, tmp_path):
    options = sardonyx.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "missing" / "p")
    options.log_severity_level = 4
    session = sardonyx.InferenceSession(add_model, options)
    x = np.ones(3, np.float32)
    assert session.run(None, {"a": x, "b": x})[0].tolist() == [2, 2, 2]
    with pytest.raises(Exception, match=r"missing/p_.*No such file or directory"):
        session.end_profiling()


def test_no_file_is_left_by_a_model_that_cannot_be_loaded(tmp_path):
    options = sardonyx.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "p")
    with pytest.raises(Exception):
        sardonyx.InferenceSession(b"no model", options)
    assert os.listdir(tmp_path) == []
