#!/usr/bin/env python3
"""Single operators beside onnxruntime, with shapes as models have them.

    python tools/bench_operators.py [NAME ...] [--families image,pool,...] [--threads 1] [--rounds 5] [--seconds 0.02]
                                    [--below RATIO] [--json FILE] [--markdown FILE]

NAMEs are parts of cases' names. A case is a model of one node; both engines run it in this process, in turns in every round, and a time
is the least of all rounds, in microseconds. The ratio is onnxruntime's time over ours: above 1.00 Sardonyx is faster. Outputs that differ
are marked: differences that are known are in docs/differences.md. --below leaves out what is faster than that; --markdown writes
docs/operator_speed.md. Cases are in tools/operator_cases/.
"""
import argparse
import importlib
import json
import math
import os
import sys
from pathlib import Path

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import numpy as np
from onnx import helper, numpy_helper

from bench_common import geomean, least_time, processor
from operator_cases import Constant

ENGINES = ("sardonyx", "onnxruntime")
FAMILIES = ("image", "pool", "index", "math", "linalg", "transformer")


def model_of(case):
    """The model's bytes, and what it is fed with."""
    names = ["" if value is None else f"x{i}" for i, value in enumerate(case.inputs)]
    feeds = {name: np.asarray(value) for name, value in zip(names, case.inputs)
             if value is not None and not isinstance(value, Constant)}
    constants = [numpy_helper.from_array(value.value, name) for name, value in zip(names, case.inputs)
                 if isinstance(value, Constant)]
    outputs = [f"y{i}" for i in range(case.outputs)]
    node = helper.make_node(case.op, names, outputs, domain=case.domain, **case.attributes)
    graph = helper.make_graph(
        [node], "operator",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
         for name, value in feeds.items()],
        [helper.make_empty_tensor_value_info(name) for name in outputs], constants)
    opsets = [helper.make_opsetid("", case.opset)] + ([helper.make_opsetid(case.domain, 1)] if case.domain else [])
    return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString(), feeds


def runner(engine, model, feeds, threads):
    """A function that runs the model once, or None and why there is none."""
    module = importlib.import_module(engine)
    options = module.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    try:
        session = module.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        session.run(None, feeds)
    except Exception as error:  # an engine that lacks the operator is no reason to stop
        return None, str(error).splitlines()[0]
    return lambda: session.run(None, feeds), None


def is_close(ours, theirs):
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    if ours.dtype.kind not in "fc":
        return bool((ours == theirs).all())
    scale = np.abs(theirs[np.isfinite(theirs)]).max(initial=0)
    return np.allclose(ours, theirs, rtol=1e-3, atol=1e-5 + 1e-4 * scale, equal_nan=True)


def measure(case, threads, rounds, seconds):
    model, feeds = model_of(case)
    row = {"case": case.name}
    runs = {}
    for engine in ENGINES:
        runs[engine], row[engine + "_error"] = runner(engine, model, feeds, threads)
    if None in runs.values():
        return row
    for engine in ENGINES:
        row[engine] = math.inf
    for _ in range(rounds):
        for engine, run in runs.items():
            row[engine] = min(row[engine], least_time(run, seconds))
    outputs = [run() for run in runs.values()]
    row["same"] = all(is_close(a, b) for a, b in zip(*outputs))
    row["ratio"] = row["onnxruntime"] / row["sardonyx"]
    return row


def line_of(row):
    for engine in ENGINES:
        if row[engine + "_error"]:
            return f"{row['case']:44s} {engine}: {row[engine + '_error']}"
    return (f"{row['case']:44s}{row['sardonyx'] * 1e6:12.1f}{row['onnxruntime'] * 1e6:12.1f}{row['ratio']:8.2f}"
            + ("" if row["same"] else "  differs"))


def summary_of(rows):
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    if not ratios:
        return "no case ran in both engines"
    return (f"{len(ratios)} cases: geometric mean {geomean(ratios):.2f}, least {min(ratios):.2f}, "
            f"{sum(ratio < 1 for ratio in ratios)} below 1")


def markdown_of(rows, threads):
    import onnxruntime

    lines = ["# Single operators beside onnxruntime", "",
             f"`./dev bench operators --markdown docs/operator_speed.md` on {processor()}, "
             f"{threads} thread{'s' if threads > 1 else ''}, onnxruntime {onnxruntime.__version__}. "
             "A case is a model of one node; microseconds are the least of all rounds, what a call from Python costs "
             "included; the ratio is onnxruntime's time over ours.", "", summary_of(rows) + ".", ""]
    for family in dict.fromkeys(row["family"] for row in rows):
        own = [row for row in rows if row["family"] == family]
        lines += [f"## {family}", "", summary_of(own) + ".", "",
                  "| case | sardonyx | onnxruntime | ratio |", "|---|---|---|---|"]
        for row in own:
            name = row["case"].replace("|", "\\|")
            if "ratio" not in row:
                lacking = next(engine for engine in ENGINES if row[engine + "_error"])
                lines.append(f"| {name} | | | {lacking} does not run it |")
                continue
            lines.append(f"| {name} | {row['sardonyx'] * 1e6:.1f} | {row['onnxruntime'] * 1e6:.1f} | {row['ratio']:.2f} |")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.02, help="of one engine and case in a round")
    parser.add_argument("--below", type=float, default=math.inf, metavar="RATIO")
    parser.add_argument("--json")
    parser.add_argument("--markdown")
    args = parser.parse_args()
    rows = []
    print(f"{'operator':44s}{'sardonyx':>12s}{'onnxruntime':>12s}{'ratio':>8s}")
    for family in args.families.split(","):
        for case in importlib.import_module(f"operator_cases.{family}").CASES:
            if args.names and not any(name.lower() in case.name.lower() for name in args.names):
                continue
            rows.append({"family": family, **measure(case, args.threads, args.rounds, args.seconds)})
            if rows[-1].get("ratio", 0) <= args.below:
                print(line_of(rows[-1]), flush=True)
    print(summary_of(rows))
    if args.markdown:
        Path(args.markdown).write_text(markdown_of(rows, args.threads))
    if args.json:
        Path(args.json).write_text(json.dumps({"threads": args.threads, "rows": rows}, indent=1))


if __name__ == "__main__":
    sys.exit(main())
