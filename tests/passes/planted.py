#!/usr/bin/env python3
"""`sardonyx verify --bisect` beside more than thirty rewrites that are wrong on purpose.

    python tests/passes/planted.py [--filter NAME] [--show]

Each fault is a pass of its own (tests/passes/planted), linked into build/dev/bin/sardonyx_planted only and off unless it is named. Most
re-create what engines were publicly wrong about (../shared/cases); at least four change nothing but an empty, NaN, integer or outer-scope
case. Each has a model in which it is right once and wrong once, among rewrites of the passes that ship. With no fault on, verify reports no
error; with one on, bisecting names its pass, its rewrite and the model's nodes that it took.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
CLI = os.environ.get("SARDONYX_PLANTED_CLI", os.path.join(HERE, "..", "..", "build", "dev", "bin", "sardonyx_planted"))
sys.path.insert(0, HERE)
import planted_models  # noqa: E402


def verify(model, inputs, fault):
    command = [CLI, "verify", model, "--bisect", "--json", "--threads", "1", *inputs]
    ended = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, SARDONYX_PLANTED=fault), timeout=60)
    if not ended.stdout.startswith("{"):
        raise RuntimeError(f"verify ended with {ended.returncode}: {ended.stderr.strip()[-300:]}")
    return ended.returncode, json.loads(ended.stdout)


def check(make, folder, show):
    fault, name = f"planted_{make.__name__}", make.__name__
    planted, model, feed = planted_models.build(make)
    onnx.checker.check_model(model)
    path, inputs = os.path.join(folder, name + ".onnx"), os.path.join(folder, name + ".npz")
    onnx.save(model, path)
    np.savez(inputs, **feed)
    inputs = ["--input", inputs]
    code, report = verify(path, inputs, "")
    if code != 0 or report["status"] != "pass":
        return f"without a fault: {json.dumps(report)[:400]}"
    code, report = verify(path, inputs, fault)
    culprit = report.get("culprit", {})
    if show:
        print(f"{name}: {json.dumps(culprit)}")
    if code != 1 or report["status"] != "fail":
        return f"the fault makes no difference (exit {code}): {json.dumps(report)[:400]}"
    if planted.unloadable:  # what is known of the rewrite stands in the error
        said = culprit.get("error", "")
        named = all(word in said for word in (f"of pass {fault}:", *planted.wrong))
        return "" if culprit.get("kind") == "rewrite" and named else f"named are {json.dumps(culprit)[:400]}"
    found = (culprit.get("kind"), culprit.get("pass"), set(culprit.get("origins", [])))
    if found != ("rewrite", fault, planted.wrong):
        return f"named are {json.dumps(culprit)[:400]}, wanted are {fault} and {sorted(planted.wrong)}"
    return check_special(path, feed, fault) if make in planted_models.FOUND_BY_CHANCE else ""


def check_special(path, feed, fault):
    """Nobody has to think of the input: random ones with NaN, negative and extreme numbers show it too."""
    inputs = [word for name, value in feed.items() for word in ("--input", f"{name}=random:{'x'.join(map(str, value.shape))}")]
    for seed in range(3):
        code, report = verify(path, [*inputs, "--special", "--seed", str(100 * seed)], "")
        if code != 0:
            return f"special inputs without a fault: {json.dumps(report)[:400]}"
        _, report = verify(path, [*inputs, "--special", "--seed", str(100 * seed)], fault)
        if report.get("culprit", {}).get("pass") == fault:
            return ""
    return "no special inputs show the fault"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--filter", default="", help="part of a fault's name")
    ap.add_argument("--show", action="store_true", help="print what each bisecting names")
    a = ap.parse_args()
    models = planted_models.MODELS
    made = [make() for make in models]
    cases, only = {m.case for m in made} - {""}, {m.only for m in made} - {""}
    assert len(models) >= 33 and len(cases) >= 10 and len(only) >= 4, "too few faults"
    failed = 0
    models = [make for make in models if a.filter in make.__name__]
    with tempfile.TemporaryDirectory() as folder:
        for make in models:
            try:
                wrong = check(make, folder, a.show)
            except Exception as e:
                wrong = f"{type(e).__name__}: {e}"
            if wrong:
                failed += 1
                print(f"FAILED {make.__name__}: {wrong}")
    print(f"{len(models) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
