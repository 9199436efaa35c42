#!/usr/bin/env python3
"""Makes small models that declare what is not so, for tests/declared/: shapes, ranks and types of values and outputs, and
symbols that stand for two sizes. Beside NAME.onnx, NAME.values.pb holds inputs ("in:x") and outputs ("out:y"), the
latter as numpy computes them.

    python tests/data/declared/make.py
"""
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).resolve().parent
F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
node = helper.make_node
X = np.array([[-1.5, 2, 0.25], [3, -4, 5]], np.float32)
V = np.array([1, -2, 3], np.float32)


def info(name, shape, kind=F):
    return helper.make_tensor_value_info(name, kind, shape)


def ints(name, *values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def relu(x):
    return np.maximum(x, 0)


def chain(value_info, output=("y", (2, 3))):
    """y = -relu(x), where the relu's output is declared."""
    nodes = [node("Relu", ["x"], ["h"]), node("Neg", ["h"], ["y"])]
    return nodes, [info("x", (2, 3))], [info(*output)], [value_info] if value_info else [], [], {"x": X}, {"y": -relu(X)}


def twice(value_info, output):
    """y = relu of x after itself."""
    nodes = [node("Concat", ["x", "x"], ["h"], axis=0), node("Relu", ["h"], ["y"])]
    wanted = relu(np.concatenate([V, V]))
    return nodes, [info("x", ("n",))], [info("y", output)], value_info, [], {"x": V}, {"y": wanted}


def branch():
    """A branch whose value is declared with another shape."""
    def graph(op):
        return helper.make_graph([node("Relu", ["x"], ["h_" + op]), node(op, ["h_" + op], ["r_" + op])], op, [],
                                 [info("r_" + op, (2, 3))], value_info=[info("h_" + op, (2, 3 if op == "Neg" else 7))])
    nodes = [node("If", ["c"], ["y"], then_branch=graph("Abs"), else_branch=graph("Neg"))]
    return nodes, [info("c", (), B), info("x", (2, 3))], [info("y", (2, 3))], [], [], {"c": np.array(True), "x": X}, {
        "y": relu(X)}


MODELS = {
    "value_shape": lambda: chain(info("h", (2, 4))),
    "value_rank": lambda: chain(info("h", (2, 3, 1))),
    "value_type": lambda: chain(info("h", (2, 3), I)),
    "output_shape": lambda: chain(None, ("y", (3, 2))),
    "output_rank": lambda: chain(None, ("y", (6,))),
    "input_and_output": lambda: twice([], ("n",)),
    "through_a_value": lambda: twice([info("h", ("n",))], ("m",)),
    "declared_equal": lambda: (
        [node("Pad", ["x", "pads"], ["y"])], [info("x", ("n",))], [info("y", ("n",))], [], [ints("pads", 1, 1)],
        {"x": V}, {"y": np.pad(V, 1)}),
    "sum_of_symbols": lambda: (
        [node("Concat", ["a", "b"], ["y"], axis=0)], [info("a", ("n",)), info("b", ("m",))], [info("y", ("n",))], [], [],
        {"a": V, "b": V[:2]}, {"y": np.concatenate([V, V[:2]])}),
    "in_a_branch": branch,
    "two_inputs": lambda: (
        [node("Add", ["a", "b"], ["y"])], [info("a", ("n",)), info("b", ("n",))], [info("y", ("n",))], [], [],
        {"a": V, "b": V[:1]}, {"y": V + V[:1]}),
    "two_axes": lambda: (
        [node("Transpose", ["x"], ["t"], perm=[1, 0]), node("MatMul", ["x", "t"], ["y"])], [info("x", ("n", "n"))],
        [info("y", ("n", "n"))], [], [], {"x": X}, {"y": X @ X.T}),
    "fixed_output": lambda: (
        [node("Relu", ["x"], ["y"])], [info("x", ("n", 3))], [info("y", (1, 3))], [], [], {"x": X}, {"y": relu(X)}),
    "from_an_input": lambda: (
        [node("Reshape", ["x", "s"], ["y"])], [info("x", (2, 3)), info("s", (2,), I)], [info("y", (2, 3))], [], [],
        {"x": X, "s": np.array([3, -1])}, {"y": X.reshape(3, 2)}),
}


def main():
    for name, make in MODELS.items():
        nodes, inputs, outputs, values, weights, given, wanted = make()
        graph = helper.make_graph(nodes, name, inputs, outputs, weights, value_info=values)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        (HERE / f"{name}.onnx").write_bytes(model.SerializeToString())
        message = onnx.GraphProto(name=name)
        for prefix, tensors in [("in:", given), ("out:", wanted)]:
            message.initializer.extend(numpy_helper.from_array(np.asarray(v), prefix + k) for k, v in tensors.items())
        (HERE / f"{name}.values.pb").write_bytes(onnx.ModelProto(ir_version=10, graph=message).SerializeToString())


if __name__ == "__main__":
    main()
