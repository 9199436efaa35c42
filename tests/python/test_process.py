"""What a process may do with sessions for a long time: open and close many, fork, stop by Ctrl-C."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import sardonyx
from conftest import model_bytes, tensor
from onnx import TensorProto, helper

FEED = {"x": np.ones((8, 64), np.float32)}


@pytest.fixture(scope="module")
def layers():
    """Two products with weights of 256 KB, and what is between them."""
    weights = [helper.make_tensor(name, TensorProto.FLOAT, (64, 1024) if name == "w1" else (1024, 64),
                                  np.random.default_rng(1).standard_normal(65536).astype(np.float32).tobytes(), raw=True) for name in ("w1", "w2")]
    nodes = [helper.make_node("MatMul", ["x", "w1"], ["a"]), helper.make_node("Relu", ["a"], ["b"]), helper.make_node("MatMul", ["b", "w2"], ["y"])]
    return model_bytes(nodes, [tensor("x", shape=("n", 64))], [tensor("y", shape=("n", 64))], weights)


def held():
    """Bytes of memory, open files and threads of this process."""
    gc.collect()
    status = pathlib.Path("/proc/self/status").read_text()
    numbers = {line.split(":")[0]: line.split()[1] for line in status.splitlines() if len(line.split()) > 1}
    return int(numbers["VmRSS"]) * 1024, len(os.listdir("/proc/self/fd")), int(numbers["Threads"])


def test_a_thousand_sessions_leave_nothing_behind(layers, tmp_path):
    path = tmp_path / "layers.onnx"
    path.write_bytes(layers)

    def open_and_close(count):
        for i in range(count):
            session = sardonyx.InferenceSession(str(path) if i % 2 else layers)
            session.run(None, FEED)
            binding = session.io_binding()
            binding.bind_cpu_input("x", FEED["x"])
            binding.bind_output("y")
            session.run_with_iobinding(binding)

    open_and_close(100)
    bytes_before, *others_before = held()
    open_and_close(1000)
    bytes_after, *others_after = held()
    assert others_after == others_before
    assert bytes_after - bytes_before < 1 << 20  # a session's weights alone are 512 KB


def test_a_session_lives_through_a_hundred_forks(layers):
    session = sardonyx.InferenceSession(layers)
    (wanted,) = session.run(None, FEED)
    for _ in range(100):
        child = os.fork()
        if child == 0:  # as a data loader's worker does
            code = 1
            try:
                code = 0 if np.array_equal(session.run(None, FEED)[0], wanted) else 2
            finally:
                os._exit(code)
        deadline = time.monotonic() + 30
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                pytest.fail("a child's run hangs")
            time.sleep(0.001)
        assert status == 0
    assert np.array_equal(session.run(None, FEED)[0], wanted)


# One product of 1.6e12 operations, and a loop of small steps: each runs for 10 seconds and more.
PRODUCT = """
node, size = helper.make_node("MatMul", ["x", "x"], ["y"]), 9000
model = model_bytes([node], [tensor("x", shape=("n", "n"))], [tensor("y", shape=("n", "n"))])
feed = {"x": np.ones((size, size), np.float32)}
"""
LOOP = """
model = long_loop.__wrapped__() if hasattr(long_loop, "__wrapped__") else long_loop.__pytest_wrapped__.obj()
feed = {"count": np.array(10**9), "x": np.zeros(10**5, np.float32)}
"""


@pytest.mark.parametrize("what", [PRODUCT, LOOP], ids=["product", "loop"])
def test_ctrl_c_stops_a_run_at_once(what):
    script = f"""
import signal, sys, time
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
import numpy as np, sardonyx
from conftest import helper, long_loop, model_bytes, tensor
signal.signal(signal.SIGINT, signal.default_int_handler)
{what}
options = sardonyx.SessionOptions()
options.intra_op_num_threads = 2
session = sardonyx.InferenceSession(model, options)
print("running", flush=True)
try:
    session.run(None, feed)
except KeyboardInterrupt:
    print(time.time(), flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "running\n"
        time.sleep(1)
        assert child.poll() is None
        sent = time.time()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    waited = float(out) - sent
    print(f"stopped after {waited * 1e3:.0f} ms (promised: 200)")
    assert waited < 2  # a watchdog
