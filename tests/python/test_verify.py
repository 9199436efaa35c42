"""sardonyx verify: references in double precision, and what it says where types decide more than rounding does."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from conftest import model_bytes, tensor
from onnx import TensorProto, helper, numpy_helper

TOOL = os.environ.get("SARDONYX_CLI") or shutil.which("sardonyx") or os.path.join(os.path.dirname(__file__), "../../build/dev/bin/sardonyx")


def verify(folder, model, feed, *arguments):
    path, inputs = folder / "model.onnx", folder / "inputs.npz"
    path.write_bytes(model)
    np.savez(inputs, **feed)
    done = subprocess.run([TOOL, "verify", path, "-i", inputs, "--json", *arguments], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def weight(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def test_the_error_is_that_of_the_plan_and_not_of_the_reference(tmp_path):
    # A sum of many like numbers: the reference has it to the last digit of a double.
    model = model_bytes([helper.make_node("ReduceSum", ["x"], ["y"], keepdims=0)], [tensor("x")], [tensor("y", shape=())])
    x = np.full(100_000, 0.1, np.float32)
    code, report = verify(tmp_path, model, {"x": x})
    import sardonyx

    found = float(sardonyx.InferenceSession(model).run(None, {"x": x})[0])
    assert code == 0 and report["reference"] == "double"
    assert report["outputs"][0]["largest_absolute"] == pytest.approx(abs(found - x.astype(np.float64).sum()), abs=1e-9)


def test_what_the_types_of_the_model_lose_is_no_error(tmp_path):
    nodes = [helper.make_node("Add", ["x", "large"], ["a"]), helper.make_node("Sub", ["a", "large"], ["y"])]
    model = model_bytes(nodes, [tensor("x")], [tensor("y")], [weight("large", np.float32(1e9))])
    code, report = verify(tmp_path, model, {"x": np.array([1.25, 3], np.float32)}, "--bisect")
    assert code == 0 and report["outputs"][0]["agrees_with"] == "own types"
    assert report["outputs"][0]["largest_absolute"] == 3


def test_half_floats_subgraphs_and_loops_have_double_references(tmp_path):
    inner = lambda name, kind=TensorProto.FLOAT16, shape=("n",): tensor(name, kind, shape)  # noqa: E731
    body = helper.make_graph(
        [helper.make_node("Mul", ["v", "k"], ["scaled"]), helper.make_node("Add", ["scaled", "x"], ["vo"]), helper.make_node("Identity", ["c"], ["co"]),
         helper.make_node("Exp", ["scaled"], ["so"])],
        "body", [inner("i", TensorProto.INT64, ()), inner("c", TensorProto.BOOL, ()), inner("v")], [inner("co", TensorProto.BOOL, ()), inner("vo"), inner("so")],
    )  # fmt: skip
    nodes = [helper.make_node("Loop", ["m", "", "x"], ["last", "all"], body=body)]
    model = model_bytes(nodes, [inner("x"), tensor("m", TensorProto.INT64, ())], [inner("last"), inner("all", shape=("m", "n"))], [weight("k", np.float16(0.5))])
    code, report = verify(tmp_path, model, {"x": np.array([0.1, 0.7], np.float16), "m": np.array(4)}, "--rtol", "2e-3")
    assert code == 0 and report["reference"] == "double" and [one["equal"] for one in report["outputs"]] == [True, True]
    assert report["outputs"][1]["largest_absolute"] > 0


def test_what_has_no_double_form_is_compared_in_its_own_types(tmp_path):
    sequence = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
    nodes = [helper.make_node("SequenceConstruct", ["x"], ["s"]), helper.make_node("Optional", ["s"], ["o"])]
    optional = helper.make_value_info("o", helper.make_optional_type_proto(sequence.type))
    code, report = verify(tmp_path, model_bytes(nodes, [tensor("x")], [optional]), {"x": np.ones(2, np.float32)})
    assert code == 0 and report["status"] == "pass"


def test_equal_weights_that_are_shared_are_a_rewrite(tmp_path):
    nodes = [helper.make_node("Mul", ["x", "a"], ["p"], name="first"), helper.make_node("Mul", ["p", "b"], ["y"], name="second")]
    weights = [weight("a", np.array([2, 3], np.float32)), weight("b", np.array([2, 3], np.float32))]
    path = tmp_path / "shared.onnx"
    path.write_bytes(model_bytes(nodes, [tensor("x", shape=(2,))], [tensor("y", shape=(2,))], weights))
    explained = json.loads(subprocess.run([TOOL, "explain", path, "--json"], capture_output=True, text=True, check=True).stdout)
    assert ("share_equal_nodes", "weight b, the same as a", ["second"]) in [(r["pass"], r["what"], r["origins"]) for r in explained["rewrites"]]


