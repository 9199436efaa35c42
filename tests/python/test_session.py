"""Loading, running and describing models."""

import pathlib
import threading

import numpy as np
import onnx
import pytest
import sardonyx
from conftest import model_bytes, one_node, tensor
from onnx import TensorProto, helper


def test_run_gives_all_outputs_in_order(add_model):
    session = sardonyx.InferenceSession(add_model)
    a, b = np.array([1, 2, 3], np.float32), np.array([10, 20, 30], np.float32)
    (total,) = session.run(None, {"a": a, "b": b})
    np.testing.assert_array_equal(total, a + b)
    assert total.dtype == np.float32 and total.flags.writeable


def test_run_gives_the_outputs_asked_for(add_model):
    session = sardonyx.InferenceSession(add_model)
    feed = {"a": np.ones(2, np.float32), "b": np.ones(2, np.float32)}
    assert len(session.run(["sum"], feed)) == 1
    assert len(session.run([], feed)) == 1
    with pytest.raises(TypeError):
        session.run("sum", feed)


@pytest.mark.parametrize("kind", [str, pathlib.Path])
def test_a_model_loads_from_a_path(tmp_path, add_model, kind):
    path = tmp_path / "añadir.onnx"
    path.write_bytes(add_model)
    assert [arg.name for arg in sardonyx.InferenceSession(kind(path)).get_inputs()] == ["a", "b"]


def test_inputs_and_outputs_are_described():
    session = sardonyx.InferenceSession(one_node("Relu", shape=["batch", 3, None]))
    (x,) = session.get_inputs()
    assert (x.name, x.type, x.shape) == ("x", "tensor(float)", ["batch", 3, None])
    (y,) = session.get_outputs()
    assert (y.name, y.type) == ("y", "tensor(float)")
    assert "tensor(float)" in str(y)


def test_initializers_that_are_inputs_can_be_overridden():
    weight = helper.make_tensor("w", TensorProto.FLOAT, (2,), [1, 2])
    model = model_bytes([helper.make_node("Add", ["x", "w"], ["y"])], [tensor("x", shape=(2,)), tensor("w", shape=(2,))],
                        [tensor("y", shape=(2,))], [weight])
    session = sardonyx.InferenceSession(model)
    assert [arg.name for arg in session.get_inputs()] == ["x"]
    assert [arg.name for arg in session.get_overridable_initializers()] == ["w"]
    x = np.zeros(2, np.float32)
    np.testing.assert_array_equal(session.run(None, {"x": x})[0], [1, 2])
    np.testing.assert_array_equal(session.run(None, {"x": x, "w": np.array([5, 6], np.float32)})[0], [5, 6])


def test_metadata_is_the_models():
    model = onnx.load_from_string(one_node("Relu"))
    model.producer_name, model.domain, model.model_version, model.doc_string = "maker", "com.example", 7, "words"
    helper.set_model_props(model, {"author": "someone"})
    meta = sardonyx.InferenceSession(model.SerializeToString()).get_modelmeta()
    assert (meta.producer_name, meta.domain, meta.version, meta.description) == ("maker", "com.example", 7, "words")
    assert meta.graph_name == "test" and meta.custom_metadata_map == {"author": "someone"}


def test_outputs_outlive_the_session(add_model):
    session = sardonyx.InferenceSession(add_model)
    (total,) = session.run(None, {"a": np.ones(1000, np.float32), "b": np.ones(1000, np.float32)})
    del session
    np.testing.assert_array_equal(total, np.full(1000, 2, np.float32))


def test_an_output_that_is_an_input_has_its_own_memory():
    session = sardonyx.InferenceSession(one_node("Identity"))
    x = np.ones(4, np.float32)
    (y,) = session.run(None, {"x": x})
    x[:] = 9
    np.testing.assert_array_equal(y, [1, 1, 1, 1])


def test_threads_run_one_session_at_once(add_model):
    session = sardonyx.InferenceSession(add_model)
    wrong = []

    def work(k):
        for _ in range(50):
            x = np.full(100, k, np.float32)
            if not np.array_equal(session.run(None, {"a": x, "b": x})[0], 2 * x):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_run_async_calls_back(add_model):
    session = sardonyx.InferenceSession(add_model)
    done, answers = threading.Event(), []

    def callback(outputs, user_data, error):
        answers.append((outputs, user_data, error))
        done.set()

    x = np.ones(2, np.float32)
    session.run_async(None, {"a": x, "b": x}, callback, "mine")
    assert done.wait(20)
    ((outputs, user_data, error),) = answers
    assert (user_data, error) == ("mine", "") and outputs[0].tolist() == [2, 2]


def test_options_keep_what_was_set():
    options = sardonyx.SessionOptions()
    options.intra_op_num_threads = 2
    options.graph_optimization_level = sardonyx.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.some_key", "value")
    options.add_free_dimension_override_by_name("n", 3)
    assert options.intra_op_num_threads == 2 and options.enable_mem_pattern is True
    assert options.get_session_config_entry("session.some_key") == "value"
    session = sardonyx.InferenceSession(one_node("Relu"), options)
    assert session.get_inputs()[0].shape == [3]
    assert session.get_session_options().graph_optimization_level == sardonyx.GraphOptimizationLevel.ORT_ENABLE_BASIC


def test_the_cpu_is_always_there(add_model):
    assert "CPUExecutionProvider" in sardonyx.get_available_providers()
    session = sardonyx.InferenceSession(add_model, providers=[("CPUExecutionProvider", {"use_arena": 1})])
    assert session.get_providers() == ["CPUExecutionProvider"]
    assert session.get_provider_options() == {"CPUExecutionProvider": {"use_arena": "1"}}
    session.set_providers(["CPUExecutionProvider"])
    assert session.get_providers() == ["CPUExecutionProvider"]


def test_versions_have_the_form_that_programs_parse():
    major, minor, patch = map(int, sardonyx.get_version_string().split("."))
    assert (major, patch >= 0) == (1, True) and minor >= 30
    assert sardonyx.__version__.count(".") == 2
    assert sardonyx.get_device() in ("CPU", "GPU")
    assert "CPUExecutionProvider" in sardonyx.get_all_providers()


def test_profiling_that_is_off_has_no_file(add_model):
    assert sardonyx.InferenceSession(add_model).end_profiling() == ""


def test_an_unknown_setting_is_a_warning(add_model):
    lines = []
    options = sardonyx.SessionOptions()
    for key in ("session.intra_op.alow_spinning", "no.such.key", "ep.mine.speed", "session.disable_prepacking"):
        options.add_session_config_entry(key, "1")
    sardonyx.set_default_logger_callback(lambda *line: lines.append(line[-1]), 2)
    try:
        sardonyx.InferenceSession(add_model, options)
    finally:
        sardonyx.set_default_logger_callback(None)
        sardonyx.set_default_logger_severity(4)
    assert [line.split('"')[1] for line in lines] == ["no.such.key", "session.intra_op.alow_spinning"]
    assert 'is "session.intra_op.allow_spinning" meant?' in lines[1]
