#!/usr/bin/env python3
"""Run exported models through Sardonyx's Python module and compare with what their source frameworks answered.

    python tests/exporters/run.py [FOLDER] [--filter REGEX]

FOLDER (tests/data/exporters) is what make.py wrote. Every model runs at the lowest and at the highest level of optimization. The
distance that is allowed is a part of the wanted output's largest magnitude, by its type (TOLERANCE); labels, integers and text must be equal.
Which fused operators must be left of a model, fused.py says.
"""
import argparse
import os
import re
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import case  # noqa: E402
import fused  # noqa: E402

# The frameworks compute in the model's own type, in another order of sums (scikit-learn in float64 where the model has float32).
TOLERANCE = {"float16": 4e-3, "float32": 1e-5, "float64": 1e-11}


def difference(found, wanted):
    """'' or what is wrong."""
    found = case.plain(found)
    if found.shape != wanted.shape:
        return f"has shape {list(found.shape)}, {list(wanted.shape)} wanted"
    if found.dtype.kind != wanted.dtype.kind or (found.dtype.kind != "U" and found.dtype != wanted.dtype):
        return f"has type {found.dtype}, {wanted.dtype} wanted"
    if wanted.dtype.kind not in "fc":
        bad = np.count_nonzero(found != wanted)
        return f"differs at {bad} of {wanted.size} elements" if bad else ""
    finite = np.isfinite(wanted)
    if not np.array_equal(found[~finite], wanted[~finite], equal_nan=True):
        return "has other NaNs or infinities"
    if not finite.any():
        return ""
    f, w = found[finite].astype(np.float64), wanted[finite].astype(np.float64)
    off = np.max(np.abs(f - w)) / max(np.max(np.abs(w)), 1e-30)
    return "" if off <= TOLERANCE[wanted.dtype.name] else f"is {off:.1e} off, {TOLERANCE[wanted.dtype.name]:.0e} allowed"


def check(engine, one):
    """Yields what is wrong with the case."""
    for level in ("ORT_DISABLE_ALL", "ORT_ENABLE_ALL"):
        options = engine.SessionOptions()
        options.graph_optimization_level = getattr(engine.GraphOptimizationLevel, level)
        session = engine.InferenceSession(one.model, options, providers=["CPUExecutionProvider"])
        for k, (inputs, wanted) in enumerate(one.runs):
            outputs = session.run(None, inputs)
            if len(outputs) != len(wanted):
                yield f"{level}, run {k}: {len(outputs)} outputs, {len(wanted)} wanted"
            for output, f, w in zip(session.get_outputs(), outputs, wanted):
                wrong = difference(f, w)
                if wrong:
                    yield f"{level}, run {k}: {output.name} {wrong}"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folder", nargs="?", default=os.path.join(ROOT, "tests", "data", "exporters"))
    ap.add_argument("--filter", default="", help="only models whose name matches")
    a = ap.parse_args()
    import sardonyx

    sardonyx.set_default_logger_severity(4)
    passed = failed = 0
    for name in case.names(a.folder):
        if not re.search(a.filter, name):
            continue
        try:
            one = case.read(a.folder, name)
            wrong = [*check(sardonyx, one), *fused.check(sardonyx, one)]
        except Exception as e:
            wrong = [f"{type(e).__name__}: {e}"]
        for line in wrong[:3]:
            print(f"FAILED {name}: {line}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
