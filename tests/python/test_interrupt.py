"""Stopping a run from outside: Ctrl-C, terminate, a time limit."""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import sardonyx
from sardonyx.capi import onnxruntime_pybind11_state as state

FEED = {"count": np.array(10_000_000, np.int64), "x": np.zeros(100_000, np.float32)}


def test_ctrl_c_stops_a_run(tmp_path, long_loop):
    path = tmp_path / "loop.onnx"
    path.write_bytes(long_loop)
    script = textwrap.dedent(f"""
        import numpy as np, sardonyx, signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where a background job started us
        session = sardonyx.InferenceSession({str(path)!r})
        print("running", flush=True)
        try:
            session.run(None, {{"count": np.array(10_000_000), "x": np.zeros(100_000, np.float32)}})
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "running\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert out == "interrupted\n" and child.returncode == 0


def test_terminate_stops_a_run_on_another_thread(long_loop):
    session, options = sardonyx.InferenceSession(long_loop), sardonyx.RunOptions()
    timer = threading.Timer(0.3, lambda: setattr(options, "terminate", True))
    timer.start()
    with pytest.raises(state.Fail, match="terminate flag"):
        session.run(None, FEED, options)
    timer.join()


def test_a_time_limit_stops_a_run(long_loop):
    session, options = sardonyx.InferenceSession(long_loop), sardonyx.RunOptions()
    options.set_time_limit(0.2)
    with pytest.raises(state.Fail):
        session.run(None, FEED, options)


def test_other_threads_go_on_during_a_run(long_loop):
    session, options = sardonyx.InferenceSession(long_loop), sardonyx.RunOptions()
    ticks = 0

    def work():
        with pytest.raises(state.Fail):
            session.run(None, FEED, options)

    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(20):
        time.sleep(0.01)
        ticks += 1
    options.terminate = True
    thread.join(60)
    assert ticks == 20 and not thread.is_alive()


def test_a_run_of_low_priority_ends(add_model):
    session, options = sardonyx.InferenceSession(add_model), sardonyx.RunOptions()
    options.set_priority(-1)
    x = np.ones(2, np.float32)
    assert session.run(None, {"a": x, "b": x}, options)[0].tolist() == [2, 2]
    with pytest.raises(state.InvalidArgument, match="priority is 2"):
        options.set_priority(2)
