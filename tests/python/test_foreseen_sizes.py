"""Sizes that a plan foresees under conditions which only a run can decide."""

import numpy as np
import pytest
import sardonyx
from conftest import model_bytes, tensor
from onnx import TensorProto, helper, numpy_helper


@pytest.mark.parametrize("target", [[2, 3, 0, 0], [2, -1, 0, 8], [2, 3, 3, 8], [-1, 1, 3, 48]])
def test_reshape_of_a_value_of_unknown_rank(target):
    node = helper.make_node("Reshape", ["x", "shape"], ["y"])
    model = model_bytes([node], [tensor("x", shape=None), tensor("shape", TensorProto.INT64, (4,))], [tensor("y", shape=None)])
    x = np.arange(6 * 3 * 8, dtype=np.float32).reshape(6, 1, 3, 8)
    wanted = [x.shape[i] if d == 0 else d for i, d in enumerate(target)]
    (y,) = sardonyx.InferenceSession(model).run(None, {"x": x, "shape": np.array(target)})
    np.testing.assert_array_equal(y, x.reshape(wanted))


@pytest.mark.parametrize("go", [False, True])
def test_a_loop_whose_constant_condition_is_false(go):
    body = helper.make_graph(
        [helper.make_node("Identity", ["v"], ["kept"]), helper.make_node("Identity", ["v"], ["seen"]), helper.make_node("Identity", ["no"], ["next"])],
        "body",
        [tensor("i", TensorProto.INT64, ()), tensor("go", TensorProto.BOOL, ()), tensor("v", shape=None)],
        [tensor("next", TensorProto.BOOL, ()), tensor("kept", shape=None), tensor("seen", shape=None)],
        [numpy_helper.from_array(np.array(False), "no")],
    )
    loop = helper.make_node("Loop", ["", "condition", "x"], ["y", "scanned"], body=body)
    condition = numpy_helper.from_array(np.array([go]), "condition")
    model = model_bytes([loop], [tensor("x", shape=("n", 4))], [tensor("y", shape=None), tensor("scanned", shape=None)], [condition])
    y, scanned = sardonyx.InferenceSession(model).run(None, {"x": np.ones((3, 4), np.float32)})
    assert y.shape == (3, 4)
    assert scanned.shape == (int(go), 3, 4)
