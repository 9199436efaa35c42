"""Fifty mistakes of users, made in onnxruntime and in Sardonyx: the same class of exception, and a text that names as much."""

import csv
import os
import pathlib
import re
import types
import warnings

import numpy as np
import onnx
import onnxruntime
import pytest
import sardonyx
from conftest import one_node, tensor
from onnx import TensorProto, helper

FLOATS = np.ones((2, 4), np.float32)
CASES = {}


def case(name, *words):
    """The function makes the mistake with a package. `words`: what Sardonyx's text must say, in any order."""

    def add(function):
        CASES[name] = (function, words)
        return function

    return add


def model(nodes, inputs, outputs, initializers=(), opset=17, ir=9, **fields):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in sorted({n.domain for n in nodes} - {""}))]
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir, **fields).SerializeToString()


def one(op, *, inputs=("x",), name="n1", output_type=TensorProto.FLOAT, opset=17, ir=9, domain="", **attributes):
    node = helper.make_node(op, list(inputs), ["y"], name=name, domain=domain, **attributes)
    return model([node], [tensor("x", shape=("n", 4))], [tensor("y", output_type, ("n", 4))], opset=opset, ir=ir)


RELU = one("Relu", name="r")
FIXED = model([helper.make_node("Relu", ["x"], ["y"])], [tensor("x", shape=(2, 4))], [tensor("y", shape=(2, 4))])


def run(feed, given=RELU, outputs=None):
    return lambda o, t: o.InferenceSession(given).run(outputs, feed)


def load(given):
    return lambda o, t: o.InferenceSession(given)


case("missing input", "Required inputs (['x']) are missing from input feed ([]).")(run({}))
case("extra/unknown input name", "Invalid input name: zz")(run({"x": FLOATS, "zz": FLOATS}))
case("wrong input name only", "Required inputs (['x']) are missing from input feed (['zz']).")(run({"zz": FLOATS}))
case("wrong rank", "Invalid rank for input: x Got: 3 Expected: 2")(run({"x": FLOATS[None]}))
case("wrong dim", "Got invalid dimensions for input: x", "index: 1 Got: 5 Expected: 4")(run({"x": np.ones((2, 5), np.float32)}))
case("wrong fixed batch dim", "Got invalid dimensions for input: x", "index: 0 Got: 3 Expected: 2")(
    run({"x": np.ones((3, 4), np.float32)}, FIXED))
case("wrong dtype", "Actual: (tensor(double)) , expected: (tensor(float))")(run({"x": FLOATS.astype(np.float64)}))
case("wrong dtype int", "Actual: (tensor(int64)) , expected: (tensor(float))")(run({"x": FLOATS.astype(np.int64)}))
case("list input not array")(run({"x": [[1, 2, 3, 4]]}))
case("None feed", "Missing Input: x")(run({"x": None}))
case("object array for float", "Actual: (tensor(string)) , expected: (tensor(float))")(run({"x": FLOATS.astype(object)}))
case("unknown output name", "Invalid output name", "nope")(run({"x": FLOATS}, outputs=["nope"]))
case("runtime shape mismatch in MatMul", "mm", "MatMul", "3", "4")(run(
    {"a": np.ones((2, 3), np.float32), "b": np.ones((4, 5), np.float32)},
    model([helper.make_node("MatMul", ["a", "b"], ["y"], name="mm")], [tensor("a", shape=("i", "j")), tensor("b", shape=("k", "l"))],
          [tensor("y", shape=("i", "l"))])))
case("no such file", "/nonexistent/m.onnx")(load("/nonexistent/m.onnx"))
case("bad bytes", "INVALID_PROTOBUF")(load(b"this is no model"))
case("unsupported opset 99", "99")(load(one("Relu", opset=99)))
case("unsupported ir version", "IR version", "99")(load(one("Relu", ir=99)))
case("unknown op in onnx domain", "NoSuchOp", "n1")(load(one("NoSuchOp")))
case("unknown custom domain op", "my.dom", "Foo", "n1")(load(one("Foo", domain="my.dom")))
case("op known, no kernel for type", "y", "f32", "bf16", "r (Relu)")(load(one("Relu", name="r", output_type=TensorProto.BFLOAT16)))
case("type check failure", "And", "tensor(float)", "\"x\"", "n1")(load(one("And", inputs=("x", "x"), output_type=TensorProto.BOOL)))
case("cyclic/undefined input", "q")(load(one("Relu", inputs=("q",))))
case("missing required attribute", "Cast", "to", "n1")(load(one("Cast")))
case("bad attribute", "foo", "Relu", "n1")(load(one("Relu", foo=3)))
case("too many inputs", "Relu", "2", "1", "n1")(load(one("Relu", inputs=("x", "x"))))
case("bad path type", "Unable to load from type '<class 'int'>'")(load(3))


@case("bad file bytes", "bad.onnx")
def _(o, t):
    (t.folder / "bad.onnx").write_bytes(b"this is no model")
    o.InferenceSession(str(t.folder / "bad.onnx"))


@case("empty file", "empty.onnx")
def _(o, t):
    (t.folder / "empty.onnx").write_bytes(b"")
    o.InferenceSession(str(t.folder / "empty.onnx"))


@case("directory path", "DIRECTORY")
def _(o, t):
    o.InferenceSession(str(t.folder))


@case("provider unknown")
def _(o, t):
    assert o.InferenceSession(RELU, providers=["NoSuchProvider"]).get_providers()[-1] == "CPUExecutionProvider"


@case("provider known but not built in")
def _(o, t):
    assert o.InferenceSession(RELU, providers=["CUDAExecutionProvider"]).get_providers()[-1] == "CPUExecutionProvider"


@case("providers and options length")
def _(o, t):
    o.InferenceSession(RELU, providers=["CPUExecutionProvider"], provider_options=[{}, {}])


@case("bad enum", "GraphOptimizationLevel", "3")
def _(o, t):
    o.SessionOptions().graph_optimization_level = 3


@case("bad session config entry", "SessionOptions does not have configuration with key: no.key")
def _(o, t):
    o.SessionOptions().get_session_config_entry("no.key")


@case("custom op lib missing", "/no/such.so", "cannot open shared object file")
def _(o, t):
    o.SessionOptions().register_custom_ops_library("/no/such.so")


@case("custom op lib without symbol", "libm.so.6", "undefined symbol: RegisterCustomOps")
def _(o, t):
    o.SessionOptions().register_custom_ops_library("/lib/x86_64-linux-gnu/libm.so.6")


@case("ep library missing", "/no/such.so", "cannot open shared object file")
def _(o, t):
    o.register_execution_provider_library("x", "/no/such.so")


@case("ep library without symbol", "capi/libm.so.6", "cannot open shared object file")
def _(o, t):
    o.register_execution_provider_library("x", "libm.so.6")


@case("ep library unregister unknown", "Execution provider library: zz was not registered.")
def _(o, t):
    o.unregister_execution_provider_library("zz")


@case("add_provider_for_devices empty", "Must provide one or more OrtEpDevice instances.")
def _(o, t):
    o.SessionOptions().add_provider_for_devices([], {})


@case("ortvalue from bad dtype", "complex64|datetime")
def _(o, t):
    o.OrtValue.ortvalue_from_shape_and_type([2], np.datetime64)


@case("ortvalue on cuda device not built", "Can't allocate memory on the", "cuda")
def _(o, t):
    o.OrtValue.ortvalue_from_numpy(FLOATS, "cuda", 0)


@case("bind unknown input", "Failed to find NodeArg with name: qq in the def list")
def _(o, t):
    o.InferenceSession(RELU).io_binding().bind_cpu_input("qq", FLOATS)


@case("bind unknown output")
def _(o, t):
    o.InferenceSession(RELU).io_binding().bind_output("qq")


@case("run with unbound iobinding", "Error in execution: At least one output should be requested.")
def _(o, t):
    session = o.InferenceSession(RELU)
    binding = session.io_binding()
    binding.bind_cpu_input("x", FLOATS)
    session.run_with_iobinding(binding)


@case("end profiling without enable")
def _(o, t):
    assert o.InferenceSession(RELU).end_profiling() == ""


@case("terminated run", "Exiting due to terminate flag being set to true.")
def _(o, t):
    options = o.RunOptions()
    options.terminate = True
    o.InferenceSession(RELU).run(None, {"x": FLOATS}, options)


@case("optimized path unwritable", "/no/such/folder/o.onnx")
def _(o, t):
    options = o.SessionOptions()
    options.optimized_model_filepath = "/no/such/folder/o.onnx"
    o.InferenceSession(RELU, options)


@case("external data missing", "w", "w.bin")
def _(o, t):
    outside = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[4], data_location=TensorProto.EXTERNAL)
    outside.external_data.add(key="location", value="w.bin")
    node = helper.make_node("Add", ["x", "w"], ["y"])
    o.InferenceSession(model([node], [tensor("x", shape=("n", 4))], [tensor("y", shape=("n", 4))], [outside]))


@case("ort format bad", "ORT", "bad.ort")
def _(o, t):
    (t.folder / "bad.ort").write_bytes(b"\x20\0\0\0ORTMthis is no model at all, only its mark")
    o.InferenceSession(str(t.folder / "bad.ort"))


def error_of(function, package, tools):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(package, tools)
        except Exception as error:
            return error
    return None


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_mistake_raises_as_in_onnxruntime(name, tmp_path):
    function, words = CASES[name]
    tools = types.SimpleNamespace(folder=tmp_path)
    theirs, ours = error_of(function, onnxruntime, tools), error_of(function, sardonyx, tools)
    assert type(ours).__name__ == type(theirs).__name__, f"{ours!r} where onnxruntime raises {theirs!r}"
    if ours is None:
        return
    assert type(theirs).__module__.rpartition(".")[2] == type(ours).__module__.rpartition(".")[2]
    text = str(ours)
    head = re.match(r"\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ", str(theirs))
    assert head is None or text.startswith(head[0])
    for word in words:
        word = word.replace("DIRECTORY", str(tmp_path))
        assert any(part in text for part in word.split("|")), f"{word!r} is not in {text!r}"


def test_every_mistake_of_the_list_is_made():
    shared = os.environ.get("SARDONYX_SHARED") or pathlib.Path(__file__).parents[2].parent / "shared"
    path = pathlib.Path(shared) / "abi" / "python_errors.tsv"
    if not path.exists():
        pytest.skip(f"{path} is missing: the list of mistakes is not compared")
    with path.open(newline="") as file:
        listed = {row["case"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    assert listed == set(CASES)


def test_models_are_what_the_names_say():
    assert onnx.load_from_string(RELU).graph.node[0].name == "r" and one_node("Relu")
