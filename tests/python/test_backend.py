"""onnx's interface for backends, beside onnxruntime's."""

import numpy as np
import onnx
import onnxruntime.backend
import pytest
import sardonyx.backend
from beside import refused
from onnx import TensorProto, helper

PROTO = helper.make_model(
    helper.make_graph([helper.make_node("Sub", ["a", "b"], ["y"])], "g",
                      [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in "ab"],
                      [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n"])]),
    opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
INPUTS = [np.array([5, 7], np.float32), np.array([1, 2], np.float32)]


def answers(backend, package, path):
    prepared = backend.prepare(PROTO, "CPU", intra_op_num_threads=1)
    wrong = onnx.ModelProto()
    return [
        prepared.run(INPUTS)[0].tolist(), backend.run(PROTO, INPUTS)[0].tolist(), backend.run(PROTO.SerializeToString(), INPUTS)[0].tolist(),
        backend.run(path, INPUTS)[0].tolist(), backend.run(package.InferenceSession(path), INPUTS)[0].tolist(),
        backend.prepare(prepared) is prepared, backend.supports_device("CPU"), backend.supports_device("CUDA"), backend.is_compatible(PROTO),
        refused(backend.prepare, PROTO, "XPU"), refused(backend.prepare, 3), refused(backend.prepare, wrong) != "no error",
        refused(prepared.run, INPUTS[:1]) != "no error", [name for name in dir(backend) if not name.startswith("_")],
    ]


def test_a_backend_answers_as_onnxruntime(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(PROTO.SerializeToString())
    assert answers(sardonyx.backend, sardonyx, str(path)) == answers(onnxruntime.backend, onnxruntime, str(path))


def test_a_single_node_is_not_run():
    with pytest.raises(NotImplementedError, match="make a model of it"):
        sardonyx.backend.backend.OnnxRuntimeBackend.run_node(PROTO.graph.node[0], INPUTS)
