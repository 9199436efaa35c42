"""The ONNX Runtime runner on three small models, with its comparison of two runs and every value marked as an output."""

import json
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper
from polygraphy import constants
from polygraphy.backend.onnx import BytesFromOnnx, ModifyOutputs
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, DataLoader


def model(nodes, shape, weights=()):
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [value("x", TensorProto.FLOAT, shape)], [value("y", TensorProto.FLOAT, None)], list(weights))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


draw = np.random.default_rng(1)
weight = onnx.numpy_helper.from_array(draw.standard_normal((8, 3, 3, 3)).astype(np.float32), "w")
MODELS = [
    model([helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["c"], ["r"]),
           helper.make_node("GlobalAveragePool", ["r"], ["y"])], [1, 3, 16, 16], [weight]),
    model([helper.make_node("Softmax", ["x"], ["s"]), helper.make_node("Log", ["s"], ["y"])], ["n", 10]),
    model([helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0]), helper.make_node("MatMul", ["x", "t"], ["y"])], [4, 6]),
]
answers = []
for proto in MODELS:
    build = SessionFromOnnx(BytesFromOnnx(ModifyOutputs(proto, outputs=constants.MARK_ALL)), providers=["cpu"])
    first, second = OnnxrtRunner(build, name="first"), OnnxrtRunner(build, name="second")
    results = Comparator.run([first, second], data_loader=DataLoader(seed=1, iterations=2))
    equal = bool(Comparator.compare_accuracy(results))
    outputs = {name: np.asarray(array).tolist() for name, array in results["first"][0].items()}
    answers.append({"equal": equal, "outputs": outputs})
json.dump(answers, open(sys.argv[1], "w"))
