#!/usr/bin/env python3
"""A seeded sweep over the com.microsoft operators: models of one node, run by Sardonyx and by the pinned onnxruntime.

    python tests/contrib/against_onnxruntime.py [--ops A,B] [--count 200] [--seed 1] [--first 0] [--show 3]

Shapes, types, attributes and missing inputs are drawn by the generators of *_cases.py. An answer that differs by more than its type
allows (LIMITS), or that only onnxruntime gives, is a failure; what both refuse, or onnxruntime alone, is counted beside. Every
operator runs in its own process. A failing case is run again alone with --ops OP --first N --count 1.
"""
import argparse
import collections
import importlib
import json
import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
FAMILIES = ("elementwise_cases", "product_cases", "quantized_cases", "attention_cases", "text_cases")
LIMITS = {"float16": 5e-3, "float32": 2e-5, "float64": 1e-7}  # of the largest magnitude; integers and text must be equal
SHORT = ("", "com.microsoft")


def generators():
    return {name: make for family in FAMILIES for name, make in importlib.import_module(family).CASES.items()}


def build(case):
    """case: op, inputs (name, array or None, constant) in order, outputs (type or None for one that is left out), attributes, domain."""
    inputs, constants, names = [], [], []
    for name, value, constant in case["inputs"]:
        names.append("" if value is None else name)
        if value is None:
            continue
        if constant:
            constants.append(numpy_helper.from_array(value, name))
        else:
            kind = TensorProto.STRING if value.dtype == object else helper.np_dtype_to_tensor_dtype(value.dtype)
            inputs.append(helper.make_tensor_value_info(name, kind, [f"{name}_{d}" for d in range(value.ndim)]))
    while names and not names[-1]:
        names.pop()
    outputs = [f"y{i}" if t is not None else "" for i, t in enumerate(case["outputs"])]
    infos = [helper.make_tensor_value_info(o, t, None) for o, t in zip(outputs, case["outputs"]) if o]
    node = helper.make_node(case["op"], names, outputs, name="node", domain=case.get("domain", "com.microsoft"), **case["attributes"])
    graph = helper.make_graph([node], "case", inputs, infos, constants)
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)])
    return model.SerializeToString()


def answer(engine, model, case, optimized):
    options = engine.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    if not optimized:
        options.graph_optimization_level = engine.GraphOptimizationLevel.ORT_DISABLE_ALL
    feeds = {name: value for name, value, constant in case["inputs"] if value is not None and not constant}
    try:
        return engine.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, feeds), ""
    except Exception as e:
        return None, f"{type(e).__name__}: {e}"


def differences(found, wanted, case):
    for i, (f, w) in enumerate(zip(found, wanted)):
        if f.shape != w.shape:
            return f"output {i} has shape {list(f.shape)}, {list(w.shape)} wanted"
        if f.dtype != w.dtype:
            return f"output {i} has type {f.dtype}, {w.dtype} wanted"
        if w.dtype.kind != "f":
            bad = np.argwhere(f != w)
            if bad.size:
                at = tuple(bad[0])
                return f"output {i} differs at {len(bad)} of {w.size} elements, first {f[at]!r}, {w[at]!r} wanted"
            continue
        bad = np.isnan(w) != np.isnan(f)
        if bad.any():
            return f"output {i} has {int(np.isnan(f).sum())} NaNs, {int(np.isnan(w).sum())} wanted"
        finite = np.isfinite(w)
        if not np.array_equal(f[~finite], w[~finite], equal_nan=True):
            return f"output {i} has other infinities"
        if not finite.any():
            continue
        a, b = f[finite].astype(np.float64), w[finite].astype(np.float64)
        limit = case.get("limit", LIMITS[w.dtype.name])
        off = np.max(np.abs(a - b)) / max(np.max(np.abs(b)), case.get("least", 1e-30))
        if not off <= limit:
            return f"output {i} is {off:.1e} off, {limit:.0e} allowed"
    return ""


def describe(case):
    shapes = ", ".join(f"{n}:{'-' if v is None else str(v.dtype) + str(list(v.shape))}{'=' if c else ''}" for n, v, c in case["inputs"])
    return f"({shapes}) {case['attributes']} outputs {[t is not None for t in case['outputs']]}"


def sweep(op, make, options):
    import onnxruntime
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    counts, shown = collections.Counter(), []
    for k in range(options.first, options.first + options.count):
        print(f"AT {k}", flush=True)
        rng = np.random.default_rng([options.seed, k])
        case = make(rng)
        case.setdefault("op", op)
        model = build(case)
        optimized = bool(rng.integers(2))
        wanted, refused = answer(onnxruntime, model, case, optimized)
        found, message = answer(sardonyx, model, case, optimized)
        if wanted is None:
            outcome = "both refuse" if found is None else "only here"
            if options.verbose:
                shown.append(f"{op} {k}: {outcome}: onnxruntime says {refused[:300]}\n    {describe(case)}")
        elif found is None:
            outcome, refused = "failed", f"refused: {message}"
        else:
            wrong = differences(found, wanted, case)
            outcome, refused = ("failed", wrong) if wrong else ("same", "")
        counts[outcome] += 1
        if outcome == "failed":
            shown.append(f"FAILED {op} {k}: {refused}\n    {describe(case)}")
    print("RESULT " + json.dumps([counts, shown]))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--ops", help="these only, separated by commas")
    ap.add_argument("--count", type=int, default=200, help="cases an operator")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--first", type=int, default=0)
    ap.add_argument("--show", type=int, default=3, help="failures shown for an operator")
    ap.add_argument("--verbose", action="store_true", help="show what onnxruntime refuses, too")
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    a = ap.parse_args()
    makers = generators()
    ops = a.ops.split(",") if a.ops else list(makers)
    if a.worker:
        sweep(ops[0], makers[ops[0]], a)
        return 0
    print(f"seed {a.seed}, {a.count} cases an operator, onnx {onnx.__version__}")
    print(f"{'operator':34} {'same':>5} {'failed':>6} {'both refuse':>11} {'only here':>9}")
    passed = failed = 0
    for op in ops:
        command = [sys.executable, os.path.abspath(__file__), "--worker", "--ops", op, "--count", str(a.count), "--seed", str(a.seed), "--first", str(a.first)]
        done = subprocess.run(command + ["--verbose"] * a.verbose, capture_output=True, text=True, errors="replace", check=False)
        lines = done.stdout.splitlines()
        if done.returncode or not lines[-1].startswith("RESULT "):
            at = next((line for line in reversed(lines) if line.startswith("AT ")), "AT none")
            counts, shown = {"failed": 1}, [f"FAILED {op}: died at case {at[3:]}: {done.stderr[-300:]}"]
        else:
            counts, shown = json.loads(lines[-1][len("RESULT "):])
        print(f"{op:34} " + " ".join(f"{counts.get(k, 0):>{w}}" for k, w in (("same", 5), ("failed", 6), ("both refuse", 11), ("only here", 9))))
        for line in shown[: a.show]:
            print(line)
        passed, failed = passed + sum(n for k, n in counts.items() if k != "failed"), failed + counts.get("failed", 0)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
