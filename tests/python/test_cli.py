"""The command line tool, as a user meets it: what it prints, what it writes, how it ends."""
import json
import os
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "dev", "bin", "sardonyx")
pytestmark = pytest.mark.skipif(not os.path.exists(TOOL), reason=f"{TOOL} is not built")

SUCCESS, DIFFERENT, USAGE, BAD_MODEL, RUN_FAILED, BAD_FILE = range(6)


def tool(*arguments):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=60)


@pytest.fixture
def model(tmp_path):
    """y = x @ w + b, with a symbolic batch."""
    w = numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(3, 2), "w")
    b = numpy_helper.from_array(np.array([1, -1], np.float32), "b")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["m"], name="product"), helper.make_node("Add", ["m", "b"], ["y"], name="sum")], "affine",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 2])], [w, b])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="test")
    helper.set_model_props(proto, {"author": "nobody"})
    path = tmp_path / "affine.onnx"
    path.write_bytes(proto.SerializeToString())
    return path


X = np.array([[1, 0, 2], [0, -1, 0.5]], np.float32)
Y = X @ np.arange(6, dtype=np.float32).reshape(3, 2) + np.array([1, -1], np.float32)


def test_inspect_says_what_the_model_is(model):
    report = json.loads(tool("inspect", model, "--json").stdout)
    assert report["inputs"] == [{"name": "x", "type": "tensor(float)", "kind": "tensor", "shape": ["batch", 3]}]
    assert report["outputs"][0]["shape"] == ["batch", 2]
    assert report["symbols"] == ["batch"] and report["opsets"] == {"ai.onnx": 17} and report["metadata"] == {"author": "nobody"}
    assert {o["op"]: o["count"] for o in report["operators"]} == {"Add": 1, "MatMul": 1}
    assert report["weights"]["count"] == 2 and report["weights"]["bytes"] == 32
    text = tool("inspect", model).stdout
    assert "tensor(float) [batch, 3]" in text and "MatMul" in text and "author = nobody" in text


SHAPES = """\
values
  a                                tensor(float) [n, 4]
  b                                tensor(float) [m, 4]
  c                                tensor(float) [n]
  s                                tensor(int64) [2]
  h                                tensor(float) [broadcast(n, m), 4]
  r                                tensor(float) [s[0], s[1]]
  k                                tensor(int64) [2, ?{}]
  d                                tensor(float) [2*n]
assumptions
  n is one size: axis 0 of a, axis 0 of c
  h is declared f32[n, 5], inferred f32[broadcast(n, m), 4]
  d is declared f32[n], inferred f32[2*n]
  sum (Add): n and m are equal, or one is 1
  view (Reshape): s[0] >= 1
  view (Reshape): s[1] >= 1
  view (Reshape): 4*broadcast(n, m) == s[0]*s[1]
"""


def test_inspect_shows_shapes_and_what_they_assume(tmp_path):
    def info(name, shape, kind=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, kind, shape)
    nodes = [helper.make_node("Add", ["a", "b"], ["h"], name="sum"), helper.make_node("Reshape", ["h", "s"], ["r"], name="view"),
             helper.make_node("NonZero", ["r"], ["k"]), helper.make_node("Concat", ["c", "c"], ["d"], axis=0)]
    graph = helper.make_graph(nodes, "g", [info("a", ["n", 4]), info("b", ["m", 4]), info("c", ["n"]), info("s", [2], TensorProto.INT64)],
                              [info("k", [2, "found"], TensorProto.INT64), info("d", ["n"])], value_info=[info("h", ["n", 5])])
    path = tmp_path / "shapes.onnx"
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10).SerializeToString())
    report = json.loads(tool("inspect", path, "--json").stdout)
    assert [v["shape"] for v in report["values"]][:6] == [["n", 4], ["m", 4], ["n"], [2], ["broadcast(n, m)", 4], ["s[0]", "s[1]"]]
    assert {"kind": "declared", "value": "d", "declared": "f32[n]", "inferred": "f32[2*n]"} in report["assumptions"]
    assert {"kind": "symbol", "symbol": "n", "places": ["axis 0 of a", "axis 0 of c"]} in report["assumptions"]
    assert len(report["warnings"]) == 2
    found = report["values"][6]["shape"][1]
    shown = tool("inspect", path, "--shapes").stdout
    assert shown[shown.index("values\n"):] == SHAPES.replace("?{}", found)


def test_inspect_prints_the_graph(model):
    text = tool("inspect", model, "--graph").stdout
    assert "input x: f32[batch, 3]" in text and 'y: f32[batch, 2] = Add(m, b) #"sum"' in text


@pytest.mark.parametrize("form", ["npy", "pb", "npz", "npz_packed"])
def test_run_reads_and_writes_values(model, tmp_path, form):
    source = tmp_path / f"in.{form[:3]}"
    if form == "npy":
        np.save(source, X)
    elif form == "pb":
        source = tmp_path / "in.pb"
        source.write_bytes(numpy_helper.from_array(X, "x").SerializeToString())
    else:
        (np.savez_compressed if form == "npz_packed" else np.savez)(source, x=X)
    argument = source if form.startswith("npz") else f"x={source}"
    done = tool("run", model, "--input", argument, "--output", tmp_path / "out", "--repeat", 3, "--json")
    assert done.returncode == SUCCESS, done.stderr
    report = json.loads(done.stdout)
    assert report["runs"] == 3 and report["outputs"][0]["shape"] == [2, 2]
    np.testing.assert_allclose(np.load(tmp_path / "out" / "y.npy"), Y, rtol=1e-6)
    stored = onnx.TensorProto.FromString((tmp_path / "out" / "output_0.pb").read_bytes())
    np.testing.assert_allclose(numpy_helper.to_array(stored), Y, rtol=1e-6)


def test_run_makes_random_inputs_that_repeat(model):
    runs = [json.loads(tool("run", model, "--input", "x=random:4x3", "--seed", 7, "--json").stdout)["outputs"] for _ in range(2)]
    assert runs[0] == runs[1] and runs[0][0]["shape"] == [4, 2]


def store(folder, x, y):
    folder.mkdir()
    (folder / "input_0.pb").write_bytes(numpy_helper.from_array(x, "x").SerializeToString())
    (folder / "output_0.pb").write_bytes(numpy_helper.from_array(y, "y").SerializeToString())
    return folder


def test_run_shows_where_the_time_goes(model, tmp_path, monkeypatch):
    monkeypatch.setenv("SARDONYX_PASSES_DISABLED", "absorb_scales,fuse_bias,fuse_epilogues")  # which make one node of the two
    trace = tmp_path / "trace.json"
    report = json.loads(tool("run", model, "-i", "x=random:2x3", "-n", 4, f"--profile={trace}", "--json").stdout)["profile"]
    assert report["file"] == str(trace) and report["runs"] == 3
    assert {row["operator"]: row["calls"] for row in report["by_operator"]} == {"MatMul": 3, "Add": 3}
    assert {row["node"]: row["op"] for row in report["by_node"]} == {"product": "MatMul", "sum": "Add"}
    assert sum(row["share"] for row in report["by_node"]) == pytest.approx(1)
    assert sum(row["ms"] for row in report["by_operator"]) == pytest.approx(report["ms"])
    product = next(row for row in report["by_operator"] if row["operator"] == "MatMul")
    assert product["gflops"] == pytest.approx(3 * 2 * 2 * 2 * 3 / (product["ms"] * 1e6)) and product["kernels"]
    assert sum(event["name"] == "model_run" for event in json.loads(trace.read_text())) == 4
    text = tool("run", model, "-i", "x=random:2x3", f"--profile={trace}").stdout
    assert "MatMul" in text and "product" in text and "GFLOP/s" in text and str(trace) in text


def test_run_names_its_profile_after_the_time(model, tmp_path):
    done = subprocess.run([TOOL, "run", model, "-i", "x=random:2x3", "--profile"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    written = [path.name for path in tmp_path.glob("*.json")]
    assert done.returncode == SUCCESS and len(written) == 1 and written[0].startswith("sardonyx_profile_") and written[0] in done.stdout


def test_run_leaves_no_profile_where_it_fails(model, tmp_path):
    trace = tmp_path / "trace.json"
    assert tool("run", model, f"--profile={trace}", "-i", "x=random:2x9").returncode == RUN_FAILED
    assert tool("run", tmp_path / "missing.onnx", f"--profile={trace}").returncode == BAD_MODEL
    assert list(tmp_path.glob("trace*")) == []
    missing = tool("run", model, f"--profile={tmp_path}/missing/trace.json", "-i", "x=random:2x3")
    assert missing.returncode == BAD_FILE and "missing/trace.json" in missing.stderr


def test_compare_names_the_worst_element(model, tmp_path):
    good = store(tmp_path / "test_data_set_0", X, Y)
    wrong = Y.copy()
    wrong[1, 0] += 0.5
    bad = store(tmp_path / "test_data_set_1", X, wrong)
    assert tool("compare", model, good).returncode == SUCCESS
    done = tool("compare", model, good, bad, "--json")
    assert done.returncode == DIFFERENT
    report = json.loads(done.stdout)
    assert [s["status"] for s in report["sets"]] == ["pass", "fail"]
    assert report["sets"][1]["outputs"][0]["where"] == "[1,0]" and "1 of 4 elements differ" in report["message"]
    (model.parent / "tol").write_text("1.0 1.0")
    assert tool("compare", model, good, bad).returncode == SUCCESS


def test_compare_runs_a_list(model, tmp_path):
    good = store(tmp_path / "test_data_set_0", X, Y)
    cases = tmp_path / "cases"
    cases.write_text(f"{model}\t{good}\n{tmp_path}/none.onnx\t{good}\n")
    done = tool("compare", "--list", cases, "--json")
    assert done.returncode == DIFFERENT
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["pass", "error"]


def test_knobs_are_listed():
    knobs = json.loads(tool("knobs", "--json").stdout)
    assert {"SARDONYX_ISA", "SARDONYX_THREADS", "SARDONYX_LOG_LEVEL"} <= {k["environment"] for k in knobs}
    assert knobs == sorted(knobs, key=lambda k: k["name"])


def test_operators_are_listed():
    operators = json.loads(tool("operators", "--json").stdout)
    assert operators == sorted(operators, key=lambda o: (o["domain"], o["op"]))
    assert {"Conv", "MatMul", "Loop"} <= {o["op"] for o in operators if o["domain"] == "ai.onnx"}
    assert "Conv" in tool("operators").stdout


def test_the_exit_status_says_what_failed(model, tmp_path):
    def fails(status, text, *arguments):
        done = tool(*arguments)
        assert done.returncode == status, done.stderr + done.stdout
        assert text in done.stderr and not done.stdout, done.stderr

    fails(BAD_MODEL, "none.onnx", "run", tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("this is no model")
    fails(BAD_MODEL, "text.onnx", "inspect", tmp_path / "text.onnx")
    fails(USAGE, "--input x=FILE.npy", "run", model)
    fails(USAGE, 'no input "z"', "run", model, "--input", "z=random:2")
    fails(USAGE, "1x3x224x224", "run", model, "--input", "x=random:2y")
    fails(BAD_FILE, "none.npy", "run", model, "--input", f"x={tmp_path}/none.npy")
    fails(BAD_FILE, "cut off", "run", model, "--input", f"x={cut_off(tmp_path)}")
    fails(RUN_FAILED, "Got invalid dimensions for input: x", "run", model, "--input", "x=random:2x4")
    assert tool("frobnicate").returncode == USAGE
    assert tool("--help").returncode == SUCCESS


def cut_off(folder):
    np.save(folder / "whole.npy", X)
    (folder / "cut.npy").write_bytes((folder / "whole.npy").read_bytes()[:-4])
    return folder / "cut.npy"


def test_passes_and_operators_are_listed():
    passes = json.loads(tool("passes", "--json").stdout)
    assert {"fold_constants", "fuse_attention"} <= {one["pass"] for one in passes}
    assert {one["level"] for one in passes} <= {"basic", "extended", "layout"} and {one["exactness"] for one in passes} == {"bits", "codes", "rounding"}
    assert tool("passes").stdout.count("\n") == len(passes)


def test_explain_says_what_was_rewritten_and_what_runs(model, tmp_path):
    report = json.loads(tool("explain", model, "--json").stdout)
    assert [(one["pass"], one["what"], one["origins"]) for one in report["rewrites"]] == [("absorb_scales", "MatMul + Add", ["product", "sum"])]
    assert [(step["op"], step["mode"], step["provider"]) for step in report["steps"]] == [("Gemm", "planned", "CPUExecutionProvider")]
    assert report["memory"]["schedule"] is None
    sized = json.loads(tool("explain", model, "--json", "-s", "batch=4").stdout)
    assert [(at["operations"], at["moved"]) for at in sized["memory"]["schedule"]] == [(2 * 4 * 2 * 3, 4 * (4 * 3 + 3 * 2 + 2 + 4 * 2))]
    text = tool("explain", model, "--all").stdout
    assert "MatMul + Add [product, sum]" in text and "gemm" in text
    alone = json.loads(tool("explain", model, "--json", "--providers", "CPUExecutionProvider", "--cost").stdout)
    assert alone["providers"] == ["CPUExecutionProvider"] and alone["copies"] == 0 and alone["placements"] == []
    unknown = tool("explain", model, "--providers", "CPU,Nobody")
    assert unknown.returncode != SUCCESS and 'Unknown provider name "Nobody"' in unknown.stderr
    page = tmp_path / "why.html"
    assert tool("explain", model, "--html", page).returncode == SUCCESS
    assert "MatMul + Add" in page.read_text() and "http" not in page.read_text().replace("http-equiv", "")


def test_verify_compares_with_plain_references(model):
    done = tool("verify", model, "-i", "x=random:2x3", "--json", "--bisect")
    report = json.loads(done.stdout)
    assert done.returncode == SUCCESS and report["status"] == "pass" and "culprit" not in report
    # Asked for equal bits, it names what differs first, if anything does.
    done = tool("verify", model, "-i", "x=random:64x3", "--rtol", 0, "--atol", 0, "--json", "--bisect")
    report = json.loads(done.stdout)
    assert (done.returncode, report["status"]) in ((SUCCESS, "pass"), (DIFFERENT, "fail"))
    assert report["status"] == "pass" or report["culprit"]["kind"] in ("kernels", "precision", "rewrite")
