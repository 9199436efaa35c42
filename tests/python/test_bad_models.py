"""Models and inputs that are wrong: each error names the file, the node and the value, what was found and what was wanted."""

import numpy as np
import onnx
import pytest
import sardonyx
from conftest import model_bytes, one_node, tensor
from onnx import TensorProto, helper

node = helper.make_node
FLOATS = np.ones((2, 4), np.float32)


def failure(path_or_bytes, **options):
    with pytest.raises(Exception) as caught:
        session_of(path_or_bytes, **options)
    return str(caught.value)


def session_of(path_or_bytes, strict=False, logged=None):
    made = sardonyx.SessionOptions()
    if strict:
        made.add_session_config_entry("session.strict_shape_type_inference", "1")
    return sardonyx.InferenceSession(path_or_bytes, made)


def wrong_file(folder, content):
    """The message about a file of this content; it must name the file."""
    path = folder / "wrong.onnx"
    path.write_bytes(content)
    message = failure(str(path))
    assert "wrong.onnx" in message
    return message


def check(message, *parts):
    for part in parts:
        assert part in message, message


GOOD = one_node("Relu", shape=["n", 4])


@pytest.mark.parametrize(("content", "parts"), [
    (b"", ["0 bytes"]),
    (b"hello, this is no model", ["offset"]),
    (b"<html></html>", ["web page"]),
    (b"version https://git-lfs.github.com/spec/v1", ["Git LFS pointer"]),
    (GOOD[:-5], ["runs past the end"]),
    (GOOD[: len(GOOD) // 2], ["runs past the end"]),
    (b"\x08\x08", ["holds no graph"]),
], ids=["empty", "text", "html", "lfs", "cut", "half", "no_graph"])
def test_files_that_are_no_models(tmp_path, content, parts):
    check(wrong_file(tmp_path, content), *parts)


def test_a_file_that_is_not_there(tmp_path):
    check(failure(str(tmp_path / "absent.onnx")), "absent.onnx")
    check(failure(str(tmp_path)), str(tmp_path))


X, Y = tensor("x", shape=["n", 4]), tensor("y", shape=["n", 4])


def initializer(name, shape=(4,), dtype=TensorProto.FLOAT, values=None, raw=None):
    if raw is not None:
        return TensorProto(name=name, dims=shape, data_type=dtype, raw_data=raw)
    return helper.make_tensor(name, dtype, shape, values if values is not None else [1.0] * int(np.prod(shape)))


def external(name, location, shape=(4,), **fields):
    made = TensorProto(name=name, dims=shape, data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **fields}.items():
        made.external_data.add(key=key, value=str(value))
    return made


ADD = node("Add", ["x", "w"], ["y"], name="the_add")
BAD_GRAPHS = {
    "operators_nobody_takes": (model_bytes([node("Foo", ["x"], ["h"], name="foo_1", domain="my.dom"),
                                            node("Bar", ["h"], ["y"], name="bar_2", domain="my.dom")], [X], [Y]),
                               ["foo_1 (my.dom.Foo)", "bar_2 (my.dom.Bar)", "my.dom 3"]),
    "missing_input": (model_bytes([node("Relu", ["q"], ["y"], name="the_relu")], [X], [Y]), ["the_relu (Relu)", '"q"']),
    "missing_output": (model_bytes([node("Relu", ["x"], ["h"], name="the_relu")], [X], [Y]), ['output "y"']),
    "missing_initializer": (model_bytes([ADD], [X], [Y]), ["the_add (Add)", '"w"']),
    "value_twice": (model_bytes([node("Relu", ["x"], ["y"], name="first"), node("Abs", ["x"], ["y"], name="second")], [X], [Y]),
                    ['"y"', "first (Relu)", "second (Abs)"]),
    "input_twice": (model_bytes([node("Relu", ["x"], ["y"])], [X, X], [Y]), ['"x"']),
    "output_twice": (model_bytes([node("Relu", ["x"], ["y"])], [X], [Y, Y]), ['"y"']),
    "initializer_twice": (model_bytes([ADD], [X], [Y], [initializer("w"), initializer("w")]), ['"w"']),
    "node_makes_an_input": (model_bytes([node("Relu", ["y"], ["x"], name="the_relu")], [X, Y], [Y]), ["the_relu (Relu)", '"x"']),
    "cycle": (model_bytes([node("Add", ["x", "b"], ["a"], name="one"), node("Relu", ["a"], ["b"], name="two")], [X], [tensor("b")]),
              ["cycle", "one (Add)", "two (Relu)"]),
    "raw_size": (model_bytes([ADD], [X], [Y], [initializer("w", raw=b"\0" * 15)]), ['"w"', "16 bytes", "15"]),
    "negative_dimension": (model_bytes([ADD], [X], [Y], [initializer("w", shape=(-4,), raw=b"\0" * 16)]), ['"w"', "[-4]"]),
    "huge_shape": (model_bytes([ADD], [X], [Y], [initializer("w", shape=(1 << 40, 1 << 40), raw=b"\0" * 16)]), ['"w"', "1099511627776"]),
    "no_such_type": (model_bytes([ADD], [X], [Y], [initializer("w", dtype=77, raw=b"\0" * 16)]), ['"w"', "77"]),
    "type_of_input": (model_bytes([ADD], [X], [Y], [initializer("w", dtype=TensorProto.INT64, values=[1, 2, 3, 4])]),
                      ["the_add (Add)", "tensor(int64)", "tensor(float)", '"w"']),
    "declared_type": (one_node("Relu", output_type=TensorProto.INT64), ["the_node (Relu)", '"y"', "i64", "f32"]),
    "attribute_kind": (one_node("Softmax", axis=1.5), ["the_node (Softmax)", '"axis"']),
    "unknown_attribute": (one_node("Relu", colour=1), ["the_node (Relu)", '"colour"']),
    "missing_attribute": (one_node("Cast"), ["the_node (Cast)", '"to"']),
    "axis": (one_node("Softmax", shape=["n", 4], axis=7), ["the_node (Softmax)", "axis 7", "[-2, 2)"]),
    "shapes_that_clash": (model_bytes([ADD], [X], [Y], [initializer("w", shape=(5,))]), ["the_add (Add)", "4", "5"]),
    "shape_below_zero": (model_bytes([node("ConstantOfShape", ["s"], ["y"], name="fill")], [], [tensor("y", shape=None)],
                                     [initializer("s", (1,), TensorProto.INT64, [-3])]), ["fill (ConstantOfShape)", "-3"]),
    "shape_too_large": (model_bytes([node("ConstantOfShape", ["s"], ["y"], name="fill")], [], [tensor("y", shape=None)],
                                    [initializer("s", (3,), TensorProto.INT64, [1 << 40] * 3)]), ["fill (ConstantOfShape)", "1099511627776"]),
    "no_opset": (helper.make_model(helper.make_graph([node("Relu", ["x"], ["y"], name="the_relu")], "g", [X], [Y]),
                                   opset_imports=[helper.make_opsetid("other", 1)], ir_version=9).SerializeToString(),
                 ["the_relu (Relu)", "ai.onnx"]),
    "opset_to_come": (model_bytes([node("Relu", ["x"], ["y"])], [X], [Y], opset=99), ["99", "28"]),
    "external_outside": (model_bytes([ADD], [X], [Y], [external("w", "../secret.bin")]), ['"w"', "../secret.bin", '".."']),
    "external_absolute": (model_bytes([ADD], [X], [Y], [external("w", "/etc/passwd")]), ['"w"', "/etc/passwd", "relative"]),
    "external_missing": (model_bytes([ADD], [X], [Y], [external("w", "absent.bin")]), ['"w"', "absent.bin"]),
    "external_short": (model_bytes([ADD], [X], [Y], [external("w", "short.bin")]), ['"w"', "short.bin", "16 bytes", "7 bytes"]),
    "external_offset": (model_bytes([ADD], [X], [Y], [external("w", "short.bin", offset=1 << 60)]), ['"w"', "short.bin", str(1 << 60)]),
    "external_length": (model_bytes([ADD], [X], [Y], [external("w", "short.bin", length=99)]), ['"w"', "16 bytes", "99"]),
    "external_no_location": (model_bytes([ADD], [X], [Y], [external("w", "")]), ['"w"', "location"]),
}


@pytest.mark.parametrize("case", BAD_GRAPHS)
def test_bad_graphs(tmp_path, case):
    content, parts = BAD_GRAPHS[case]
    (tmp_path / "short.bin").write_bytes(b"\0" * 7)
    check(wrong_file(tmp_path, content), *parts)


@pytest.mark.parametrize(("feed", "parts"), [
    ({}, ["x"]),
    ({"x": FLOATS, "zz": FLOATS}, ["zz"]),
    ({"x": FLOATS.astype(np.int64)}, ["tensor(int64)", "tensor(float)"]),
    ({"x": FLOATS[0]}, ["x", "Got: 1", "Expected: 2"]),
    ({"x": np.ones((2, 5), np.float32)}, ["x", "index: 1", "Got: 5", "Expected: 4"]),
], ids=["missing", "unknown", "type", "rank", "dimension"])
def test_wrong_inputs(feed, parts):
    with pytest.raises(Exception) as caught:
        session_of(GOOD).run(None, feed)
    check(str(caught.value), *parts)


def test_a_run_names_the_node_that_failed():
    model = model_bytes([node("Reshape", ["x", "s"], ["y"], name="the_reshape")], [X, tensor("s", TensorProto.INT64, [2])],
                        [tensor("y", shape=None)])
    with pytest.raises(Exception, match=r"the_reshape \(Reshape\): 8 elements"):
        session_of(model).run(None, {"x": FLOATS, "s": np.array([3, 3], np.int64)})
    fill = model_bytes([node("ConstantOfShape", ["s"], ["y"], name="fill")], [tensor("s", TensorProto.INT64, [2])], [tensor("y", shape=None)])
    with pytest.raises(Exception, match=r"fill \(ConstantOfShape\): .*1125899906842624"):
        session_of(fill).run(None, {"s": np.array([1 << 50, 1 << 50], np.int64)})


def test_a_declared_shape_that_is_wrong_is_a_warning(capfd):
    model = one_node("Transpose", shape=[2, 4])  # y is declared [2, 4], too
    sardonyx.set_default_logger_severity(2)
    try:
        session = session_of(model)
    finally:
        sardonyx.set_default_logger_severity(4)
    assert session.run(None, {"x": FLOATS})[0].shape == (4, 2)
    warning = capfd.readouterr().err
    check(warning, '"y"', "f32[2, 4]", "f32[4, 2]")
    check(failure(model, strict=True), "the_node (Transpose)", '"y"', "f32[2, 4]", "f32[4, 2]")


def test_a_symbol_met_with_two_values_is_a_warning(capfd):
    model = model_bytes([node("Concat", ["a", "b"], ["y"], axis=0)], [tensor("a"), tensor("b")], [tensor("y", shape=["m"])])
    feed = {"a": np.ones(2, np.float32), "b": np.ones(3, np.float32)}
    sardonyx.set_default_logger_severity(2)
    try:
        assert session_of(model).run(None, feed)[0].shape == (5,)
    finally:
        sardonyx.set_default_logger_severity(4)
    check(capfd.readouterr().err, "symbol n", "2", "3", '"b"')
    with pytest.raises(Exception, match="symbol n"):
        session_of(model, strict=True).run(None, feed)


@pytest.mark.parametrize("shape", [(0, 4), (0, 0)])
@pytest.mark.parametrize("op", ["Relu", "Softmax", "Transpose", "ReduceSum", "Identity", "Flatten"])
def test_inputs_of_no_elements_run(op, shape):
    model = model_bytes([node(op, ["x"], ["y"])], [tensor("x", shape=["n", "m"])], [tensor("y", shape=None)])
    session_of(model).run(None, {"x": np.zeros(shape, np.float32)})


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def test_nested_too_deep():
    """As bytes: Python's protobuf cannot hold it."""
    output = tensor("z", shape=None)
    graph = helper.make_graph([node("Identity", ["x"], ["z"])], "leaf", [], [output]).SerializeToString()
    other = helper.make_attribute("else_branch", onnx.GraphProto.FromString(graph)).SerializeToString()
    for _ in range(200):
        branch = onnx.AttributeProto(name="then_branch", type=onnx.AttributeProto.GRAPH).SerializeToString() + field(6, graph)
        choice = node("If", ["c"], ["z"]).SerializeToString() + field(5, branch) + field(5, other)
        graph = onnx.GraphProto(name="level", output=[output], input=[X, tensor("c", TensorProto.BOOL, [])]).SerializeToString() + field(1, choice)
    model = onnx.ModelProto(ir_version=9, opset_import=[helper.make_opsetid("", 21)]).SerializeToString() + field(7, graph)
    check(failure(model), "nested deeper than 100")


def test_a_function_that_calls_itself():
    calls = helper.make_function("f", "F", ["x"], ["y"], [node("F", ["x"], ["y"], name="again", domain="f")], [helper.make_opsetid("f", 1)])
    model = helper.make_model(helper.make_graph([node("F", ["x"], ["y"], name="call", domain="f")], "g", [X], [Y]), functions=[calls],
                              opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("f", 1)], ir_version=9)
    check(failure(model.SerializeToString()), "deeper than")
