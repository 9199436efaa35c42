"""Small models for the tests of the Python module."""

import onnx
import pytest
import sardonyx
from onnx import TensorProto, helper

sardonyx.set_default_logger_severity(4)


def tensor(name, element_type=TensorProto.FLOAT, shape=("n",)):
    return helper.make_tensor_value_info(name, element_type, shape)


def model_bytes(nodes, inputs, outputs, initializers=(), opset=25, **fields):
    graph = helper.make_graph(nodes, "test", inputs, outputs, list(initializers))
    imports = [helper.make_opsetid("", opset)]
    imports += [helper.make_opsetid(domain, 3) for domain in sorted({node.domain for node in nodes} - {""})]
    return helper.make_model(graph, opset_imports=imports, ir_version=13, **fields).SerializeToString()


def one_node(op, element_type=TensorProto.FLOAT, shape=("n",), output_type=None, **attributes):
    node = helper.make_node(op, ["x"], ["y"], name="the_node", **attributes)
    return model_bytes([node], [tensor("x", element_type, shape)], [tensor("y", output_type or element_type, shape)])


@pytest.fixture
def add_model():
    node = helper.make_node("Add", ["a", "b"], ["sum"])
    return model_bytes([node], [tensor("a"), tensor("b")], [tensor("sum")])


@pytest.fixture
def relu_2d():
    return one_node("Relu", shape=["n", 4])


@pytest.fixture
def long_loop():
    """Adds 1 to a million elements `count` times: runs for as long as a test wants."""
    body = helper.make_graph(
        [helper.make_node("Add", ["v", "one"], ["v_next"]), helper.make_node("Identity", ["go"], ["go_next"])],
        "body",
        [tensor("i", TensorProto.INT64, ()), tensor("go", TensorProto.BOOL, ()), tensor("v", shape=(None,))],
        [tensor("go_next", TensorProto.BOOL, ()), tensor("v_next", shape=(None,))],
        [onnx.helper.make_tensor("one", TensorProto.FLOAT, (), [1.0])],
    )
    loop = helper.make_node("Loop", ["count", "", "x"], ["y"], body=body)
    return model_bytes([loop], [tensor("count", TensorProto.INT64, ()), tensor("x")], [tensor("y")])
