#!/usr/bin/env python3
"""Seeded random graphs of what passes look for: values after each pass alone and all together, against those without any pass.

    python tests/passes/random_graphs.py [--count 150 | --all] [--seed 1] [--graph N] [--keep FILE.onnx]

A pass that keeps bits must keep them (but for the payload of NaNs); one that only rounds may move what rounding may reach by the
tolerance of its type in builder.FLOATS, times the largest finite magnitude of the output or 1. What is saved after the basic and
the extended passes must pass onnx.checker, load again with the same bits, and load in onnxruntime with the same values to that
tolerance where the original does. Traits of a graph (subgraphs, zero sizes, ...) come in turn and by chance; a graph is a function of seed and number:
--seed and --graph show its rewrites.
"""
import argparse
import collections
import dataclasses
import functools
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ["SARDONYX_PASSES_VERIFIED"] = "1"  # the graph after each pass; who reads a weight that is not made yet crashes

from builder import FLOATS, INTEGERS, TRAITS, Builder, onnx_type  # noqa: E402
from pieces import add_piece  # noqa: E402

WANTED = {"subgraphs": 300, "qdq": 300, "integers": 300, "half": 300, "empty": 300, "twice": 300}  # graphs of 2,000 that have them
CLI = os.environ.get("SARDONYX_CLI", os.path.join(HERE, "..", "..", "build", "dev", "bin", "sardonyx"))


def make(seed, number):
    """The builder and its model."""
    rng = np.random.default_rng([seed, number])
    traits = {TRAITS[number % len(TRAITS)], *(t for t in TRAITS if rng.random() < 0.1)}
    b = Builder(rng, frozenset(traits))
    with np.errstate(all="ignore"):
        for _ in range(b.integer(3, 12)):
            add_piece(b)
    b.output(b.values[-1])
    for value in b.unused():
        if b.chance(0.9):  # the others are dead
            b.output(value)
    opset = int(rng.choice([21, 22] if b.float.itemsize == 2 else [18, 21, 22]))  # older QDQ knows no half
    graph = b.graph("g", b.inputs, b.outputs)
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", opset)])
    return b, model


def features(b, model):
    """Which of WANTED the graph has, whatever it was meant to have."""
    nodes = list(model.graph.node)
    bodies = [a.g for n in nodes for a in n.attribute if a.HasField("g")]
    ops = {n.op_type for n in nodes}.union(*({n.op_type for n in body.node} for body in bodies))
    has = {
        "subgraphs": bool(bodies),
        "qdq": {"QuantizeLinear", "DequantizeLinear"} <= ops,
        "integers": any(v.dtype in INTEGERS for v in b.values),
        "half": any(v.dtype == np.float16 for v in b.values),
        "empty": any(0 in v.shape for v in b.values),
        "twice": "twice" in b.traits,  # every value between the nodes has a second user
    }
    return [name for name, it_has in has.items() if it_has]


def passes_of_engine():
    listed = subprocess.run([CLI, "passes", "--json"], capture_output=True, text=True, check=True).stdout
    return {p["pass"]: p["exactness"] for p in json.loads(listed)}


class Wrong(Exception):
    pass


class NotFinite(Wrong):
    """Other NaNs or infinities: Winograd spreads those of a convolution over a tile (docs/differences.md)."""


def run(engine, model, feed, level, disabled=(), saved=None, winograd="auto"):
    options = engine.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = getattr(engine.GraphOptimizationLevel, "ORT_" + level)
    options.add_session_config_entry("sardonyx.winograd", winograd)
    if disabled:
        options.add_session_config_entry("optimization.disable_specified_optimizers", ";".join(disabled))
    if saved:
        options.optimized_model_filepath = saved
    return engine.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, feed)


def difference(found, wanted, value, exact):
    """What is wrong with an output; "": nothing."""
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return f"{found.dtype}{list(found.shape)}, not {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype == object or wanted.size == 0:
        return "" if np.array_equal(found, wanted) else "other text"
    is_float = wanted.dtype in FLOATS
    if wanted.dtype == np.float16 and value.rough and not exact:
        # What overflowed on the way, or became no number of it, need not where float16 is computed in float32.
        kept = np.isfinite(wanted.astype(np.float64))
        found, wanted = found[kept], wanted[kept]
    if is_float:
        nan = np.isnan(wanted.astype(np.float64))
        if not np.array_equal(nan, np.isnan(found.astype(np.float64))):
            return "other NaNs"
    if exact or not value.rough:
        bits = f"u{wanted.dtype.itemsize}"
        same = found.view(bits) == wanted.view(bits)
        same = same | nan if is_float else same
        at = np.argwhere(~same)
        return f"other bits at {list(map(int, at[0]))}: {found[tuple(at[0])]!r}, not {wanted[tuple(at[0])]!r}" if len(at) else ""
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return "other infinities"
    if not finite.any():
        return ""
    off = float(np.max(np.abs(a[finite] - b[finite]))) / max(1.0, float(np.max(np.abs(b[finite]))))
    return "" if off <= value.rough else f"{off:.1e} off, {value.rough:.0e} allowed"


def compare(what, found, wanted, values, exact):
    for f, w, value in zip(found, wanted, values):
        wrong = difference(np.asarray(f), np.asarray(w), value, exact)
        if wrong:
            raise (NotFinite if wrong.startswith(("other NaNs", "other infinities")) else Wrong)(f"{what}: output {value.name}: {wrong}")


def compare_optimized(what, run_with, wanted, values, exact):
    """`run_with(winograd)`: once more without Winograd where something is not finite."""
    try:
        compare(what, run_with("auto"), wanted, values, exact)
    except NotFinite:
        compare(f"{what}, without Winograd", run_with("off"), wanted, values, exact)


def bounded(values):
    """onnxruntime's Clip without bounds makes the largest number of infinity, which text shows."""

    def one(v):
        if v.dtype == object:
            return np.zeros(v.shape, object)
        return np.clip(v, np.finfo(v.dtype).min, np.finfo(v.dtype).max) if v.dtype in FLOATS else v

    return [one(np.asarray(v)) for v in values]


def check_form(model):
    """onnx.checker, for which onnxruntime's own operator in the standard's domain gets onnxruntime's domain."""
    for node in model.graph.node:
        if node.op_type == "SimplifiedLayerNormalization":
            node.domain = "com.microsoft"
    if all(known.domain != "com.microsoft" for known in model.opset_import):
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.checker.check_model(model)


def check_saved(engine, peer, model, b, folder, wanted):
    """`wanted`: values without passes."""
    reference = None
    least = {np.dtype(np.float64): 1e-6}  # onnxruntime's FastGelu computes with floats
    loose = [dataclasses.replace(v, rough=max(v.rough, FLOATS.get(v.dtype, 0), least.get(v.dtype, 0))) for v in b.outputs]
    if b.kills_peer:
        peer = None
    if peer is not None:
        try:
            reference = bounded(run(peer, model, b.feed, "DISABLE_ALL"))
        except Exception:  # what onnxruntime has no kernel for
            peer = None
    for level in ("BASIC", "EXTENDED"):
        path = os.path.join(folder, f"{level}.onnx")
        made = run(engine, model, b.feed, f"ENABLE_{level}", saved=path)
        compare(f"level {level}", made, wanted, b.outputs, False)
        try:
            check_form(onnx.load(path))
            compare(f"saved after {level}", run(engine, path, b.feed, "DISABLE_ALL"), made, b.outputs, True)
        except Wrong:
            raise
        except Exception as e:
            raise Wrong(f"saved after {level}: {type(e).__name__}: {str(e)[:300]}") from e
        if peer is None:
            continue
        try:
            theirs = bounded(run(peer, path, b.feed, "DISABLE_ALL"))
            for i, value in enumerate(loose):
                # What onnxruntime itself gives otherwise (a Clip without bounds makes infinity finite) says nothing of what was saved.
                if not difference(bounded(wanted)[i], reference[i], value, False):
                    compare(f"saved after {level}, in onnxruntime", [theirs[i]], [reference[i]], [value], False)
        except Wrong:
            raise
        except Exception as e:
            raise Wrong(f"saved after {level}, onnxruntime: {str(e)[:300]}") from e
    return peer is not None


def check(engine, peer, passes, b, proto, folder):
    """True where onnxruntime looked at it too. Raises what is wrong."""
    model = proto.SerializeToString()
    onnx.checker.check_model(proto)
    wanted = run(engine, model, b.feed, "DISABLE_ALL")
    for value, made in zip(b.outputs, wanted):
        if tuple(np.shape(made)) != value.shape:
            raise RuntimeError(f"{value.name} has shape {np.shape(made)}, {value.shape} expected")
    wrong = []
    for name, exactness in passes.items():
        try:
            others = [other for other in passes if other != name]
            alone = functools.partial(run, engine, model, b.feed, "ENABLE_ALL", others, None)
            compare_optimized(f"{name} alone", alone, wanted, b.outputs, exactness == "bits")
        except Exception as e:
            wrong.append(str(e) if isinstance(e, Wrong) else f"{name} alone: {e}")
    try:
        compare_optimized("all passes", functools.partial(run, engine, model, b.feed, "ENABLE_ALL", (), None), wanted, b.outputs, False)
        seen = check_saved(engine, peer, model, b, folder, wanted)
    except Exception as e:
        wrong.append(str(e))
    if wrong:
        raise Wrong("; ".join(wrong[:3]))
    return seen


def show(seed, number, keep):
    b, model = make(seed, number)
    with tempfile.TemporaryDirectory() as folder:
        path = keep or os.path.join(folder, "graph.onnx")
        onnx.save(model, path)
        print(onnx.printer.to_text(model) if keep is None else f"saved as {path}")
        subprocess.run([CLI, "explain", path], check=False)


def worker(a):
    import sardonyx

    try:
        import onnxruntime as peer

        peer.set_default_logger_severity(4)
    except ImportError:
        peer = None
    sardonyx.set_default_logger_severity(4)
    passes = passes_of_engine()
    canary = helper.make_graph([helper.make_node("Identity", ["x"], ["a"]), helper.make_node("Neg", ["a"], ["y"])], "g",
                               [helper.make_tensor_value_info("x", 1, [1])], [helper.make_tensor_value_info("y", 1, [1])])  # fmt: skip
    if "Identity" in sardonyx.InferenceSession(helper.make_model(canary, ir_version=9).SerializeToString()).dump_graph():
        raise SystemExit(f"{sardonyx.__file__} runs no passes: it is another build")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(a.first, a.count, a.step):
            print(json.dumps({"at": number}), flush=True)
            seen, traits = False, []
            try:
                b, model = make(a.seed, number)
                traits = features(b, model)
                seen, text = check(sardonyx, peer, passes, b, model, folder), ""
            except Exception as e:
                text = f"{type(e).__name__}: {e}"
            print(json.dumps({"graph": number, "peer": seen, "traits": traits, "wrong": text[:900]}), flush=True)


def work(a, first, step):
    """Two processes share the graphs; one that dies is its graph's failure, and the next goes on behind it."""
    while first < a.count:
        command = [sys.executable, os.path.abspath(__file__), "--worker", "--first", str(first), "--step", str(step), "--count", str(a.count), "--seed", str(a.seed)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            said = json.loads(line)
            first = said.get("at", first)
            if "graph" in said:
                yield said
                first = said["graph"] + step
        if process.wait() == 0:
            return
        yield {"graph": first, "peer": False, "traits": [], "wrong": f"the process died ({process.returncode})"}
        first += step


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--count", type=int, default=150)
    ap.add_argument("--all", action="store_true", help="2,000 graphs")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--graph", type=int, help="this one alone, with its rewrites")
    ap.add_argument("--keep", metavar="FILE", help="where --graph leaves the model")
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    ap.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    ap.add_argument("--step", type=int, default=1, help=argparse.SUPPRESS)
    a = ap.parse_args()
    a.count = 2000 if a.all else a.count
    if a.worker:
        return worker(a)
    if a.graph is not None:
        show(a.seed, a.graph, a.keep)
        a.first, a.count = a.graph, a.graph + 1
    print(f"seed {a.seed}, graphs {a.first} to {a.count - 1}", flush=True)
    failed = peers = 0
    traits = collections.Counter()
    for said in work(a, a.first, 1):
        traits.update(said["traits"])
        peers += said["peer"]
        if said["wrong"]:
            failed += 1
            print(f"FAILED graph {said['graph']}: {said['wrong']}", flush=True)
    print("graphs with " + ", ".join(f"{name} {traits[name]}" for name in WANTED))
    if a.all:
        for name in (name for name, least in WANTED.items() if traits[name] < least):
            print(f"FAILED: {traits[name]} graphs have {name}, {WANTED[name]} are wanted")
            failed += 1
    print(f"{peers} saved models loaded in onnxruntime too")
    print(f"{max(a.count - a.first - failed, 0)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
