#!/usr/bin/env python3
"""What exporters write for one thing, form by form: the nodes that are left after all passes, and the values against onnx.reference.

    python tests/passes/forms.py [--filter nbits] [--keep FOLDER]

A form is a function that writes a model (sheet.py) and how many nodes of some operators it must end with. Values are those of the
reference evaluator, to the relative tolerance that builder.FLOATS gives float32; so are those of onnxruntime on what is saved after
the extended passes, where it is installed.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("SARDONYX_PASSES_VERIFIED", "1")

import forms_attention  # noqa: E402
import forms_norms  # noqa: E402
import forms_rotary  # noqa: E402
import forms_weights  # noqa: E402
from builder import FLOATS  # noqa: E402
from random_graphs import run  # noqa: E402

CLI = os.environ.get("SARDONYX_CLI", os.path.join(HERE, "..", "..", "build", "dev", "bin", "sardonyx"))
MODULES = [forms_weights, forms_attention, forms_rotary, forms_norms]


def explained(path):
    """Nodes by operator, and what nearly happened."""
    ran = subprocess.run([CLI, "explain", path, "--json"], capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip())
    made = json.loads(ran.stdout)
    return collections.Counter(step["op"] for step in made["steps"]), made["declined"]


def difference(found, wanted):
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return f"{found.dtype}{list(found.shape)}, not {wanted.dtype}{list(wanted.shape)}"
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    if not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return "other infinities or NaNs"
    kept = np.isfinite(b)
    off = np.max(np.abs(a[kept] - b[kept]), initial=0) / max(1.0, np.max(np.abs(b[kept]), initial=0))
    allowed = FLOATS[np.dtype(np.float32)]
    return "" if off <= allowed else f"{off:.1e} off, {allowed:.0e} allowed"


def check(engine, peer, name, sheet, wanted, folder):
    """What is wrong, line by line."""
    model, path = sheet.model(), os.path.join(folder, name + ".onnx")
    onnx.save(model, path)
    onnx.checker.check_model(model)
    found, declined = explained(path)
    wrong = [f"{found[op]} {op}, {count} wanted" for op, count in wanted.items() if found[op] != count]
    if wrong:
        left = ", ".join(f"{count} {op}" for op, count in sorted(found.items()))
        wrong += [f"left: {left}"] + [f"declined: {d['node']}: {d['reason']}" for d in declined]
    saved = os.path.join(folder, name + "_saved.onnx")
    made = {"output": run(engine, path, sheet.feed, "ENABLE_ALL"), "saved output": run(engine, path, sheet.feed, "ENABLE_EXTENDED", saved=saved)}
    if peer is not None:
        made["onnxruntime's output"] = run(peer, saved, sheet.feed, "DISABLE_ALL")
    expected = getattr(sheet, "expected", None)  # where the reference evaluator has no such operator
    if expected is None:
        expected = ReferenceEvaluator(model).run(None, sheet.feed)
    for what, values in made.items():
        for output, f, w in zip(sheet.outputs, values, expected):
            bad = difference(np.asarray(f), np.asarray(w))
            if bad:
                wrong.append(f"{what} {output.name}: {bad}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", default="", help="only forms whose name contains it")
    parser.add_argument("--keep", help="where the models are left")
    args = parser.parse_args()
    import sardonyx as engine

    try:
        import onnxruntime as peer
    except ImportError:
        peer = None
        print("skipped: onnxruntime is not installed, nothing is compared with it")

    forms = {name: form for module in MODULES for name, form in module.FORMS.items() if args.filter in name}
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for name, (write, wanted) in forms.items():
            try:
                wrong = check(engine, peer, name, write(), wanted, folder)
            except Exception as e:
                wrong = [f"{type(e).__name__}: {str(e)[:500]}"]
            failed += bool(wrong)
            for line in wrong:
                print(f"{name}: {line}")
    print(f"{len(forms) - failed} passed, {failed} failed")
    return 1 if failed or not forms else 0


if __name__ == "__main__":
    sys.exit(main())
