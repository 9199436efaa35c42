"""Every public name called in onnxruntime and in Sardonyx: equal answers, and equal classes of errors."""

import subprocess
import sys
import types

import numpy as np
import onnx
import onnxruntime
import pytest
import sardonyx
import beside_packages  # adds to CALLS
from beside import CALLS
from conftest import model_bytes, tensor
from onnx import TensorProto, helper

# Called elsewhere in this file: once called, they change how all later sessions are made.
ON_THEIR_OWN = {"set_global_thread_pool_sizes", "set_seed"}


def opset17(*args, **kwargs):
    model = onnx.load_from_string(model_bytes(*args, opset=17, **kwargs))
    model.ir_version = 9
    return model.SerializeToString()


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    t = types.SimpleNamespace(folder=str(tmp_path_factory.mktemp("beside")))
    t.add = opset17([helper.make_node("Add", ["a", "b"], ["sum"], name="the_sum")], [tensor("a"), tensor("b")], [tensor("sum")])
    t.wrong = opset17([helper.make_node("Relu", ["x"], ["y"])], [tensor("x")], [tensor("y", shape=(3,))])  # gives a warning
    weight = helper.make_tensor("w", TensorProto.FLOAT, (2,), [1, 2])
    node, pair = helper.make_node("Add", ["x", "w"], ["y"]), [tensor("x", shape=("n",)), tensor("w", shape=(2,))]
    t.overridable = opset17([node], pair, [tensor("y", shape=(2,))], [weight])
    t.weighted = opset17([node], pair[:1], [tensor("y", shape=(2,))], [weight])
    outside = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in (("location", "w.bin"), ("offset", "0"), ("length", "8")):
        outside.external_data.add(key=key, value=value)
    t.external = opset17([node], pair[:1], [tensor("y", shape=(2,))], [outside])
    described = onnx.load_from_string(t.add)
    described.producer_name, described.domain, described.model_version, described.doc_string = "maker", "com.example", 7, "words"
    described.graph.doc_string = "of the graph"
    helper.set_model_props(described, {"author": "someone"})
    t.described = described.SerializeToString()
    beside_packages.add_tools(t)
    return t


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_call_answers_as_onnxruntime(tools, name):
    theirs = CALLS[name](onnxruntime, tools)
    assert CALLS[name](sardonyx, tools) == theirs


def test_every_name_is_called():
    names = set()
    for name in dir(onnxruntime):
        kind = getattr(onnxruntime, name)
        if name.startswith("_") or name == "backend":  # imported by another test
            continue
        names.add(name)
        if isinstance(kind, type) and not hasattr(kind, "__members__"):
            names |= {f"{name}.{member}" for member in dir(kind) if not member.startswith("_")}
    assert names - set(CALLS) - ON_THEIR_OWN == set()


@pytest.mark.parametrize("package", ["onnxruntime", "sardonyx"])
def test_sessions_share_the_threads_asked_for(tools, tmp_path, package):
    path = tmp_path / "add.onnx"
    path.write_bytes(tools.add)
    code = f"""
import numpy as np, {package} as o
o.set_global_thread_pool_sizes(2, 1)
options = o.SessionOptions()
options.use_per_session_threads = False
x = np.ones(3, np.float32)
print(o.InferenceSession({str(path)!r}, options).run(None, {{"a": x, "b": x}})[0].tolist())
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[2.0, 2.0, 2.0]\n"


@pytest.mark.parametrize("package", ["onnxruntime", "sardonyx"])
def test_a_seed_repeats_what_is_drawn(tmp_path, package):
    node = helper.make_node("RandomNormal", [], ["y"], shape=[4])
    path = tmp_path / "random.onnx"
    path.write_bytes(opset17([node], [], [tensor("y", shape=(4,))]))
    code = f"""
import {package} as o
def draw():
    o.set_seed(3)
    return o.InferenceSession({str(path)!r}).run(None, {{}})[0].tolist()
first = draw()
print(first == draw(), len(set(first)))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True 4\n"


def test_arrays_are_shared_and_outlive_everything(tools):
    x = np.ones(1000, np.float32)
    value = sardonyx.OrtValue.ortvalue_from_numpy(x)
    out = np.asarray(value)
    del value
    out[0] = 7
    assert x[0] == 7
