"""Explanations as Python data: the same as the command line tool's, from a path, bytes or a session."""

import json
import os
import subprocess

import numpy as np
import pytest
import sardonyx
from conftest import model_bytes, tensor
from onnx import helper, numpy_helper

TOOL = os.path.join(os.path.dirname(__file__), "..", "..", "build", "dev", "bin", "sardonyx")


@pytest.fixture
def affine():
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"], name="product"), helper.make_node("Add", ["p", "b"], ["y"], name="sum")]
    weights = [numpy_helper.from_array(np.ones((3, 4), np.float32), "w"), numpy_helper.from_array(np.ones(4, np.float32), "b")]
    return model_bytes(nodes, [tensor("x", shape=("n", 3))], [tensor("y", shape=("n", 4))], weights)


def stable(explained):
    """Without what takes time."""
    for one in explained["passes"]:
        one.pop("microseconds")
    return explained


def test_explain_says_what_was_rewritten(affine):
    explained = sardonyx.explain(affine)
    assert [(r["what"], r["origins"]) for r in explained["rewrites"]] == [("MatMul + Add", ["product", "sum"])]
    assert [step["op"] for step in explained["steps"]] == ["Gemm"] and explained["providers"] == ["CPUExecutionProvider"]


def test_explain_takes_paths_bytes_and_sessions(affine, tmp_path):
    path = tmp_path / "affine.onnx"
    path.write_bytes(affine)
    from_bytes = stable(sardonyx.explain(affine))
    assert stable(sardonyx.explain(path)) == from_bytes == stable(sardonyx.explain(str(path)))
    assert stable(sardonyx.explain(sardonyx.InferenceSession(affine)))["steps"] == from_bytes["steps"]


@pytest.mark.skipif(not os.path.exists(TOOL), reason=f"{TOOL} is not built")
def test_explain_is_what_the_tool_says(affine, tmp_path):
    path = tmp_path / "affine.onnx"
    path.write_bytes(affine)
    said = json.loads(subprocess.run([TOOL, "explain", path, "--json"], capture_output=True, text=True, check=True).stdout)
    assert stable(said)["rewrites"] == stable(sardonyx.explain(path))["rewrites"]


def test_explain_knows_the_options_and_leaves_them_alone(affine):
    options = sardonyx.SessionOptions()
    options.graph_optimization_level = sardonyx.GraphOptimizationLevel.ORT_DISABLE_ALL
    explained = sardonyx.explain(affine, options)
    assert explained["rewrites"] == [] and [step["op"] for step in explained["steps"]] == ["MatMul", "Add"]
    with pytest.raises(RuntimeError):
        options.get_session_config_entry("sardonyx.explain")


def test_explain_says_what_nearly_happened():
    nodes = [helper.make_node("Cast", ["x"], ["i"], to=6, name="first"), helper.make_node("Cast", ["i"], ["y"], to=9, name="second")]
    model = model_bytes(nodes, [tensor("x")], [tensor("y", 9)])
    declined = sardonyx.explain(model)["declined"]
    assert any(one["node"].startswith("second") and "may lose digits" in one["reason"] for one in declined)
    assert sardonyx.explain(sardonyx.InferenceSession(model))["declined"] == []


def test_explain_refuses_what_it_cannot_explain(affine):
    with pytest.raises(TypeError):
        sardonyx.explain(17)
    with pytest.raises(TypeError):
        sardonyx.explain(affine, {"level": 1})
    with pytest.raises(ValueError, match="as it was made"):
        sardonyx.explain(sardonyx.InferenceSession(affine), sardonyx.SessionOptions())


def test_passes_and_operators_are_lists():
    assert {"fold_constants", "eliminate_no_ops"} <= {one["pass"] for one in sardonyx.passes()}
    assert any(one["op"] == "Conv" and one["kind"] == "optimized" for one in sardonyx.operators())


def test_winograd_is_a_session_option():
    nodes = [helper.make_node("Conv", ["x", "w"], ["h"], pads=[1, 1, 1, 1]), helper.make_node("Conv", ["h", "w"], ["y"], pads=[1, 1, 1, 1])]
    weight = numpy_helper.from_array(np.random.default_rng(0).normal(size=(64, 64, 3, 3)).astype(np.float32), "w")
    shape = (1, 64, 56, 56)
    model = model_bytes(nodes, [tensor("x", shape=shape)], [tensor("y", shape=shape)], [weight])

    def explained(value):
        options = sardonyx.SessionOptions()
        options.add_session_config_entry("sardonyx.winograd", value)
        steps = [s for s in sardonyx.explain(model, options)["steps"] if s["op"] == "BlockedConv"]
        reasons = [r["reason"] for s in steps for r in s["refused"] if "winograd" in r["kernel"]]
        return [s["kernel"] for s in steps], reasons

    kernels, reasons = explained("off")
    assert len(kernels) == 2 and not any("winograd" in k for k in kernels)
    assert reasons == ["switched off (sardonyx.winograd)"] * 2
    assert "switched off (sardonyx.winograd)" not in explained("auto")[1]
    with pytest.raises(sardonyx.capi.onnxruntime_pybind11_state.InvalidArgument, match="it may be auto or off"):
        explained("sometimes")
