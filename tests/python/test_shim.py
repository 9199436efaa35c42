"""Programs that import onnxruntime, run on Sardonyx."""

import ctypes
import os
import subprocess
import sys

import pytest
from conftest import one_node

PROGRAM = """
import sys
import importlib.metadata
import importlib.util
import onnxruntime
import onnxruntime as ort
import onnxruntime.capi.onnxruntime_pybind11_state as state
from onnxruntime import InferenceSession, SessionOptions
from onnxruntime.capi import onnxruntime_inference_collection
from onnxruntime.capi._pybind_state import GraphOptimizationLevel
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument
import numpy as np

assert onnxruntime is __import__("sardonyx") and sys.modules["onnxruntime"] is onnxruntime
assert ort.__version__.startswith("1.") and importlib.metadata.version("onnxruntime") == ort.__version__
assert importlib.util.find_spec("onnxruntime") is not None and importlib.util.find_spec("onnxruntime.no_such_module") is None
assert state.InvalidArgument is InvalidArgument and state.SessionOptions is SessionOptions
session = ort.InferenceSession(sys.argv[1])
print(type(session).__module__, sys.argv[2:], __name__)
try:
    session.run(None, {"x": np.ones(3)})
except InvalidArgument as error:
    print(type(error).__name__)
try:
    from onnxruntime.quantization import quantize_dynamic
except NotImplementedError as error:
    print("onnxruntime.quantization" in str(error))
try:
    import onnxruntime.no_such_module
except ModuleNotFoundError as error:
    print(error.name)
"""
EXPECTED = "sardonyx._session ['--flag', 'word'] __main__\nInvalidArgument\nTrue\nonnxruntime.no_such_module\n"


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "relu.onnx"
    path.write_bytes(one_node("Relu"))
    return str(path)


def python(*arguments, cwd=None, **environment):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_runs_on_it(tmp_path, model):
    (tmp_path / "app.py").write_text(PROGRAM)
    assert python("-m", "sardonyx", "exec", str(tmp_path / "app.py"), model, "--flag", "word") == EXPECTED


def test_a_module_runs_on_it(tmp_path, model):
    (tmp_path / "app.py").write_text(PROGRAM)
    assert python("-m", "sardonyx", "exec", "-m", "app", model, "--flag", "word", cwd=tmp_path) == EXPECTED


def test_a_program_may_install_it_itself(tmp_path, model):
    (tmp_path / "app.py").write_text("import sardonyx\nsardonyx.install_as_onnxruntime()\nsardonyx.install_as_onnxruntime()\n" + PROGRAM)
    assert python(str(tmp_path / "app.py"), model, "--flag", "word") == EXPECTED


def test_it_is_not_installed_over_another_onnxruntime():
    code = ("import onnxruntime, sardonyx\ntry:\n    sardonyx.install_as_onnxruntime()\n"
            "except RuntimeError as error:\n    print('is imported already' in str(error))")
    assert python("-c", code) == "True\n"


def test_a_folder_stands_for_the_package(tmp_path, model):
    library = python("-m", "sardonyx", "provide-onnxruntime", str(tmp_path / "given")).strip()
    assert library == str(tmp_path / "given" / "onnxruntime" / "capi" / "libonnxruntime.so")
    (tmp_path / "app.py").write_text(PROGRAM)
    path = os.pathsep.join([str(tmp_path / "given"), os.environ.get("PYTHONPATH", "")])
    assert python(str(tmp_path / "app.py"), model, "--flag", "word", PYTHONPATH=path) == EXPECTED

    class Base(ctypes.Structure):
        _fields_ = [("GetApi", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)), ("GetVersionString", ctypes.CFUNCTYPE(ctypes.c_char_p))]

    loaded = ctypes.CDLL(library)
    loaded.OrtGetApiBase.restype = ctypes.POINTER(Base)
    base = loaded.OrtGetApiBase().contents
    assert base.GetVersionString().startswith(b"1.") and base.GetApi(32)


@pytest.mark.parametrize("arguments", [[], ["exec"], ["provide-onnxruntime"], ["nonsense"]])
def test_a_wrong_command_says_what_is_wanted(arguments):
    done = subprocess.run([sys.executable, "-m", "sardonyx", *arguments], capture_output=True, text=True)
    assert done.returncode != 0 and "python -m sardonyx" in done.stderr
